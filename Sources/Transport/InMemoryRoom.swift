package import ChatModel

/// A room that is nowhere but in memory, for tests: several endpoints share
/// it, and it does what a test tells it to, step by step.
package actor InMemoryRoom {
  private var events: [Event] = []
  /// Counts the resets; cursors of an earlier generation are void.
  private var generation = 0
  private var mailboxes: [ObjectIdentifier: Mailbox] = [:]
  private var failure: TransportError?
  private var joinFailure: TransportError?
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  /// Those who wait until a number of sends is held.
  private var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  /// What one endpoint has not yet taken, and who waits for it there.
  private struct Mailbox {
    var updates: [RoomUpdate] = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  package init(events: [Event] = []) {
    self.events = events
  }

  /// Another way into this room.
  package nonisolated func endpoint() -> InMemoryEndpoint {
    InMemoryEndpoint(room: self)
  }

  /// Everything that is in the room, oldest first.
  package var contents: [Event] { events }

  // MARK: What a test can do

  /// An event of somebody who is at no endpoint.
  package func append(_ event: Event) {
    events.append(event)
    let arrival = RoomEvent(event: event, cursor: cursor(events.count))
    tell(.events([arrival]))
  }

  /// Every send from now on fails with that; nil ends it.
  package func fail(with error: TransportError?) {
    failure = error
  }

  /// Every join from now on fails with that; nil ends it.
  package func failJoining(with error: TransportError?) {
    joinFailure = error
  }

  /// Sends from now on wait, with nothing of them in the room, for
  /// ``release()``.
  package func hold() {
    isHolding = true
  }

  /// Lets all held sends go on, in order, and holds no more.
  package func release() {
    isHolding = false
    for continuation in held { continuation.resume() }
    held = []
  }

  /// Returns when `count` sends are held at once.
  package func waitUntilHeld(_ count: Int) async {
    guard held.count < count else { return }
    await withCheckedContinuation { observers.append((count, $0)) }
  }

  /// Tells every endpoint something.
  package func tell(_ update: RoomUpdate) {
    for endpoint in mailboxes.keys {
      mailboxes[endpoint]?.updates.append(update)
      wake(endpoint)
    }
  }

  /// Tells every endpoint of something that cannot be read.
  package func report(_ problem: RoomProblem) {
    tell(.problem(problem))
  }

  /// Tells every endpoint how the room can be reached.
  package func change(to state: ConnectionState) {
    tell(.state(state))
  }

  /// The room becomes another one with those contents: cursors are void.
  package func reset(to events: [Event]) {
    self.events = events
    generation += 1
    tell(.reset)
    let arrivals = events.indices.map {
      RoomEvent(event: events[$0], cursor: cursor($0 + 1))
    }
    if !arrivals.isEmpty { tell(.events(arrivals)) }
  }

  // MARK: What an endpoint asks for

  func join(_ endpoint: ObjectIdentifier, tail: Int) throws(TransportError) {
    if let joinFailure { throw joinFailure }
    let replay = page(upTo: events.count, limit: tail).events
    let live = RoomUpdate.live(cursor(events.count))
    let updates = [.state(.online)] + (replay.isEmpty ? [] : [.replay(replay)]) + [live]
    mailboxes[endpoint] = Mailbox(updates: updates)
  }

  func leave(_ endpoint: ObjectIdentifier) {
    mailboxes.removeValue(forKey: endpoint)?.waiter?.resume()
  }

  /// See ``Transport/next()``; nil also for an endpoint that has not joined.
  func next(for endpoint: ObjectIdentifier) async -> [RoomUpdate]? {
    while !Task.isCancelled, let mailbox = mailboxes[endpoint] {
      precondition(mailbox.waiter == nil, "one task reads a room")
      if !mailbox.updates.isEmpty {
        mailboxes[endpoint]?.updates = []
        return mailbox.updates
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { mailboxes[endpoint]?.waiter = $0 }
      } onCancel: {
        Task { await self.wake(endpoint) }
      }
    }
    return nil
  }

  func send(_ outgoing: [OutgoingEvent]) async -> [Receipt] {
    if isHolding { await waitForRelease() }
    if let failure { return outgoing.map { _ in .failed(failure) } }
    var receipts: [Receipt] = []
    for event in outgoing.map(\.event) {
      if let index = events.firstIndex(where: { $0.id == event.id }) {
        receipts.append(.sent(cursor(index + 1), duplicate: true))
      } else {
        append(event)
        receipts.append(.sent(cursor(events.count), duplicate: false))
      }
    }
    return receipts
  }

  func history(before cursor: Cursor?, limit: Int) throws(TransportError) -> HistoryPage {
    guard let cursor else { return page(upTo: events.count, limit: limit) }
    let parts = cursor.value.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 2, parts[0] == generation, (0...events.count).contains(parts[1]) else {
      throw TransportError(.gone, reason: "the room was reset since; read it again from its end")
    }
    return page(upTo: parts[1], limit: limit)
  }

  private func page(upTo end: Int, limit: Int) -> HistoryPage {
    var start = end
    var left = limit
    while start > 0, left > 0 {
      start -= 1
      if case .message = events[start] { left -= 1 }
    }
    let part = (start..<end).map { RoomEvent(event: events[$0], cursor: cursor($0 + 1)) }
    return HistoryPage(events: part, more: start > 0, start: cursor(start))
  }

  private func cursor(_ index: Int) -> Cursor {
    Cursor(value: "\(generation).\(index)")
  }

  private func wake(_ endpoint: ObjectIdentifier) {
    mailboxes[endpoint]?.waiter?.resume()
    mailboxes[endpoint]?.waiter = nil
  }

  private func waitForRelease() async {
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for observer in observers where observer.count <= held.count {
        observer.continuation.resume()
      }
      observers.removeAll { $0.count <= held.count }
    }
  }
}
