/// How much may be said at once, so that no server calls it a flood: each line
/// costs time, and is said only while what was said costs less than the
/// server's patience (RFC 1459, section 8.10).
package struct FloodBucket: Sendable {
  /// How far ahead of the clock one may be.
  package var patience: Duration
  /// What a line costs, and each further 120 bytes of it.
  package var cost: Duration
  /// Up to when what was said is paid for.
  private var paidUntil: Duration?

  package init(patience: Duration = .seconds(10), cost: Duration = .seconds(2)) {
    (self.patience, self.cost) = (patience, cost)
  }

  /// When a line may be said; not later than `now` where at once.
  package func opening(at now: Duration) -> Duration {
    guard let paidUntil else { return now }
    return max(now, paidUntil + cost - patience)
  }

  /// Takes a line into account that costs a server next to nothing.
  package mutating func spendFraction(at now: Duration) {
    paidUntil = max(now, paidUntil ?? now) + cost / 8
  }

  /// Takes a line of so many bytes into account.
  package mutating func spend(bytes: Int, at now: Duration) {
    paidUntil = max(now, paidUntil ?? now) + cost + cost * (bytes / 240)
  }
}
