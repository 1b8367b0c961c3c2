internal import ChatModel
internal import Transport

/// What was said before (IRCv3 chathistory, and what servers and bouncers play
/// back by themselves).
extension IRCSession {
  var hasHistory: Bool {
    (capabilities.isOn("draft/chathistory") || capabilities.isOn("chathistory"))
      && capabilities.isOn("batch")
  }

  /// How many messages are asked for at once.
  private var pageSize: Int {
    let limit = features.historyLimit ?? 100
    return limit == 0 ? 100 : min(limit, 100)
  }

  /// What was missed is fetched up to so many messages.
  private static let replayLimit = 5_000

  // MARK: - Catching up

  /// Tells what was before; what comes meanwhile is told after it.
  func startReplay(of room: Room) {
    room.isReplaying = true
    askForReplay(of: room, alreadyTold: 0)
  }

  private func askForReplay(of room: Room, alreadyTold count: Int) {
    let transaction = Transaction(.replay(room), ref: nil, lineCount: 1)
    transaction.count = count
    let line: OutgoingLine
    if hasHistory, room.tail > 0 {
      transaction.tail = min(room.tail, pageSize)
      room.tail = 0
      line = OutgoingLine("CHATHISTORY", "LATEST", room.target, "*", String(transaction.tail))
    } else if hasHistory, let cursor = room.cursor {
      // What was said in the same millisecond may not have been heard.
      let place = reference(RoomCursor(milliseconds: max(0, cursor.milliseconds - 1)))
      line = OutgoingLine("CHATHISTORY", "AFTER", room.target, place, String(pageSize))
    } else if room.isQuery {
      return finishReplay(of: room)
    } else {
      // What servers play back by themselves comes before the next sign.
      let bare = Transaction(.replay(room), ref: nil, lineCount: 0)
      transactions.append(bare)
      return
    }
    begin(transaction, [line])
  }

  func endReplay(of room: Room, _ transaction: Transaction) {
    guard room.isReplaying else { return }
    if transaction.isTailTooShort { return askForReplay(of: room, alreadyTold: 0) }
    if hasHistory, transaction.tail == 0, transaction.pageCount >= pageSize,
      transaction.failure == nil,
      room.standing == .inside || room.isQuery
    {
      if transaction.count < Self.replayLimit {
        return askForReplay(of: room, alreadyTold: transaction.count)
      }
      tellGap(in: room)
    }
    finishReplay(of: room)
  }

  func tellGap(in room: Room) {
    tellHost(.gap(room: room.name, after: room.cursor?.cursor, before: nil))
  }

  func finishReplay(of room: Room) {
    room.isReplaying = false
    if room.mayHaveMissed, !hasHistory, !room.hasPlayback {
      // It is the same for all rooms.
      if !hasToldMissing { tellNotice(wording.mayBeMissing, in: room) }
      hasToldMissing = true
    }
    room.mayHaveMissed = false
    failLostSends(in: room)
    releaseHeld(of: room)
    if room.awaitsLive {
      room.awaitsLive = false
      let cursor = place(in: room)
      room.cursor = cursor
      tellHost(.live(room: room.name, cursor: cursor.cursor))
    }
  }

  // MARK: - Pages

  func history(_ ref: String, _ request: HistoryRequest) {
    guard let room = hostRoom(request.room), room.isOpen else {
      return refuse(ref, .denied, wording.notInside(request.room))
    }
    guard hasHistory else {
      return refuse(
        ref, .unsupported,
        wording.say("this server keeps no history", "이 서버는 지난 대화를 보관하지 않습니다"))
    }
    guard case .online = stage else { return refuse(ref, .retry, wording.hungUp) }
    let limit = min(max(1, request.limit), pageSize)
    let isForward = request.after != nil
    let place = (request.after ?? request.before).flatMap(RoomCursor.init)
    let verb = place == nil ? "LATEST" : isForward ? "AFTER" : "BEFORE"
    let page = HistoryPageRequest(room: room, limit: limit, isForward: isForward)
    begin(
      Transaction(.page(page), ref: ref, lineCount: 1),
      [
        OutgoingLine(
          "CHATHISTORY", verb, room.target, place.map(reference) ?? "*", String(limit))
      ])
  }

  private func reference(_ place: RoomCursor) -> String {
    if let id = place.messageID, !DerivedIDs.isMade(id),
      features.historyReferences.contains("msgid")
    {
      return "msgid=\(id)"
    }
    return "timestamp=\(Timestamp(milliseconds: place.milliseconds).rfc3339)"
  }

  func finishPage(_ page: HistoryPageRequest, _ transaction: Transaction) {
    guard let ref = transaction.ref else { return }
    if let failure = transaction.failure { return tellHost(.error(ref: ref, failure)) }
    // Where nothing of a page is told, the next begins behind it all the same.
    let more = transaction.pageCount >= page.limit && page.edge != nil
    tellHost(
      .page(ref: ref, Page(events: page.events, more: more, next: page.edge?.cursor)))
  }
}
