/// The ids that were appended last, and where, so that a repeat adds nothing.
package struct RecentCursors {
  /// How many it remembers at least; at most twice as many.
  private static let capacity = 4096

  private var cursors: [String: Cursor] = [:]
  private var order: [String] = []

  package init() {}

  package subscript(id: String) -> Cursor? { cursors[id] }

  package mutating func remember(_ id: String, at cursor: Cursor) {
    guard cursors.updateValue(cursor, forKey: id) == nil else { return }
    order.append(id)
    guard order.count >= 2 * Self.capacity else { return }
    for old in order.prefix(Self.capacity) { cursors[old] = nil }
    order.removeFirst(Self.capacity)
  }

  /// Forgets everything, since a sync has failed and a repeat must add anew.
  package mutating func removeAll() {
    cursors = [:]
    order = []
  }
}
