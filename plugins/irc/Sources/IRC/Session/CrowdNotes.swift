/// Who came and went in a room lately, folded into one line; each person is in
/// it once.
struct CrowdNotes {
  /// What became of somebody since the last line.
  enum Change: CaseIterable {
    case split, joined, left
    /// Left, and is there again; came, and is gone again.
    case returned, visited
  }

  private var changes: [String: Change] = [:]
  /// Those who have one, the first of them first.
  private var order: [String] = []
  /// Why somebody left.
  private var reasons: [String: String] = [:]
  /// When to tell it.
  private(set) var deadline: Duration?
  private var lastTold: Duration?

  private static let delay = Duration.seconds(1)
  /// Where people come and go all the time, it is told less often.
  private static let busyDelay = Duration.seconds(20)
  private static let namesShown = 3

  mutating func join(_ nick: String, at now: Duration) {
    switch changes[nick] {
    case .left, .split: note(nick, .returned, now)
    case nil, .visited: note(nick, .joined, now)
    case .joined, .returned: break
    }
  }

  mutating func leave(
    _ nick: String, _ reason: String = "", isSplit: Bool = false, at now: Duration
  ) {
    let isNew = changes[nick] == .joined
    note(nick, isNew ? .visited : isSplit ? .split : .left, now)
    reasons[nick] = reason
  }

  /// Whoever is called otherwise now has come or gone under the new name.
  mutating func rename(_ old: String, _ new: String) {
    guard let change = changes.removeValue(forKey: old), changes[new] == nil,
      let index = order.firstIndex(of: old)
    else { return }
    changes[new] = change
    order[index] = new
  }

  private mutating func note(_ nick: String, _ change: Change, _ now: Duration) {
    if changes.updateValue(change, forKey: nick) == nil { order.append(nick) }
    guard deadline == nil else { return }
    let isBusy = lastTold.map { now - $0 < .seconds(10) } ?? false
    deadline = now + (isBusy ? Self.busyDelay : Self.delay)
  }

  /// What is to be told, which is then forgotten.
  mutating func take(at now: Duration) -> CrowdNotes {
    let notes = self
    self = CrowdNotes()
    lastTold = now
    return notes
  }

  /// The first few to whom that happened, and how many there are.
  func names(_ change: Change) -> (first: [String], count: Int) {
    let names = order.lazy.filter { changes[$0] == change }
    return (Array(names.prefix(Self.namesShown)), names.count)
  }

  /// Why the only one who left did; empty where nobody knows.
  func reason(of change: Change) -> String {
    let (first, count) = names(change)
    return count == 1 ? reasons[first[0]] ?? "" : ""
  }

  /// Whether so few have come and gone that each can be told.
  var isSmall: Bool { order.count <= 100 }
}
