package import ChatModel
package import Transport

/// What was said and is not yet in the room, in the order in which it was
/// said. A value: who delivers it is the session.
package struct Outbox: Sendable {
  package enum State: Sendable, Equatable {
    case pending
    /// The transport has it, and has not answered.
    case underway
    case failed(reason: String)
  }

  package struct Item: Sendable {
    package var outgoing: OutgoingEvent
    package var state: State = .pending
    /// How far the room had been read when it was said: from there on the
    /// room may have got it without acknowledging it.
    package var firstAttempt: Cursor?
    /// Whether its bubble is on the screen.
    package var isShown = false

    package var id: String { outgoing.event.id }
  }

  package private(set) var items: [Item] = []

  package init() {}

  package var isEmpty: Bool { items.isEmpty }

  /// How many wait or are under way.
  package var pendingCount: Int { items.count { $0.state.isPending } }

  package var failedCount: Int { items.count - pendingCount }

  package func contains(_ id: String) -> Bool { items.contains { $0.id == id } }

  package mutating func append(_ event: Event, readUpTo cursor: Cursor?) {
    items.append(Item(outgoing: OutgoingEvent(event: event), firstAttempt: cursor))
  }

  /// Marks what waits as under way.
  /// - Returns: it, oldest first.
  package mutating func takePending() -> [OutgoingEvent] {
    var taken: [OutgoingEvent] = []
    for index in items.indices where items[index].state == .pending {
      items[index].state = .underway
      taken.append(items[index].outgoing)
    }
    return taken
  }

  /// Takes out what the room has.
  package mutating func remove(_ id: String) -> Item? {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return nil }
    return items.remove(at: index)
  }

  package mutating func fail(_ id: String, reason: String) {
    update(id) { $0.state = .failed(reason: reason) }
  }

  package mutating func markShown(_ id: String) {
    update(id) { $0.isShown = true }
  }

  /// Lets what failed wait again, in its old order.
  package mutating func retryFailed() {
    for index in items.indices where !items[index].state.isPending {
      items[index].state = .pending
      items[index].outgoing.since = items[index].firstAttempt
    }
  }

  /// Gives up what is not under way.
  /// - Returns: how many that were.
  package mutating func discard() -> Int {
    let before = items.count
    items.removeAll { $0.state != .underway }
    return before - items.count
  }

  private mutating func update(_ id: String, _ change: (inout Item) -> Void) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    change(&items[index])
  }
}

extension Outbox.State {
  fileprivate var isPending: Bool {
    switch self {
    case .pending, .underway: true
    case .failed: false
    }
  }
}
