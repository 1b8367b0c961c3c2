/// The short numbers by which commands name the messages that were shown.
struct MessageNumbers {
  /// More than anybody will name; the oldest are forgotten.
  private static let capacity = 100_000

  /// A message of one of the session's rooms: ids are unique only within those.
  struct Place: Hashable {
    var id: String
    /// The room's number.
    var room: Int
  }

  private var places: [Place] = []
  /// The number of the first in `places`.
  private var first = 1
  private var numbers: [Place: Int] = [:]

  /// The message's number, given to it now if it has none.
  mutating func number(of id: String, in room: Int) -> Int {
    let place = Place(id: id, room: room)
    if let number = numbers[place] { return number }
    if places.count >= Self.capacity {
      let surplus = Self.capacity / 4
      for place in places.prefix(surplus) { numbers[place] = nil }
      places.removeFirst(surplus)
      first += surplus
    }
    places.append(place)
    numbers[place] = first + places.count - 1
    return first + places.count - 1
  }

  /// The message's number; nil when it has none.
  func known(_ id: String, in room: Int) -> Int? { numbers[Place(id: id, room: room)] }

  /// The message of a number; nil where there is none.
  subscript(number: Int) -> Place? {
    guard number >= first else { return nil }
    let index = number - first
    return places.indices.contains(index) ? places[index] : nil
  }

  /// The newest numbers, newest first.
  var newestFirst: some Sequence<Int> {
    (first..<first + places.count).reversed()
  }
}
