/// A moment in milliseconds since 1970-01-01T00:00:00Z, leap seconds left out.
///
/// Read and written as RFC 3339; see ``Timestamp/init(rfc3339:)``.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package static func < (earlier: Self, later: Self) -> Bool {
    earlier.milliseconds < later.milliseconds
  }
}
