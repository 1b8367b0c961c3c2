/// Lines that belong together (IRCv3 batch).
extension IRCSession {
  func takeBatchLine(_ line: IncomingLine, _ tags: KnownTags) {
    let word = line.parameter(0)
    if word.hasPrefix("+") {
      _ = batches.begin(
        String(word.dropFirst()), type: line.parameter(1),
        parameters: line.parameters.dropFirst(2).prefix(16).map(line.text), opening: line.bytes,
        parent: tags.batch.map(line.tagValue), at: now.uptime)
    } else if word.hasPrefix("-"), let batch = batches.end(String(word.dropFirst())) {
      take(batch)
    }
  }

  /// Takes a batch that is complete, or will not become so.
  func take(_ batch: BatchTracker.Batch) {
    batch.opening.withUnsafeBytes { bytes in
      let line = IncomingLine(bytes)
      var opening = Incoming(line, KnownTags(line))
      let label = opening.tags.label.map(line.tagValue)
      opening.transaction = label.flatMap(transaction)
      take(batch, opening)
      if let label { endLabel(label) }
    }
  }

  private func take(_ batch: BatchTracker.Batch, _ opening: Incoming) {
    switch batch.type {
    case "chathistory", "znc.in/playback": takePlayback(batch, opening)
    case "draft/multiline", "multiline": takeMultiline(batch, opening)
    default:
      for item in batch.items {
        dispatch(item, as: opening, isSplit: batch.type == "netsplit" || batch.type == "netjoin")
      }
    }
  }

  private func dispatch(_ item: BatchTracker.Item, as opening: Incoming, isSplit: Bool) {
    switch item {
    case .batch(let batch):
      batch.opening.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        var inner = Incoming(line, KnownTags(line))
        inner.transaction = opening.transaction
        take(batch, inner)
      }
    case .line(let bytes):
      bytes.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        var incoming = Incoming(line, KnownTags(line))
        incoming.transaction = opening.transaction
        incoming.isSplit = isSplit
        dispatch(incoming)
      }
    }
  }
}
