internal import ChatModel
internal import Transport

/// A room that the host has joined; belongs to the session.
final class Room {
  let name: String
  let log: SubjectLog
  /// The request that has not been answered yet.
  var joinRef: String?
  /// Where the host wants to go on, and how much it wants otherwise.
  var after: Cursor?
  var tail: Int
  /// When the stream was made, in milliseconds since 1970; nil until the room
  /// has been entered.
  var stream: Int64?
  /// Before what is to be told next.
  var position = LogPoint(sequence: 1)
  /// What of the log was read on entering, and not told yet.
  var unread: [LogMessage] = []
  /// Whether the host was told that it is up to date.
  var isLive = false
  var news: NATSSubscription?
  var presence: NATSSubscription?
  /// What has come and was not told yet.
  var arrived: [NATSMessage] = []
  /// Whether something may be in the log that did not come.
  var isBehind = false
  /// Whether the stream may have been made anew.
  var isDoubtful = false
  var heardAt = ContinuousClock.now
  var catchingUp: Task<Void, Never>?
  var outgoing: [Outgoing] = []
  var sending: Task<Void, Never>?
  /// Since when the cluster has taken nothing of it.
  var failingSince: ContinuousClock.Instant?
  /// What has failed and is to be said again, and until when nothing else is
  /// taken: it would be there before that.
  var failed: (ids: Set<String>, until: ContinuousClock.Instant)?
  /// How many messages were rubbish; few of them are told.
  var rubbishCount = 0

  init(_ name: String, _ log: SubjectLog, _ request: JoinRequest, ref: String) {
    (self.name, self.log, joinRef) = (name, log, ref)
    (after, tail) = (request.after, request.tail ?? 0)
  }

  deinit {
    catchingUp?.cancel()
    sending?.cancel()
  }

  func cursor(_ point: LogPoint) -> Cursor {
    LogCursor(stream: stream ?? 0, point: point).cursor
  }

  /// How much is kept before it is read from the log instead.
  static let arrivalLimit = 10_000
}
