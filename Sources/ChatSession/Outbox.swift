package import ChatModel
package import Transport

/// What was said and is not yet in the room, in the order in which it was
/// said. A value: who delivers it is the session.
package struct Outbox: Sendable {
  /// How far an event has come.
  package enum State: Sendable, Equatable {
    /// It waits for its turn.
    case pending
    /// The transport has it, and has not answered.
    case underway
    /// The room did not take it; it waits to be tried again or given up.
    /// - Parameter reason: for the user, in the user's language.
    case failed(reason: String)
  }

  /// An event that waits.
  package struct Item: Sendable {
    /// What goes into the room; its id and its time stay the same at each try.
    package var event: Event
    /// How far it has come.
    package var state: State = .pending
    /// How far the room had been read at the first attempt: from there on the
    /// room may have it without having acknowledged it. Nil before.
    package var firstAttempt: Cursor?
    /// Whether its bubble is on the screen.
    package var isShown = false

    /// The event's id, by which the room knows a repeat.
    package var id: String { event.id }

    /// Whether the room did not take it.
    package var hasFailed: Bool {
      if case .failed = state { true } else { false }
    }
  }

  /// All that waits, in the order in which it was said.
  package private(set) var items: [Item] = []

  /// An outbox in which nothing waits.
  package init() {}

  /// Whether the room has everything.
  package var isEmpty: Bool { items.isEmpty }

  /// How many wait or are under way.
  package var pendingCount: Int { items.count - failedCount }

  /// How many the room did not take.
  package var failedCount: Int { items.count(where: \.hasFailed) }

  /// What waits under an id; nil once the room has it.
  package subscript(id: String) -> Item? { items.first { $0.id == id } }

  /// Takes in what was said now, behind everything else.
  package mutating func append(_ event: Event) {
    items.append(Item(event: event))
  }

  /// Takes in what an earlier session has not sent, before anything new.
  package mutating func restore(_ events: [(event: Event, firstAttempt: Cursor?)]) {
    items.insert(
      contentsOf: events.map { Item(event: $0.event, firstAttempt: $0.firstAttempt) }, at: 0)
  }

  /// Marks what waits as under way.
  /// - Parameter cursor: how far the room has been read.
  /// - Returns: it, oldest first; what was tried before says since when the
  ///   room may have it.
  package mutating func takePending(readUpTo cursor: Cursor) -> [OutgoingEvent] {
    var taken: [OutgoingEvent] = []
    for index in items.indices where items[index].state == .pending {
      taken.append(OutgoingEvent(event: items[index].event, since: items[index].firstAttempt))
      items[index].state = .underway
      items[index].firstAttempt = items[index].firstAttempt ?? cursor
    }
    return taken
  }

  /// Takes out what the room has.
  /// - Returns: it; nil when nothing of that id waits.
  package mutating func remove(_ id: String) -> Item? {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return nil }
    return items.remove(at: index)
  }

  /// Notes that the room did not take an event.
  /// - Parameter isUntried: whether the next attempt counts as the first.
  package mutating func fail(_ id: String, reason: String, isUntried: Bool = false) {
    update(id) { item in
      item.state = .failed(reason: reason)
      if isUntried { item.firstAttempt = nil }
    }
  }

  /// Notes that an event's bubble is on the screen.
  package mutating func markShown(_ id: String) {
    update(id) { $0.isShown = true }
  }

  /// Lets what failed wait again, in its old order.
  /// - Returns: those events.
  package mutating func retryFailed() -> [Event] {
    var retried: [Event] = []
    for index in items.indices where items[index].hasFailed {
      items[index].state = .pending
      retried.append(items[index].event)
    }
    return retried
  }

  /// Gives up what is not under way.
  /// - Returns: the ids of those events.
  package mutating func discard() -> [String] {
    let ids = items.filter { $0.state != .underway }.map(\.id)
    items.removeAll { $0.state != .underway }
    return ids
  }

  private mutating func update(_ id: String, _ change: (inout Item) -> Void) {
    guard let index = items.firstIndex(where: { $0.id == id }) else { return }
    change(&items[index])
  }
}
