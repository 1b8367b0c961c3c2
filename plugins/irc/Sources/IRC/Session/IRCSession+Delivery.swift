internal import ChatModel
internal import Transport

/// What becomes of what the user says.
extension IRCSession {
  /// Takes one's own message that comes back.
  /// - Returns: whether the host knows of it otherwise.
  func takeEcho(of text: String, _ incoming: Incoming, _ room: Room) -> Bool {
    if let send = incoming.transaction?.send {
      note(send, incoming, text)
      return true
    }
    guard capabilities.isOn("echo-message") else { return false }
    let send = transactions.lazy.filter { $0.isBegun }.compactMap(\.send)
      .first { $0.room === room && $0.isNext(text) }
    guard let send else { return false }
    note(send, incoming, text)
    return true
  }

  func note(_ send: PendingSend, _ incoming: Incoming, _ text: String) {
    send.take(text)
    let time = time(of: incoming)
    guard let id = networkID(of: incoming, time, foldedNick, text) else { return }
    send.networkIDs.append(id)
    guard incoming.tags.time != nil else { return }
    send.place = RoomCursor(milliseconds: time.milliseconds, messageID: id)
  }

  func finish(_ send: PendingSend, _ transaction: Transaction) {
    if let failure = transaction.failure {
      guard let ref = transaction.ref else { return tellUser(failure.message) }
      return tellHost(.error(ref: ref, failure))
    }
    acknowledge(transaction.ref, send, isDuplicate: false)
    if let altered = send.altered { tellAltered(send, altered) }
  }

  /// What the user sees is what the others see.
  private func tellAltered(_ send: PendingSend, _ text: String) {
    let edit = Edit(
      eventID: eventIDs.next(), messageID: send.id, profileID: selfID, content: text,
      createdAt: now.time)
    tell(.edit(edit), nil, in: send.room)
  }

  private func acknowledge(_ ref: String?, _ send: PendingSend, isDuplicate: Bool) {
    for id in send.networkIDs { ownIDs[id] = send.id }
    if send.networkIDs.isEmpty { keepUnnamed(send) }
    // What was said has been read; while the past is told, not all before it.
    if let place = send.place, !send.room.isReplaying { advance(send.room, to: place) }
    networkIDs[send.id] = send.networkIDs.first ?? ""
    acknowledge(ref, send.request, send.networkIDs, isDuplicate: isDuplicate)
  }

  func acknowledge(
    _ ref: String?, _ request: SendRequest, _ roomIDs: [String], isDuplicate: Bool
  ) {
    let id = request.event.id
    let room = hostRoom(request.room)
    _ = room?.seen.insert(id)
    guard let ref else { return }
    tellHost(
      .ack(
        ref: ref,
        Acknowledgement(
          room: request.room, id: id, roomIDs: roomIDs,
          cursor: room?.cursor?.cursor, isDuplicate: isDuplicate)))
  }

  // MARK: - In the past

  /// Whether a message of the past, with the user's nick, is one that the host
  /// sent and knows by its own id.
  func settle(_ incoming: Incoming, _ text: String, in room: Room) -> Bool {
    if let id = incoming.messageID, ownIDs[id] != nil { return false }
    let time = time(of: incoming)
    func isIt(_ send: PendingSend) -> Bool {
      send.room === room && send.isNext(text) && send.begunAt <= time + Self.skew
        && time <= (send.endedAt ?? time) + Self.skew
    }
    if let index = unnamedSends.firstIndex(where: isIt) {
      unnamedSends[index].take(text)
      if unnamedSends[index].isComplete { unnamedSends.remove(at: index) }
      return true
    }
    guard let index = lostSends.firstIndex(where: { $0.send.map(isIt) ?? false }),
      let send = lostSends[index].send
    else { return false }
    note(send, incoming, text)
    if send.isComplete {
      let transaction = lostSends.remove(at: index)
      acknowledge(transaction.ref, send, isDuplicate: true)
    }
    return true
  }

  /// How far the server's times may be from what is known of its clock.
  private static let skew = Duration.seconds(5)

  /// Keeps what has no id of the network, to be known again in the past.
  private func keepUnnamed(_ send: PendingSend) {
    (send.echoed, send.endedAt) = (0, serverTime)
    unnamedSends.append(send)
    if unnamedSends.count > 256 { unnamedSends.removeFirst() }
  }

  // MARK: - When the line died

  /// Keeps what may have arrived until history tells; where there is none, the
  /// user is asked.
  func lose(_ transaction: Transaction, _ send: PendingSend) {
    send.echoed = 0
    lostSends.append(transaction)
    guard hasHistory || send.room.hasPlayback else { return failLostSends(in: send.room) }
    lostDeadline = now.uptime + .seconds(90)
  }

  func failLostSends(in room: Room? = nil) {
    let failure = ProtocolError(
      .retry,
      wording.say(
        "the connection broke when it was sent: it may have arrived",
        "보낼 때 연결이 끊겨 도착했는지 알 수 없습니다"), code: "uncertain", isCertain: false)
    let lost = lostSends.filter { room == nil || $0.send?.room === room }
    lostSends.removeAll { one in lost.contains { $0 === one } }
    if lostSends.isEmpty { lostDeadline = nil }
    for transaction in lost {
      if let ref = transaction.ref { tellHost(.error(ref: ref, failure)) }
    }
  }
}
