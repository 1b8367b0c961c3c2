/// Who came, went and changed names in a room lately, folded into one line.
struct CrowdNotes {
  private(set) var joined = Names()
  private(set) var left = Names()
  private(set) var split = Names()
  private(set) var renamed = Names()
  /// Why the only one left.
  private(set) var reason = ""
  /// When to tell it.
  private(set) var deadline: Duration?
  private var lastTold: Duration?

  /// The first few names, and how many they are.
  struct Names {
    private(set) var first: [String] = []
    private(set) var count = 0

    mutating func add(_ name: String) {
      count += 1
      if first.count < 3 { first.append(name) }
    }
  }

  private static let delay = Duration.seconds(1)
  /// Where people come and go all the time, it is told less often.
  private static let busyDelay = Duration.seconds(20)

  var isEmpty: Bool { deadline == nil }

  mutating func join(_ nick: String, at now: Duration) {
    joined.add(nick)
    begin(now)
  }

  mutating func leave(_ nick: String, _ reason: String, at now: Duration) {
    left.add(nick)
    self.reason = reason
    begin(now)
  }

  mutating func leaveBySplit(_ nick: String, at now: Duration) {
    split.add(nick)
    begin(now)
  }

  mutating func rename(_ old: String, _ new: String, at now: Duration) {
    renamed.add("\(old) → \(new)")
    begin(now)
  }

  private mutating func begin(_ now: Duration) {
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
}

extension CrowdNotes {
  /// Whether so few have come and gone that each can be told.
  var isSmall: Bool { joined.count + left.count + split.count <= 100 }
}
