/// How long to wait before the server is called again: 1, 2, 4 … 60 seconds,
/// each a little more or less, so that many do not come back all at once.
struct ReconnectDelay {
  private var factor = 1.0

  mutating func next() -> Duration {
    defer { factor = min(factor * 2, 60) }
    return .seconds(1) * (factor * Double.random(in: 0.75...1.25))
  }

  mutating func reset() { factor = 1 }
}
