internal import ChatModel
internal import Transport

/// What becomes of what the user says.
extension IRCSession {
  /// Takes one's own message that comes back.
  /// - Returns: whether the host knows of it otherwise.
  func takeEcho(of text: String, _ incoming: Incoming, _ room: Room) -> Bool {
    if let send = incoming.transaction?.send { return note(send, incoming, text) }
    guard capabilities.isOn("echo-message") else { return false }
    for transaction in transactions {
      guard let send = transaction.send, send.room === room, transaction.unsaid == 0,
        send.echoed < send.texts.count,
        FormattedText(send.texts[send.echoed]).plain == FormattedText(text).plain
      else { continue }
      return note(send, incoming, text)
    }
    return false
  }

  private func note(_ send: PendingSend, _ incoming: Incoming, _ text: String) -> Bool {
    if send.texts.count == 1, send.echoed == 0, send.texts[0] != text,
      ClientToClient(text) == nil
    {
      send.altered = FormattedText(text).plain
    }
    send.echoed += 1
    guard send.networkID == nil, let id = incoming.messageID, isUsable(id) else { return true }
    send.networkID = id
    return true
  }

  func finish(_ send: PendingSend, _ transaction: Transaction) {
    if let failure = transaction.failure {
      guard let ref = transaction.ref else { return tellUser(failure.message) }
      return tellHost(.error(ref: ref, failure))
    }
    acknowledge(transaction.ref, send.request, networkID: send.networkID, isDuplicate: false)
    if let altered = send.altered { tellAltered(send, altered) }
  }

  /// What the user sees is what the others see.
  private func tellAltered(_ send: PendingSend, _ text: String) {
    let edit = Edit(
      eventID: eventIDs.next(), messageID: send.id, profileID: selfID, content: text,
      createdAt: now.time)
    let cursor = send.room.cursor ?? RoomCursor(milliseconds: now.time.milliseconds)
    tell(.edit(edit), cursor, in: send.room)
  }

  func acknowledge(
    _ ref: String?, _ request: SendRequest, networkID: String?, isDuplicate: Bool
  ) {
    let id = request.event.id
    networkIDs[id] = networkID ?? ""
    if let networkID, !networkID.isEmpty { ownIDs[networkID] = id }
    let room = hostRoom(request.room)
    _ = room?.seen.insert(id)
    guard let ref else { return }
    tellHost(
      .ack(
        ref: ref,
        Acknowledgement(
          room: request.room, id: id, roomID: networkID.flatMap { $0.isEmpty ? nil : $0 },
          cursor: room?.cursor?.cursor, isDuplicate: isDuplicate)))
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

  /// Whether a message of one's own from the past is one that was lost sight
  /// of; all of its parts acknowledge it.
  func settleLost(_ incoming: Incoming, _ text: String) -> Bool {
    for (index, transaction) in lostSends.enumerated() {
      guard let send = transaction.send, send.echoed < send.texts.count,
        send.texts[send.echoed] == text
      else { continue }
      _ = note(send, incoming, text)
      guard send.echoed == send.texts.count else { return true }
      lostSends.remove(at: index)
      acknowledge(transaction.ref, send.request, networkID: send.networkID, isDuplicate: true)
      return true
    }
    return false
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
