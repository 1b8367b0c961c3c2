/// Lines on their way to a server, as fast as it likes.
struct SendQueue {
  private struct Item {
    var bytes: [UInt8]
    /// Whose line it is, to be told when it is said.
    var transaction: Transaction?
    /// How many lines it is.
    var lineCount = 1
  }

  var bucket = FloodBucket()
  private var urgent: [UInt8] = []
  private var items: [Item] = []
  private var first = 0

  var isEmpty: Bool { first == items.count && urgent.isEmpty }

  /// Adds lines between which nothing else may be said.
  mutating func add(together lines: [[UInt8]], of transaction: Transaction) {
    let bytes = Array(lines.joined(separator: [0x0d, 0x0a]))
    items.append(Item(bytes: bytes, transaction: transaction, lineCount: lines.count))
  }

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

  /// Hands on what may be said by now.
  /// - Parameter sign: makes what is said behind the last line of a transaction;
  ///   empty for nothing. It may not touch the queue.
  mutating func take(at now: Duration, sign: (Transaction) -> [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    swap(&bytes, &urgent)
    while first < items.count, bucket.opening(at: now) <= now {
      let item = items[first]
      first += 1
      bytes += item.bytes
      bytes += [0x0d, 0x0a]
      bucket.spend(bytes: item.bytes.count, at: now)
      guard let transaction = item.transaction else { continue }
      transaction.unsaid -= item.lineCount
      let sign = transaction.unsaid == 0 ? sign(transaction) : []
      guard !sign.isEmpty else { continue }
      bytes += sign
      bucket.spendFraction(at: now)
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
