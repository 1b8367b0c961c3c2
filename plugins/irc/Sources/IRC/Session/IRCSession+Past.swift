internal import ChatModel
internal import Transport

/// Batches of what was said before.
extension IRCSession {
  func takePlayback(_ batch: BatchTracker.Batch, _ opening: Incoming) {
    guard let target = batch.parameters.first, let room = room(target) else { return }
    let transaction = opening.transaction ?? transactions.first { $0.wantsHistory(of: room) }
    room.hasPlayback = true
    derivedIDs = DerivedIDs()
    var events: [(Event, RoomCursor)] = []
    for item in batch.items { events += pastEvents(item, of: room) }
    transaction?.count += batch.items.count
    transaction?.pageCount = batch.items.count
    if case .page(let page)? = transaction?.kind {
      page.edge = edge(of: batch, isForward: page.isForward) ?? page.edge
      page.events += events.map { RoomEvent(event: $0.0, cursor: $0.1.cursor) }
    } else {
      tellPast(events, in: room, for: transaction, count: batch.items.count)
    }
  }

  /// Tells what was missed; of the last messages all, if they reach back to what
  /// was read, and none where that has to be asked for first.
  private func tellPast(
    _ events: [(Event, RoomCursor)], in room: Room, for transaction: Transaction?, count: Int
  ) {
    let tail = transaction?.tail ?? 0
    if tail > 0, count >= tail, let read = room.cursor, let first = events.first?.1,
      read.isBefore(first)
    {
      transaction?.isTailTooShort = true
      return
    }
    if tail > 0 || isPlayedBack(to: room, transaction) {
      let wanted = max(tail, room.tail)
      room.tail = 0
      return tell(events, in: room, atLeast: wanted)
    }
    for (event, cursor) in events {
      tell(event, cursor, in: room, isPlayback: true, isPast: true)
    }
  }

  /// Whether a server plays back by itself, to a host that has just joined.
  private func isPlayedBack(to room: Room, _ transaction: Transaction?) -> Bool {
    let hasAsked = transaction?.lineCount ?? 0 > 0
    return !hasAsked && (room.awaitsLive || !room.isOpen)
  }

  /// Tells what the host has not read, and so many of the last messages if that
  /// is more.
  private func tell(_ events: [(Event, RoomCursor)], in room: Room, atLeast count: Int) {
    let read = room.cursor
    let firstNew = events.firstIndex { _, cursor in
      read.map { !cursor.isBefore($0) && !cursor.isSame(as: $0) } ?? false
    }
    let start = min(firstNew ?? events.count, max(0, events.count - count))
    for (event, cursor) in events[start...] { tell(event, cursor, in: room, isPast: true) }
  }

  private func pastEvents(
    _ item: BatchTracker.Item, of room: Room
  ) -> [(Event, RoomCursor)] {
    switch item {
    case .line(let bytes):
      return bytes.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        return pastEvent(Incoming(line, KnownTags(line)), of: room).map { [$0] } ?? []
      }
    case .batch(let batch):
      guard batch.type.hasSuffix("multiline") else {
        return batch.items.flatMap { pastEvents($0, of: room) }
      }
      return batch.opening.withUnsafeBytes { bytes in
        let line = IncomingLine(bytes)
        guard let text = multilineText(batch) else { return [] }
        return [pastMessage(Incoming(line, KnownTags(line)), text, in: room)].compactMap(\.self)
      }
    }
  }

  private func pastEvent(_ incoming: Incoming, of room: Room) -> (Event, RoomCursor)? {
    let line = incoming.line
    switch line.verbText.uppercased() {
    case "PRIVMSG", "NOTICE": return pastMessage(incoming, line.parameter(1), in: room)
    case "TAGMSG": return reaction(incoming).map { ($0, pastCursor(incoming)) }
    default:
      guard let text = wording.past(incoming), settings.tellsJoins else { return nil }
      let time = time(of: incoming)
      let id =
        incoming.messageID.flatMap { isUsable($0) ? $0 : nil }
        ?? derivedIDs.next(time.milliseconds, text)
      return (
        .notice(Notice(eventID: id, content: text, createdAt: time)), pastCursor(incoming)
      )
    }
  }

  /// The place of the last line of a batch, or of its first.
  private func edge(of batch: BatchTracker.Batch, isForward: Bool) -> RoomCursor? {
    guard let item = isForward ? batch.items.last : batch.items.first else { return nil }
    let bytes =
      switch item {
      case .line(let bytes): bytes
      case .batch(let batch): batch.opening
      }
    return bytes.withUnsafeBytes { bytes in
      let line = IncomingLine(bytes)
      return pastCursor(Incoming(line, KnownTags(line)))
    }
  }

  private func pastCursor(_ incoming: Incoming) -> RoomCursor {
    RoomCursor(
      milliseconds: time(of: incoming).milliseconds,
      messageID: incoming.messageID.flatMap { isUsable($0) ? $0 : nil })
  }

  /// Nil for one's own that the host is told of otherwise.
  private func pastMessage(
    _ incoming: Incoming, _ text: String, in room: Room
  ) -> (Event, RoomCursor)? {
    let folded = features.caseMapping.fold(incoming.nickBytes)
    let isOwn = folded == foldedNick
    if text.utf8.first == 1, ClientToClient(text)?.command != "ACTION" { return nil }
    if isOwn, settle(incoming, text, in: room) { return nil }
    return message(incoming, text, folded, isOwn: isOwn)
  }
}

extension Transaction {
  /// Whether a batch of a room's past can be its answer.
  fileprivate func wantsHistory(of room: Room) -> Bool {
    switch kind {
    case .page(let page): page.room === room
    case .replay(let other): other === room
    default: false
    }
  }
}
