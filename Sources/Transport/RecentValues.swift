/// What is known of the last ids, such as where their events were appended.
package struct RecentValues<Value> {
  /// How many it remembers at least; at most twice as many.
  private static var capacity: Int { 4096 }

  private var values: [String: Value] = [:]
  private var order: [String] = []

  package init() {}

  package subscript(id: String) -> Value? { values[id] }

  package mutating func remember(_ id: String, _ value: Value) {
    guard values.updateValue(value, forKey: id) == nil else { return }
    order.append(id)
    guard order.count >= 2 * Self.capacity else { return }
    for old in order.prefix(Self.capacity) { values[old] = nil }
    order.removeFirst(Self.capacity)
  }

  package mutating func removeAll() {
    values = [:]
    order = []
  }
}
