/// Lines on their way to a server, as fast as it likes.
struct SendQueue {
  private struct Item {
    var bytes: [UInt8]
    /// Whose line it is, to be told when it is said.
    var transaction: Transaction?
  }

  var bucket = FloodBucket()
  private var urgent: [UInt8] = []
  private var items: [Item] = []
  private var first = 0

  var isEmpty: Bool { first == items.count && urgent.isEmpty }

  mutating func add(_ line: [UInt8], urgently: Bool = false, of transaction: Transaction? = nil) {
    if urgently {
      urgent += line
      urgent += [0x0d, 0x0a]
    } else {
      items.append(Item(bytes: line, transaction: transaction))
    }
  }

  /// When the next line may be said; nil where there is none.
  func opening(at now: Duration) -> Duration? {
    if !urgent.isEmpty { return now }
    return first < items.count ? bucket.opening(at: now) : nil
  }

  mutating func take(at now: Duration) -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &urgent)
    while first < items.count, bucket.opening(at: now) <= now {
      let item = items[first]
      first += 1
      bytes += item.bytes
      bytes += [0x0d, 0x0a]
      bucket.spend(bytes: item.bytes.count, at: now)
      item.transaction?.unsaid -= 1
    }
    if first == items.count {
      (items, first) = ([], 0)
    } else if first > 1_000 {
      items.removeFirst(first)
      first = 0
    }
    return bytes
  }

  /// Takes a sign into account, which few servers count.
  mutating func spendSign(at now: Duration) {
    bucket.spendFraction(at: now)
  }

  /// Forgets what was not said.
  mutating func clear() {
    (urgent, items, first) = ([], [], 0)
    bucket = FloodBucket(patience: bucket.patience, cost: bucket.cost)
  }
}
