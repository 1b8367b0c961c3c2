package import ChatModel

/// What carries the events of one room: a file, a socket, another process.
///
/// Used in this order: ``join(tail:)`` once, then ``next()`` again and again
/// by one task while others send and page, then ``close()``.
package protocol Transport: Actor {
  /// What this room can do; does not change while it is open.
  nonisolated var capabilities: Capabilities { get }

  /// The images and files of the room; nil where it cannot have any.
  nonisolated var files: (any RoomFileStore)? { get }

  /// Enters the room and asks for its last `tail` messages (0 and more), with
  /// every other event after the first of them.
  ///
  /// A room that does not exist yet is an empty one: it comes into being with
  /// the first event that is sent to it.
  func join(tail: Int) async throws(TransportError)

  /// The same, but for a room that can be read from far away also everything
  /// since a place up to which it was read before.
  func join(tail: Int, after: Cursor?) async throws(TransportError)

  /// Says what opens the room, if it is locked; before it is joined.
  func unlock(with key: String) async

  /// Waits for something to tell, and tells it in the order in which it is in
  /// the room: at most 1,000 events or about 256 KiB at once.
  ///
  /// Nothing more is read until it is called again, so a slow caller costs no
  /// memory. Nil after ``close()`` and when the calling task is cancelled.
  func next() async -> [RoomUpdate]?

  /// Appends `events` in order and returns when each is kept durably or has
  /// failed: one receipt an event, in the same order.
  func send(_ events: [OutgoingEvent]) async -> [Receipt]

  /// The `limit` messages (at least 1) just before a place, and the other
  /// events among them; nil is the end of the room.
  ///
  /// Throws ``TransportError/Code/gone`` when the room was truncated or
  /// replaced since the cursor was made.
  func history(before: Cursor?, limit: Int) async throws(TransportError) -> HistoryPage

  /// Who is in the room now, in no particular order; nil where nobody knows.
  func members() async throws(TransportError) -> [Profile]?

  /// The rooms of the far side that this one is at; nil where there is none.
  func rooms() async throws(TransportError) -> [RoomItem]?

  /// Has the far side do one of its own commands, see ``RoomUpdate/commands(_:)``.
  /// - Returns: what it has to say about it, if anything.
  func perform(_ command: String, _ arguments: String) async throws(TransportError) -> String?

  /// What the far side knows of somebody; nil where nobody knows more than was
  /// told in the room.
  func profile(_ id: String) async throws(TransportError) -> Profile?

  /// What is known of the connection; nil where there is none at the moment,
  /// or none is needed.
  func connectionFacts() async -> ConnectionFacts?

  /// Tries at once to reach a room that is out of reach, rather than later or
  /// not at all.
  func reconnect() async

  /// Leaves the room; what is under way is finished or fails. May be called
  /// more than once.
  func close() async
}

extension Transport {
  package nonisolated var files: (any RoomFileStore)? { nil }

  package func members() async throws(TransportError) -> [Profile]? { nil }
  package func rooms() async throws(TransportError) -> [RoomItem]? { nil }
  package func profile(_ id: String) async throws(TransportError) -> Profile? { nil }
  package func connectionFacts() async -> ConnectionFacts? { nil }

  package func perform(
    _ command: String, _ arguments: String
  ) async throws(TransportError) -> String? {
    throw TransportError(.invalid, reason: "there is no such command here")
  }

  /// What can be read needs no key.
  package func unlock(with key: String) async {}

  /// A file is never out of reach for long.
  package func reconnect() async {}

  /// A file is at hand: what is not shown can be read at any time.
  package func join(tail: Int, after: Cursor?) async throws(TransportError) {
    try await join(tail: tail)
  }
}

/// How far a room has been read. Only the transport that made it knows what
/// is in it; it may be kept over a restart.
package struct Cursor: Hashable, Sendable {
  package var value: String

  package init(value: String) {
    self.value = value
  }
}

/// An event and the place just after it.
package struct RoomEvent: Sendable {
  package var event: Event
  package var cursor: Cursor

  package init(event: Event, cursor: Cursor) {
    self.event = event
    self.cursor = cursor
  }
}

/// An event on its way into a room.
package struct OutgoingEvent: Sendable {
  package var event: Event
  /// Where the room ended at the first attempt to send it, when this is a
  /// repeat: from there the room is searched for the event's id, so that an
  /// event whose acknowledgement was lost is not there twice.
  package var since: Cursor?
  /// Whether it is said by whoever is at the prompt, whom a far side may know
  /// by another id; false for what others have said elsewhere.
  package var isOwn: Bool

  package init(event: Event, since: Cursor? = nil, isOwn: Bool = true) {
    self.event = event
    self.since = since
    self.isOwn = isOwn
  }
}

/// What became of one event that was sent.
package enum Receipt: Sendable {
  /// The room has it durably, up to that place; `duplicate` when it was there
  /// already and nothing was added. `roomIDs` are the ids by which the room will
  /// tell it another time, where that is not its own: several, in order, where
  /// it has become several messages.
  case sent(Cursor, duplicate: Bool, roomIDs: [String] = [])
  case failed(TransportError)
}

/// A part of a room's past.
package struct HistoryPage: Sendable {
  /// Oldest first. May be empty although there is more.
  package var events: [RoomEvent]
  /// Lines in that part that could not be read.
  package var problems: [RoomProblem]
  /// Whether anything is before this page.
  package var more: Bool
  /// The place before the first event: ask for the page before it with this.
  package var start: Cursor

  package init(events: [RoomEvent], problems: [RoomProblem] = [], more: Bool, start: Cursor) {
    self.events = events
    self.problems = problems
    self.more = more
    self.start = start
  }
}
