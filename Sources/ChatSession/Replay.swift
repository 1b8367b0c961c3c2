internal import ChatModel

/// What a room tells on joining, until it is live: of a long past only the last
/// messages are shown, however much was missed.
struct Replay {
  private var diffs: [TimelineDiff] = []
  private var messageCount = 0
  /// How many messages are not shown.
  private(set) var skippedCount = 0

  /// Adds what happened, and lets go of all before the last `limit` messages.
  mutating func append(_ more: [TimelineDiff], keeping limit: Int) {
    diffs += more
    messageCount += more.count(where: \.isMessage)
    // Not at each batch: what is let go of is moved once.
    guard messageCount >= limit * 2 + 100 else { return }
    trim(to: limit)
  }

  /// Everything that is to be shown, in its order; nothing is left.
  mutating func take(keeping limit: Int) -> (diffs: [TimelineDiff], skippedCount: Int) {
    trim(to: limit)
    defer { self = Replay() }
    return (diffs, skippedCount)
  }

  private mutating func trim(to limit: Int) {
    var excess = messageCount - limit
    guard excess > 0 else { return }
    messageCount -= excess
    skippedCount += excess
    let start = diffs.firstIndex { diff in
      if diff.isMessage { excess -= 1 }
      return excess < 0
    }
    diffs.removeFirst(start ?? diffs.count)
  }
}

extension TimelineDiff {
  fileprivate var isMessage: Bool {
    if case .insert = self { true } else { false }
  }
}
