/// Boundaries of grapheme clusters (Unicode Standard Annex 29) in a line, in
/// UTF-8 bytes as readline counts.
struct Clusters {
  /// The boundaries, ascending: 0 first, the line's end last.
  let boundaries: [Int]

  /// The boundaries of `line`.
  init(_ line: String) {
    var boundaries = [0]
    boundaries.reserveCapacity(line.utf8.count + 1)
    var byte = 0
    for cluster in line {
      byte += cluster.utf8.count
      boundaries.append(byte)
    }
    self.boundaries = boundaries
  }

  /// The boundary `count` clusters after `point`, or the end.
  func after(_ point: Int, count: Int = 1) -> Int {
    let index = boundaries.firstIndex { $0 > point } ?? boundaries.count - 1
    return boundaries[min(index + count - 1, boundaries.count - 1)]
  }

  /// The boundary `count` clusters before `point`, or 0.
  func before(_ point: Int, count: Int = 1) -> Int {
    guard let index = boundaries.lastIndex(where: { $0 < point }) else { return 0 }
    return boundaries[max(0, index - count + 1)]
  }

  /// Whether a cluster begins or the line ends at `point`.
  func isBoundary(_ point: Int) -> Bool { boundaries.contains(point) }
}
