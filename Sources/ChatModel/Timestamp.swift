/// A moment in milliseconds since 1970-01-01T00:00:00Z, leap seconds left out.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (earlier: Self, later: Self) -> Bool {
    earlier.milliseconds < later.milliseconds
  }

  /// This moment moved by `duration`, to the millisecond; not beyond the last
  /// moment or the first.
  package static func + (moment: Self, duration: Duration) -> Self {
    let (seconds, attoseconds) = duration.components
    let change = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    let (sum, isBeyond) = moment.milliseconds.addingReportingOverflow(change)
    return Self(milliseconds: isBeyond ? (change < 0 ? .min : .max) : sum)
  }
}
