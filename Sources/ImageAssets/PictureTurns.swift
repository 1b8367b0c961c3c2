/// Whose turn it is to have a picture made, or an image fetched: who has asked before what comes by
/// itself, which leaves one place free where there are more.
struct PictureTurns<Key: Equatable> {
  /// Hears whether it counts as asked for, which ``end(isAsked:)`` is told.
  typealias Waiter = CheckedContinuation<Bool, Never>

  private let count: Int
  private var running = (asked: 0, ahead: 0)
  private var asked: [(key: Key, waiter: Waiter)] = []
  private var ahead: [(key: Key, waiter: Waiter)] = []

  /// - Parameter count: how many may run at once, one at least.
  init(count: Int) {
    self.count = max(1, count)
  }

  /// Resumes the waiter when it is its turn, perhaps at once.
  mutating func wait(_ key: Key, isAsked: Bool, _ waiter: Waiter) {
    if isAsked { asked.append((key, waiter)) } else { ahead.append((key, waiter)) }
    start()
  }

  /// Somebody asks for what came by itself.
  mutating func prefer(_ key: Key) {
    guard let index = ahead.firstIndex(where: { $0.key == key }) else { return }
    asked.append(ahead.remove(at: index))
    start()
  }

  /// One need not wait any more, since it ends at once.
  mutating func letGo(_ key: Key) {
    prefer(key)
    guard let index = asked.firstIndex(where: { $0.key == key }) else { return }
    running.asked += 1
    asked.remove(at: index).waiter.resume(returning: true)
  }

  /// One has ended.
  mutating func end(isAsked: Bool) {
    if isAsked { running.asked -= 1 } else { running.ahead -= 1 }
    start()
  }

  private mutating func start() {
    while running.asked + running.ahead < count {
      if !asked.isEmpty {
        running.asked += 1
        asked.removeFirst().waiter.resume(returning: true)
      } else if !ahead.isEmpty, running.ahead < max(1, count - 1) {
        running.ahead += 1
        ahead.removeFirst().waiter.resume(returning: false)
      } else {
        return
      }
    }
  }
}
