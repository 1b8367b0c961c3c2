/// How long a far side may take, and how long it is left alone.
package struct LinkTiming: Sendable {
  /// For each step until the room is live.
  package var step = Duration.seconds(15)
  /// How long nothing is heard before it is asked whether it is there, and
  /// before it is given up.
  package var ping = LineProtocol.pingInterval
  package var silence = LineProtocol.silenceLimit
  /// How long a question may take to be answered.
  package var answer = Duration.seconds(60)
  /// How long no part of a file comes that the far side was asked for, or
  /// nothing is heard of one that it is sent, before it is given up.
  package var fileSilence = Duration.seconds(60)
  /// The first wait before it is called again; each is twice the one before,
  /// as far as 60 times the first.
  package var firstWait = Duration.seconds(1)

  package init() {}
}

/// How long to wait before the next attempt, each a little more or less, so
/// that many do not come back all at once.
struct Backoff {
  private let first: Duration
  private var factor = 1.0

  init(first: Duration) {
    self.first = first
  }

  mutating func delay() -> Duration {
    defer { factor = min(factor * 2, 60) }
    return first * (factor * Double.random(in: 0.75...1.25))
  }

  mutating func reset() { factor = 1 }
}
