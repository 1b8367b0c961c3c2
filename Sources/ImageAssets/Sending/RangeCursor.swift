/// Goes through a part of a file that is changed meanwhile, so that it holds none
/// of its bytes.
struct RangeCursor {
  /// What is left.
  private(set) var rest: Range<Int>

  init(_ range: Range<Int>) { rest = range }

  var isAtEnd: Bool { rest.isEmpty }

  /// - Throws: here and below, when there are fewer.
  mutating func take(_ count: Int) throws(PlaceFailure) -> Range<Int> {
    guard count >= 0, count <= rest.count else { throw .unreadable }
    defer { rest = rest.lowerBound + count..<rest.upperBound }
    return rest.lowerBound..<rest.lowerBound + count
  }

  /// A number of up to four bytes, the highest first.
  mutating func big(_ count: Int, of file: [UInt8]) throws(PlaceFailure) -> Int {
    try take(count).reduce(0) { $0 << 8 | Int(file[$1]) }
  }
}
