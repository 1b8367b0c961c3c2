/// Which of one's own messages were seen as pending while the room was out of
/// reach, and how many of them it has got since: their bubbles say `sending`
/// for ever.
struct BreakTally {
  private var waiting: Set<String> = []
  private var sentCount = 0

  mutating func note(pending id: String) { waiting.insert(id) }

  mutating func note(sent id: String) {
    if waiting.remove(id) != nil { sentCount += 1 }
  }

  mutating func note(givenUp ids: [String]) { waiting.subtract(ids) }

  /// How many have arrived since this was asked last.
  mutating func takeSentCount() -> Int {
    defer { sentCount = 0 }
    return sentCount
  }
}
