internal import ChatModel
internal import Transport

/// Messages of several lines (IRCv3 multiline).
extension IRCSession {
  // MARK: - Said by others

  /// The text of a batch, its lines with newlines between them; nil where
  /// there is none.
  func multilineText(_ batch: BatchTracker.Batch) -> String? {
    var text: String?
    for case .line(let bytes) in batch.items {
      bytes.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        let part = line.parameter(1)
        guard let before = text else { return text = part }
        text = before + (KnownTags(line).isConcatenated ? "" : "\n") + part
      }
    }
    return text
  }

  func takeMultiline(_ batch: BatchTracker.Batch, _ opening: Incoming) {
    guard let target = batch.parameters.first, let text = multilineText(batch) else { return }
    let folded = features.caseMapping.fold(opening.nickBytes)
    let isOwn = folded == foldedNick
    if isOwn, let send = opening.transaction?.send {
      if let id = opening.messageID, isUsable(id) { send.networkID = id }
      return
    }
    let name = features.isChannel(target) || isOwn ? target : opening.nick
    guard let room = room(name) else { return }
    let (event, cursor) = message(opening, text, folded, isOwn: isOwn)
    tell(event, cursor, in: room)
  }

  // MARK: - Said by the user

  /// The lines of a batch for a message that has several; nil where it has
  /// not, or the server does not know them.
  func multilineLines(
    _ message: Message, _ texts: [String], in room: Room
  ) -> [OutgoingLine]? {
    guard texts.count > 1, !message.isAction, capabilities.isOn("draft/multiline"),
      capabilities.isOn("batch"), fitsBatch(texts)
    else { return nil }
    let reference = "m\(takeNumber())"
    let rows = (message.content ?? "").split(
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
    return lines
  }

  /// Whether the server takes so much in one batch.
  private func fitsBatch(_ texts: [String]) -> Bool {
    let value = capabilities.offered["draft/multiline"] ?? ""
    var limits: [Substring: Int] = [:]
    for part in value.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { limits[pair[0]] = Int(pair[1]) }
    }
    let size = texts.reduce(0) { $0 + $1.utf8.count + 1 }
    return size <= limits["max-bytes"] ?? 4_096 && texts.count <= limits["max-lines"] ?? .max
  }

  /// Sends a batch, whose first line alone is labeled.
  func beginBatch(_ transaction: Transaction, _ lines: [OutgoingLine]) {
    begin(transaction, Array(lines.prefix(1)))
    for line in lines.dropFirst() { queue.add(line.bytes, of: transaction) }
  }
}
