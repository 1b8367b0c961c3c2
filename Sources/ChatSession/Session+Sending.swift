internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// A message of one's own, said now.
  func makeMessage(
    _ content: String?, replyTo: String? = nil, isAction: Bool = false
  ) -> Message {
    Message(
      id: makeID(), profileID: ownProfile.id, profileName: ownProfile.name,
      profileImage: ownProfile.image, content: content, createdAt: now(), replyTo: replyTo,
      isAction: isAction)
  }

  /// Puts an event of one's own on its way.
  func submit(_ event: Event) {
    isLeaving = false
    outbox.append(event)
    showIfPending(event)
    if deliveryTask != nil || cursor == nil { keepWaiting() }
    deliver()
    updatePrompt()
  }

  /// Keeps what has to wait for its turn, so that the next run has it however
  /// this one ends.
  private func keepWaiting() {
    guard keepingTask == nil else { return }
    keepingTask = Task {
      var count = 0
      repeat {
        count = outbox.items.count
        await keepUnsent()
      } while outbox.items.count > count && !Task.isCancelled
      keepingTask = nil
    }
  }

  /// Hands what waits to the transport, all of it at once, until nothing is
  /// left. What is entered meanwhile goes with the next batch, in order.
  ///
  /// Nothing goes before it is known how far the room has been read: from
  /// there a repeat is looked for.
  func deliver() {
    guard deliveryTask == nil, let cursor else { return }
    deliveryTask = Task {
      while !Task.isCancelled {
        let batch = outbox.takePending(readUpTo: self.cursor ?? cursor)
        if batch.isEmpty { break }
        await log?.keep(batch.compactMap { outbox[$0.event.id] })
        settle(batch, await transport.send(batch))
      }
      deliveryTask = nil
    }
  }

  /// Notes what became of a batch, and shows it.
  private func settle(_ batch: [OutgoingEvent], _ receipts: [Receipt]) {
    var arrivals = ArrivalBatch()
    for (outgoing, receipt) in zip(batch, receipts) {
      switch receipt {
      case .sent: settleSent(outgoing.event, into: &arrivals)
      case .failed(let error):
        outbox.fail(outgoing.event.id, reason: language(error.text))
        log?.fail([outgoing.event.id], because: error.description)
        arrivals.rows += noteRows(failureText(outgoing.event, error))
      }
    }
    if outbox.pendingCount == 0 { arrivals.rows += takeSentRows() }
    if arrivals.hasDeleted { dropUnwantedImages() }
    show(arrivals.rows, messages: 0)
    updatePrompt()
    guard isLeaving, outbox.pendingCount == 0 else { return }
    if outbox.isEmpty || surface.isGone { end(outbox.isEmpty ? 0 : 75) }
  }

  /// Takes an event that the room has out of the outbox, and shows it.
  func settleSent(_ event: Event, into batch: inout ArrivalBatch) {
    let item = outbox.remove(event.id)
    log?.forget([event.id])
    breakTally.note(sent: event.id)
    guard let diff = timeline.apply(event, .live, now: now()) else { return }
    // A bubble that was shown as pending is not drawn again.
    if case .insert(let entry) = diff, item?.isShown == true {
      profiles.note(entry.message, at: entry.time)
    } else {
      add(diff, .live, into: &batch)
    }
  }

  /// That the room has what was seen to wait while it was out of reach.
  private func takeSentRows() -> [String] {
    let count = breakTally.takeSentCount()
    guard count > 0 else { return [] }
    return noteRows(language("\(counted(count, "message")) sent", "메시지 \(count)개를 보냈습니다"))
  }

  private func failureText(_ event: Event, _ error: TransportError) -> String {
    var what = ""
    if case .message(let message) = event, let content = message.content {
      what = ": “\(content.prefix(40))”"
    }
    return language(
      "not sent\(what): \(error.text.english); /retry tries again, /discard gives it up",
      "보내지 못함\(what): \(error.text.korean); /retry 다시 보내기, /discard 버리기")
  }

  /// Shows a message as pending when the room takes its time.
  func showIfPending(_ event: Event) {
    guard case .message(let message) = event else { return }
    run { [self] in
      try? await Task.sleep(for: parts.patience)
      guard let item = outbox[message.id], !item.hasFailed, !item.isShown, !Task.isCancelled
      else { return }
      outbox.markShown(message.id)
      if isCutOff { breakTally.note(pending: message.id) }
      let entry = TimelineEntry(message: message, time: message.createdAt ?? now())
      show(transcript.lines(for: shown(entry, delivery: .pending)), messages: 0)
    }
  }

  /// What the room is just taking is worth a moment at the end, however the
  /// end comes.
  func waitForDelivery() async {
    guard let deliveryTask else { return }
    _ = await firstValue(of: Task { Optional(await deliveryTask.value) }, within: .seconds(1))
  }

  /// Tries again, at once, to reach the room and to send what failed.
  func retryUnsent() {
    let events = outbox.retryFailed()
    let isReached = connection == .online || connection == .connecting
    guard !events.isEmpty || !isReached else {
      return say(language("nothing failed", "실패한 메시지가 없습니다"))
    }
    if !isReached { run { [self] in await transport.reconnect() } }
    guard !events.isEmpty else { return }
    isLeaving = false
    log?.fail(events.map(\.id), because: nil)
    for event in events { showIfPending(event) }
    deliver()
    updatePrompt()
  }

  func discardUnsent() {
    isLeaving = false
    let ids = outbox.discard()
    log?.forget(ids)
    breakTally.note(givenUp: ids)
    say(language("\(ids.count) given up", "\(ids.count)개를 버렸습니다"))
    updatePrompt()
  }

  /// Tells what leaving would give up; of what is on its way only when it does
  /// not arrive soon.
  private func warnOfUnsent() {
    guard outbox.failedCount == 0 else { return sayUnsent() }
    run { [self] in
      try? await Task.sleep(for: parts.patience)
      if isLeaving, !Task.isCancelled, !outbox.isEmpty { sayUnsent() }
    }
  }

  /// Leaves, soon, what is not sent to the next run in this room; what the log
  /// cannot keep is told first, as without a log.
  private func leaveToOutbox(_ log: LogWriter) {
    guard !isLeaving else { return endWithUnsent() }
    isLeaving = true
    run { [self] in
      if outbox.pendingCount > 0 { try? await Task.sleep(for: parts.patience) }
      guard isLeaving, !Task.isCancelled, !outbox.isEmpty else { return }
      await keepUnsent()
      guard isLeaving, !Task.isCancelled, !outbox.isEmpty else { return }
      guard outbox.items.allSatisfy({ log.hasKept($0.id) }) else {
        return surface.isGone ? endWithUnsent() : sayUnsent()
      }
      let count = outbox.items.count
      farewell = language(
        "\(counted(count, "message")) not sent yet, to go out with the next run in this room",
        "보내지 못한 메시지 \(count)개는 이 방에서 다음에 실행할 때 보냅니다")
      end(75)
    }
  }

  private func sayUnsent() {
    let count = outbox.items.count
    say(
      language(
        "\(count) not sent yet; /retry, /discard, or leave again to give them up",
        "\(count)개를 아직 보내지 못했습니다. /retry, /discard, 다시 나가면 버립니다"))
  }

  /// Ends the session. While something is not sent it only tells so at first,
  /// and ends when the room has everything, or at the second time. What is on
  /// its way is waited for: whether it is sent is not known before.
  func leave() {
    guard storingCount == 0 || isLeaving else {
      isLeaving = true
      return say(
        language(
          "a file is still being stored; Banter leaves when it is sent, or leave again to give it up",
          "파일을 저장하고 있습니다. 보낸 뒤에 나갑니다. 다시 나가면 버립니다"))
    }
    if outbox.isEmpty { return end(storingCount == 0 ? 0 : 75) }
    if let log, log.session != nil { return leaveToOutbox(log) }
    guard isLeaving || surface.isGone && outbox.pendingCount == 0 else {
      isLeaving = true
      return warnOfUnsent()
    }
    guard deliveryTask == nil || outbox.pendingCount == 0 else { return }
    endWithUnsent()
  }

  /// Ends the session. What is not kept is at least not lost from the screen.
  private func endWithUnsent() {
    for item in outbox.items where log?.hasKept(item.id) != true {
      if case .message(let message) = item.event, let content = message.content {
        say(language("not sent: \(content)", "보내지 못함: \(content)"))
      }
    }
    end(75)
  }
}
