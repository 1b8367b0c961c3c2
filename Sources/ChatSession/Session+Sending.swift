internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// A message of one's own, said now.
  func makeMessage(
    _ content: String?, in room: JoinedRoom, replyTo: String? = nil, isAction: Bool = false
  ) -> Message {
    let own = ownProfile(in: room)
    return Message(
      id: makeID(), profileID: own.id, profileName: own.name, profileImage: own.image,
      content: content, createdAt: now(), replyTo: replyTo, isAction: isAction)
  }

  /// Puts an event of one's own on its way.
  func submit(_ event: Event, to room: JoinedRoom) {
    leaving = []
    room.outbox.append(event)
    showIfPending(event, in: room)
    if room.deliveryTask != nil || room.cursor == nil { keepWaiting(in: room) }
    deliver(in: room)
    updatePrompt()
  }

  /// Keeps what has to wait for its turn, so that the next run has it however
  /// this one ends.
  private func keepWaiting(in room: JoinedRoom) {
    guard room.keepingTask == nil else { return }
    room.keepingTask = Task {
      var count = 0
      repeat {
        count = room.outbox.items.count
        await keepUnsent(in: room)
      } while room.outbox.items.count > count && !Task.isCancelled
      room.keepingTask = nil
    }
  }

  /// Hands what waits to the transport, all of it at once, until nothing is
  /// left. What is entered meanwhile goes with the next batch, in order.
  ///
  /// Nothing goes before it is known how far the room has been read: from
  /// there a repeat is looked for.
  func deliver(in room: JoinedRoom) {
    guard room.deliveryTask == nil, let cursor = room.cursor else { return }
    room.deliveryTask = Task {
      while !Task.isCancelled {
        let batch = room.outbox.takePending(readUpTo: room.cursor ?? cursor)
        if batch.isEmpty { break }
        await room.log?.keep(batch.compactMap { room.outbox[$0.event.id] })
        settle(batch, await room.transport.send(batch), in: room)
      }
      room.deliveryTask = nil
    }
  }

  /// Notes what became of a batch, and shows it.
  private func settle(_ batch: [OutgoingEvent], _ receipts: [Receipt], in room: JoinedRoom) {
    var arrivals = ArrivalBatch()
    for (outgoing, receipt) in zip(batch, receipts) {
      switch receipt {
      case .sent(_, _, let networkIDs):
        note(networkIDs, of: outgoing.event, in: room)
        settleSent(outgoing.event, in: room, into: &arrivals)
      case .failed(let error):
        note(error, of: outgoing.event.id, in: room)
        arrivals.rows += noteRows(failureText(outgoing.event, error), of: room)
      }
    }
    if room.outbox.pendingCount == 0 { arrivals.rows += takeSentRows(of: room) }
    if arrivals.hasDeleted { dropUnwantedImages(of: room) }
    show(arrivals.rows, messages: 0)
    updatePrompt()
    leaveIfSettled()
  }

  /// Notes what the network calls an event of one's own, and that event where
  /// nobody will tell of it.
  private func note(_ networkIDs: [String], of event: Event, in room: JoinedRoom) {
    if !networkIDs.isEmpty {
      room.networkIDs.note(networkIDs, of: event.id)
      room.log?.note(networkIDs, of: event.id)
    }
    if room.transport.capabilities.echo == .none {
      room.log?.note([event], cursor: room.cursor?.value ?? "")
    }
  }

  /// Notes that the room did not take an event. Where it would take a repeat
  /// for another one, it has certainly not got it, or only the user can tell:
  /// what he then says again is said for the first time.
  private func note(_ error: TransportError, of id: String, in room: JoinedRoom) {
    let isUntried = !room.transport.capabilities.removesDuplicates
    room.outbox.fail(id, reason: language(error.text), isUntried: isUntried)
    room.log?.fail(
      [id], because: error.description, isUntried: isUntried && error.code != .uncertain)
  }

  /// Takes an event that the room has out of the outbox, and shows it.
  func settleSent(_ event: Event, in room: JoinedRoom, into batch: inout ArrivalBatch) {
    let item = room.outbox.remove(event.id)
    room.log?.forget([event.id])
    room.breakTally.note(sent: event.id)
    guard let diff = room.timeline.apply(event, .live, now: now()) else { return }
    // A bubble that was shown as pending is not drawn again.
    if case .insert(let entry) = diff, item?.isShown == true {
      room.profiles.note(entry.message, at: entry.time)
    } else {
      add(diff, .live, of: room, into: &batch)
    }
  }

  /// That the room has what was seen to wait while it was out of reach.
  private func takeSentRows(of room: JoinedRoom) -> [String] {
    let count = room.breakTally.takeSentCount()
    guard count > 0 else { return [] }
    return noteRows(
      language("\(counted(count, "message")) sent", "메시지 \(count)개를 보냈습니다"), of: room)
  }

  private func failureText(_ event: Event, _ error: TransportError) -> String {
    var what = ""
    if case .message(let message) = event, let content = message.content {
      what = ": “\(content.prefix(40))”"
    }
    guard error.code != .uncertain else {
      return language(
        "perhaps sent\(what): \(error.text.english)", "보냈을 수도 있음\(what): \(error.text.korean)")
    }
    return language(
      "not sent\(what): \(error.text.english); /retry tries again, /discard gives it up",
      "보내지 못함\(what): \(error.text.korean); /retry 다시 보내기, /discard 버리기")
  }

  /// Shows a message as pending when the room takes its time.
  func showIfPending(_ event: Event, in room: JoinedRoom) {
    guard case .message(let message) = event else { return }
    run { [self] in
      try? await Task.sleep(for: parts.patience)
      guard let item = room.outbox[message.id], !item.hasFailed, !item.isShown, !Task.isCancelled
      else { return }
      room.outbox.markShown(message.id)
      if room.isCutOff { room.breakTally.note(pending: message.id) }
      let entry = TimelineEntry(message: message, time: message.createdAt ?? now())
      show(transcript.lines(for: shown(entry, of: room, delivery: .pending)), messages: 0)
    }
  }

  /// What rooms are just taking is worth a moment at the end, however the end
  /// comes.
  func waitForDelivery(in rooms: [JoinedRoom]) async {
    let tasks = rooms.compactMap(\.deliveryTask)
    guard !tasks.isEmpty else { return }
    let all = Task { for task in tasks { await task.value } }
    _ = await firstValue(of: Task { Optional(await all.value) }, within: .seconds(1))
  }

  /// Tries again, at once, to reach the rooms and to send what failed.
  func retryUnsent() {
    let hadSomething = rooms.filter(retryUnsent).count > 0
    if !hadSomething { say(language("nothing failed", "실패한 메시지가 없습니다")) }
  }

  /// - Returns: whether there was anything to try.
  private func retryUnsent(in room: JoinedRoom) -> Bool {
    let events = room.outbox.retryFailed()
    let isReached = room.connection == .online || room.connection == .connecting
    if !isReached { run { await room.transport.reconnect() } }
    guard !events.isEmpty else { return !isReached }
    leaving = []
    room.log?.fail(events.map(\.id), because: nil)
    for event in events { showIfPending(event, in: room) }
    deliver(in: room)
    updatePrompt()
    return true
  }

  func discardUnsent(in room: JoinedRoom) throws(CommandError) {
    let hasUnsent = { [self] (room: JoinedRoom) in
      !room.outbox.isEmpty || storingCount(in: room) > 0
    }
    let others = rooms.filter { $0 !== room && hasUnsent($0) }.compactMap(\.label)
    guard hasUnsent(room) || others.isEmpty else {
      let names = others.joined(separator: ", ")
      throw CommandError(
        language(
          "nothing waits in this room; go to \(names) by /join first",
          "이 방에는 없습니다. 먼저 /join으로 \(names)에 가세요"))
    }
    leaving = []
    let ids = room.outbox.discard()
    room.log?.forget(ids)
    room.breakTally.note(givenUp: ids)
    let count = ids.count + giveUpAttachments(in: room).count
    say(language("\(count) given up", "\(count)개를 버렸습니다"))
    updatePrompt()
  }
}
