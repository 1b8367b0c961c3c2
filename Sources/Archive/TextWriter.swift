import TerminalText

/// Plain text: days, and below each `08:16 name: text`.
///
/// Further lines of a message are indented as far as its time is wide, so that
/// nothing that somebody wrote looks like another message.
struct TextWriter: MessageWriter {
  private var reader: MessageReader

  /// A writer of plain text.
  init(_ options: ExportOptions) {
    reader = MessageReader(options)
  }

  mutating func begin(to buffer: inout [UInt8]) {
    buffer.write("\(reader.options.title)\n")
  }

  mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8]) {
    if let day = reader.newDay(of: message) {
      buffer.write("\n── \(reader.timeLabel.dayText(for: day)) ──\n")
    }
    let readable = reader.read(message)
    var lines = lines(of: readable)
    lines[0] = head(of: readable) + lines[0]
    let indent = String(repeating: " ", count: TextMeasure().columns(readable.label) + 1)
    for (index, line) in lines.enumerated() {
      // An empty line is no more than that.
      let isIndented = index > 0 && !line.isEmpty
      buffer.write("\(isIndented ? indent : "")\(line)\n")
    }
  }

  mutating func end(to buffer: inout [UInt8]) {}

  /// Time, room and name.
  private func head(of message: ReadableMessage) -> String {
    let room = message.room.map { "[\($0)] " } ?? ""
    let isTold = message.isAction && !message.isDeleted
    return "\(message.label) \(room)\(isTold ? "" : "\(message.name): ")"
  }

  /// All the rest; at least one line.
  private func lines(of message: ReadableMessage) -> [String] {
    let wording = reader.options.wording
    var lines: [String] = []
    if let quote = message.quote {
      lines.append("> " + (quote.name.map { "\($0): " } ?? "") + quote.excerpt)
    }
    if let content = message.spokenContent {
      lines.append(
        contentsOf: content.split(separator: "\n", omittingEmptySubsequences: false).map(
          String.init))
    }
    for attachment in message.attachments {
      let address = attachment.address.map { " <\($0.text)>" } ?? ""
      lines.append("[\(attachment.description(wording))]\(address)")
    }
    if !message.marks.isEmpty {
      lines[lines.count - 1] += " (\(message.marks.joined(separator: ", ")))"
    }
    if !message.reactions.isEmpty { lines.append(message.reactionLine) }
    return lines
  }
}
