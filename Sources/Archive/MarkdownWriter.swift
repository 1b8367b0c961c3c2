import TerminalText

/// Markdown (CommonMark 0.30): days as headings, a paragraph a message.
struct MarkdownWriter: MessageWriter {
  private var reader: MessageReader

  /// A writer of Markdown.
  init(_ options: ExportOptions) {
    reader = MessageReader(options)
  }

  mutating func begin(to buffer: inout [UInt8]) {
    buffer.write("# \(markdown(reader.options.title))\n")
  }

  mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8]) {
    if let day = reader.newDay(of: message) {
      buffer.write("\n## \(markdown(reader.timeLabel.dayText(for: day)))\n")
    }
    // Within one paragraph, a backslash ends a line (CommonMark 0.30, 6.7).
    buffer.write("\n\(lines(of: reader.read(message)).joined(separator: "\\\n"))\n")
  }

  mutating func end(to buffer: inout [UInt8]) {}

  private func lines(of message: ReadableMessage) -> [String] {
    var lines = [head(of: message)]
    if let quote = message.quote {
      lines.append("↩ " + markdown((quote.name.map { "\($0): " } ?? "") + quote.excerpt))
    }
    if let content = message.spokenContent { lines.append(markdown(content)) }
    lines.append(contentsOf: message.attachments.map(attachment))
    if !message.reactions.isEmpty { lines.append(markdown(message.reactionLine)) }
    return lines
  }

  private func head(of message: ReadableMessage) -> String {
    let details = [message.label, message.room].compactMap { $0 } + message.marks
    return "**\(markdown(message.name))** " + markdown(details.joined(separator: " · "))
  }

  /// A link rather than the image: a reader should not tell a stranger's
  /// machine that it is being read.
  private func attachment(_ attachment: ReadableMessage.Attachment) -> String {
    let description = markdown("[\(attachment.description(reader.options.wording))]")
    return attachment.address.map { "[\(description)](<\($0.text)>)" } ?? description
  }
}
