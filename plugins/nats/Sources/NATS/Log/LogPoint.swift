/// A place in a room's log: a message of the stream holds one event or several,
/// a line each, and the place is before one of them.
struct LogPoint: Hashable, Comparable, Sendable {
  /// Of the message that is next, or that it stands in.
  var sequence: UInt64
  /// How many events of that message are before it.
  var eventCount: Int

  /// The place behind a whole message.
  static func behind(_ sequence: UInt64) -> LogPoint { LogPoint(sequence: sequence + 1) }

  /// The place behind so many events of a message that holds `all`.
  init(sequence: UInt64, eventCount: Int, of all: Int) {
    self =
      eventCount < all
      ? LogPoint(sequence: sequence, eventCount: eventCount) : .behind(sequence)
  }

  init(sequence: UInt64, eventCount: Int = 0) {
    (self.sequence, self.eventCount) = (sequence, eventCount)
  }

  /// The last message of which something is before it; 0 where there is none.
  var reached: UInt64 { eventCount > 0 ? sequence : max(sequence, 1) - 1 }

  static func < (one: LogPoint, other: LogPoint) -> Bool {
    (one.sequence, one.eventCount) < (other.sequence, other.eventCount)
  }
}
