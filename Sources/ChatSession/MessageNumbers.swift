/// The short numbers by which commands name the messages that were shown.
struct MessageNumbers {
  /// More than anybody will name; the oldest are forgotten.
  private static let capacity = 100_000

  private var ids: [String] = []
  /// The number of the first in `ids`.
  private var first = 1
  private var numbers: [String: Int] = [:]

  /// The message's number, given to it now if it has none.
  mutating func number(of id: String) -> Int {
    if let number = numbers[id] { return number }
    if ids.count >= Self.capacity {
      let surplus = Self.capacity / 4
      for id in ids.prefix(surplus) { numbers[id] = nil }
      ids.removeFirst(surplus)
      first += surplus
    }
    ids.append(id)
    numbers[id] = first + ids.count - 1
    return first + ids.count - 1
  }

  /// The message's number; nil when it has none.
  func known(_ id: String) -> Int? { numbers[id] }

  func id(of number: Int) -> String? {
    guard number >= first else { return nil }
    let index = number - first
    return ids.indices.contains(index) ? ids[index] : nil
  }

  /// The newest numbers, newest first.
  var newestFirst: some Sequence<Int> {
    (first..<first + ids.count).reversed()
  }
}
