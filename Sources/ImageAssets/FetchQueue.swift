/// What is to be fetched: what somebody waits for before what is fetched ahead
/// of that, each in the order in which it was asked for.
struct FetchQueue {
  private var asked = KeyLine()
  private var ahead = KeyLine()
  private let limitAhead: Int

  /// - Parameter limitAhead: how many may wait to be fetched ahead, one at
  ///   least.
  init(limitAhead: Int) {
    self.limitAhead = max(1, limitAhead)
  }

  /// Whether a key waits.
  func contains(_ key: String) -> Bool { asked.contains(key) || ahead.contains(key) }

  /// Puts a key in, or before those that are fetched ahead where it is in.
  mutating func ask(for key: String) {
    ahead.remove(key)
    asked.append(key)
  }

  /// Puts a key in that is not in.
  /// - Returns: what had to go out for it: what has waited longest, since
  ///   what is newest is likeliest to be looked at.
  mutating func fetchAhead(_ key: String) -> String? {
    guard !contains(key) else { return nil }
    ahead.append(key)
    return ahead.count > limitAhead ? ahead.popFirst() : nil
  }

  /// Takes a key out, wherever it is.
  mutating func remove(_ key: String) {
    asked.remove(key)
    ahead.remove(key)
  }

  /// The next one.
  /// - Parameter onlyAsked: nothing that is fetched ahead.
  mutating func next(onlyAsked: Bool) -> String? {
    asked.popFirst() ?? (onlyAsked ? nil : ahead.popFirst())
  }
}

/// Keys in a line, each once; all that is done with it takes the same time
/// however long it is.
private struct KeyLine {
  /// In order, with those that were removed.
  private var places: [(key: String, ticket: UInt64)] = []
  private var first = 0
  /// The tickets that count.
  private var tickets: [String: UInt64] = [:]
  private var lastTicket: UInt64 = 0

  var count: Int { tickets.count }

  func contains(_ key: String) -> Bool { tickets[key] != nil }

  mutating func append(_ key: String) {
    guard tickets[key] == nil else { return }
    lastTicket += 1
    tickets[key] = lastTicket
    places.append((key, lastTicket))
  }

  mutating func remove(_ key: String) {
    tickets[key] = nil
    tidyUp()
  }

  mutating func popFirst() -> String? {
    while first < places.count {
      let (key, ticket) = places[first]
      first += 1
      guard tickets[key] == ticket else { continue }
      remove(key)
      return key
    }
    return nil
  }

  /// Now and then, so that what was removed takes no place.
  private mutating func tidyUp() {
    guard places.count > 2 * count + 64 else { return }
    places = places[first...].filter { tickets[$0.key] == $0.ticket }
    first = 0
  }
}
