import ChatModel

/// Compact style: `12 08:16 name: text`, further rows below the text.
extension Transcript {
  /// Rows shorter than this are not worth hanging below a long name.
  private static let minimalTextColumns = 12

  /// Appends the rows of a message.
  mutating func appendCompact(_ item: Item, to bytes: inout [UInt8]) {
    let prefix = CompactPrefix(item, label: label, options: options)
    let available = options.area - prefix.columns
    let blocks = compactBlocks(of: item)
    let hangs =
      (prefix.columns <= options.area / 2 && available >= Self.minimalTextColumns)
      || fitsOneRow(blocks, columns: available)
    let indent = hangs ? prefix.columns : options.area >= 12 ? 2 : options.area > 2 ? 1 : 0
    if hangs {
      prefix.append(to: &bytes)
    } else {
      prefix.appendFitting(to: &bytes)
    }
    var isFirst = hangs
    for block in blocks {
      let wrapped = wrap(block, columns: options.area - indent)
      for row in wrapped.rows {
        if !isFirst { bytes.append(blanks: indent) }
        isFirst = false
        bytes.append(row, of: wrapped, options.palette)
        bytes.endRow()
      }
    }
  }

  private func fitsOneRow(_ blocks: [TextBlock], columns: Int) -> Bool {
    guard blocks.count == 1, columns > 0, options.columns >= TranscriptOptions.minimalBubbleColumns
    else { return false }
    let text = blocks[0].text
    return !text.contains("\n") && options.measure.columns(text) <= columns
  }

  private func compactBlocks(of item: Item) -> [TextBlock] {
    let text = item.text
    var blocks = text.body(of: item.sender)
    if let reply = text.reply() {
      let quote = TextBlock(text: "> \(reply.name): \(reply.excerpt)", isOneRow: true)
      blocks.insert(quote, at: 0)
    }
    if !item.marks.isEmpty {
      blocks[blocks.count - 1].text += " (\(item.marks.joined(separator: ", ")))"
    }
    let reactions = text.reactions()
    if !reactions.isEmpty { blocks.append(TextBlock(text: reactions)) }
    return blocks
  }
}

/// What stands before the text in compact style.
private struct CompactPrefix {
  private let item: Transcript.Item
  private let options: TranscriptOptions
  /// Number, time and room, with a blank at the end.
  private let lead: String
  private let hasName: Bool
  /// The columns of all of it.
  let columns: Int

  init(_ item: Transcript.Item, label: String, options: TranscriptOptions) {
    self.item = item
    self.options = options
    var lead = item.text.shown.number.map { "\($0) " } ?? ""
    if options.columns >= Self.columnsForTime(besideRoom: item.text.shown.room != nil) {
      lead += "\(label) "
    }
    if let room = item.text.shown.room {
      lead += "[\(field(room, columns: 24, options: options))] "
    }
    hasName = !item.text.shown.entry.message.isAction || item.text.shown.entry.isDeleted
    self.lead = lead
    columns = options.measure.columns(lead) + (hasName ? item.sender.columns + 2 : 0)
  }

  /// From so many columns on there is room for the time; who wrote it, and
  /// where, comes first.
  private static func columnsForTime(besideRoom: Bool) -> Int {
    TranscriptOptions.minimalBubbleColumns + (besideRoom ? 10 : 0)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(lead)
    if hasName { appendName(item.sender.name, to: &bytes) }
  }

  /// Appends a row of its own, cut where it does not fit.
  func appendFitting(to bytes: inout [UInt8]) {
    let room = options.area - options.measure.columns(lead)
    guard hasName, room >= 4 else {
      let all = hasName ? "\(lead)\(item.sender.name):" : lead
      bytes.append(fitting(trimmed(all), columns: options.area, options: options))
      bytes.endRow()
      return
    }
    bytes.append(lead)
    appendName(fitting(item.sender.name, columns: room - 1, options: options), to: &bytes)
    bytes.endRow()
  }

  private func appendName(_ name: String, to bytes: inout [UInt8]) {
    bytes.append(item.isMention ? options.palette.strong : "")
    bytes.append(item.sender.color)
    bytes.append(name)
    bytes.append(options.palette.reset)
    if item.sender.isRightToLeft, options.isUTF8 { bytes.append("\u{200E}") }
    bytes.append(": ")
  }
}
