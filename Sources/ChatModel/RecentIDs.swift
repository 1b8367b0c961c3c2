/// Remembers which ids were seen, as many of the newest as it has room for.
///
/// Only a hash of each is kept; it is seeded anew in each run, so that nobody
/// can choose two ids that count as one.
package struct RecentIDs: Sendable {
  private let capacity: Int
  private var known: Set<Int> = []
  private var ring: [Int] = []
  private var oldest = 0

  package init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
  }

  package func contains(_ id: String) -> Bool {
    known.contains(id.hashValue)
  }

  /// - Returns: whether the id is new.
  package mutating func insert(_ id: String) -> Bool {
    let hash = id.hashValue
    guard known.insert(hash).inserted else { return false }
    if ring.count < capacity {
      ring.append(hash)
    } else {
      known.remove(ring[oldest])
      ring[oldest] = hash
      oldest = (oldest + 1) % capacity
    }
    return true
  }
}
