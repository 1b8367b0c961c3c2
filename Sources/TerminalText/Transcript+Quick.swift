import ChatModel

/// The short way for most messages of a long history: one row of nothing but
/// text. It writes what the long way would.
extension Transcript {
  /// Appends the row of such a message; false for every other.
  mutating func appendQuickly(
    _ shown: ShownMessage, by sender: Sender, to bytes: inout [UInt8]
  ) -> Bool {
    guard !sender.isMixed, shown.isJustText, let text = shown.entry.message.content,
      let first = text.utf8.first, let last = text.utf8.last, first != 0x20, last != 0x20,
      let width = options.measure.simpleColumns(text)
    else { return false }
    switch options.style {
    case .compact where options.columns >= TranscriptOptions.minimalBubbleColumns:
      let number = shown.number.map { "\($0) " } ?? ""
      let lead = number.utf8.count + labelColumns + sender.columns + 3
      guard lead + width <= options.area else { return false }
      appendQuickCompact(text, number: number, by: sender, to: &bytes)
    case .plain:
      appendQuickPlain(text, number: shown.number, by: sender, to: &bytes)
    case .compact, .bubble:
      return false
    }
    return true
  }

  private func appendQuickCompact(
    _ text: String, number: String, by sender: Sender, to bytes: inout [UInt8]
  ) {
    bytes.append(number)
    bytes.append(label)
    bytes.append(0x20)
    bytes.append(sender.color)
    bytes.append(sender.name)
    bytes.append(options.palette.reset)
    if sender.isRightToLeft, options.isUTF8 { bytes.append("\u{200E}") }
    bytes.append(": ")
    bytes.append(text)
    bytes.append(0x0A)
  }

  private func appendQuickPlain(
    _ text: String, number: Int?, by sender: Sender, to bytes: inout [UInt8]
  ) {
    bytes.append(text)
    bytes.append(" (")
    bytes.append(sender.name)
    bytes.append(", ")
    bytes.append(label)
    if let number {
      bytes.append(", ")
      bytes.append("\(number)")
    }
    bytes.append(")\n")
  }
}

extension ShownMessage {
  /// Whether there is nothing to show of it but sender, time, number and text.
  fileprivate var isJustText: Bool {
    guard update == nil, room == nil, repliedTo == nil else { return false }
    switch delivery {
    case .received, .sent: break
    case .pending, .failed: return false
    }
    return !entry.isLate && !entry.isEdited && !entry.isDeleted && entry.reactions.isEmpty
      && !entry.message.isAction && !entry.message.isTruncated && entry.message.images.isEmpty
      && entry.message.files.isEmpty && entry.message.styles.isEmpty
  }
}
