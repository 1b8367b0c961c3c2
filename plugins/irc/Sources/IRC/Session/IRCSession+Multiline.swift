internal import ChatModel
internal import Transport

/// Messages of several lines (IRCv3 multiline).
extension IRCSession {
  // MARK: - Said by others

  /// The text of a batch, its lines with newlines between them; nil where
  /// there is none.
  func multilineText(_ batch: BatchTracker.Batch) -> String? {
    var text = ""
    var isFirst = true
    for case .line(let bytes) in batch.items where text.utf8.count <= Self.textLimit {
      bytes.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        if !isFirst, !KnownTags(line).isConcatenated { text += "\n" }
        text += line.parameter(1)
        isFirst = false
      }
    }
    return isFirst ? nil : text
  }

  func takeMultiline(_ batch: BatchTracker.Batch, _ opening: Incoming) {
    guard let target = batch.parameters.first, let text = multilineText(batch) else { return }
    Array(target.utf8).withUnsafeBytes { hear(text, opening, in: $0, isNotice: false) }
  }

  // MARK: - Said by the user

  /// The lines of a batch for a message that has several; nil where it has
  /// not, or the server does not know them.
  func multilineLines(
    _ message: Message, _ text: String, in room: Room
  ) -> [OutgoingLine]? {
    guard !message.isAction, capabilities.isOn("draft/multiline"), capabilities.isOn("batch")
    else { return nil }
    let reference = "m\(takeNumber())"
    let rows = text.replacing("\0", with: " ").split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var lines: [OutgoingLine] = []
    var opening = OutgoingLine("BATCH", "+\(reference)", "draft/multiline", room.target)
    opening.tags = replyTags(message.replyTo)
    lines.append(opening)
    for row in rows {
      let parts = MessageSplitter.parts(
        of: String(row), budget: budget(for: room.target), keepsBlanks: true)
      for (index, part) in parts.enumerated() {
        var line = OutgoingLine("PRIVMSG", room.target, trailing: part)
        line.tags = [("batch", reference)]
        if index > 0 { line.tags.append(("draft/multiline-concat", "")) }
        lines.append(line)
      }
    }
    lines.append(OutgoingLine("BATCH", "-\(reference)"))
    // All but the first and the last are text.
    let isBatch = lines.count > 3 && fitsBatch(text.utf8.count, lineCount: lines.count - 2)
    return isBatch ? lines : nil
  }

  /// Whether the server takes so much in one batch.
  private func fitsBatch(_ size: Int, lineCount: Int) -> Bool {
    let value = capabilities.offered["draft/multiline"] ?? ""
    var limits: [Substring: Int] = [:]
    for part in value.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { limits[pair[0]] = Int(pair[1]) }
    }
    return size <= limits["max-bytes"] ?? 4_096 && lineCount <= limits["max-lines"] ?? .max
  }

  /// Sends a batch, whose first line alone is labeled; nothing may be said
  /// while it is open.
  func beginBatch(_ transaction: Transaction, _ lines: [OutgoingLine]) {
    transactions.append(transaction)
    transaction.verbs = ["BATCH", "PRIVMSG"]
    var lines = lines
    label(&lines[0], of: transaction)
    queue.add(together: lines.map(\.bytes), of: transaction)
  }
}
