/// How long to wait before the next attempt: 1, 2, 4 … 60 seconds, each a
/// little more or less, so that many do not come back all at once.
struct Backoff {
  private static let longest = 60.0
  private var next = 1.0

  mutating func delay() -> Duration {
    let seconds = next * Double.random(in: 0.75...1.25)
    next = min(next * 2, Self.longest)
    return .seconds(seconds)
  }

  mutating func reset() { next = 1 }
}
