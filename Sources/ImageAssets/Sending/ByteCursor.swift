/// Reads a file in memory from its beginning to its end.
struct ByteCursor {
  let bytes: ArraySlice<UInt8>
  /// Where the next byte is, as an index of ``bytes``.
  private(set) var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    (self.bytes, offset) = (bytes, bytes.startIndex)
  }

  var isAtEnd: Bool { offset == bytes.endIndex }

  /// - Throws: here and below, when there are fewer.
  mutating func take(_ count: Int) throws(PlaceFailure) -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - offset else { throw .unreadable }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  mutating func skip(_ count: Int) throws(PlaceFailure) { _ = try take(count) }

  mutating func byte() throws(PlaceFailure) -> UInt8 {
    // It is there: `take` has looked.
    try take(1).first ?? 0
  }

  /// A number of up to eight bytes, the highest first.
  mutating func big(_ count: Int) throws(PlaceFailure) -> Int {
    let number = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: number) else { throw .unreadable }
    return number
  }

  /// A number of up to four bytes, the lowest first.
  mutating func little(_ count: Int) throws(PlaceFailure) -> Int {
    try take(count).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Four characters.
  mutating func name() throws(PlaceFailure) -> String {
    String(decoding: try take(4), as: UTF8.self)
  }
}
