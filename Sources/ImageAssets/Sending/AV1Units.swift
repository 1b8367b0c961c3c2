/// The units of AV1 (5.3 to 5.8 of its specification).
enum AV1Units {
  /// Sequences, pictures and what parts them (table 6.2.2).
  private static let kept: Set<UInt8> = [1, 2, 3, 4, 6, 7, 8]
  /// Brightness and layers (6.7.1).
  private static let keptMetadata: Set<UInt8> = [1, 2, 3]

  /// Makes padding of the same length of all that no picture is made of.
  /// - Throws: also where a unit does not tell its length.
  static func clean(_ file: inout [UInt8], _ range: Range<Int>) throws(PlaceFailure) {
    var cursor = RangeCursor(range)
    while !cursor.isAtEnd {
      let header = try cursor.take(1).lowerBound
      guard file[header] & 2 != 0 else { throw .unknownKind }
      if file[header] & 4 != 0 { _ = try cursor.take(1) }
      let contents = try cursor.take(try length(&cursor, file))
      let type = file[header] >> 3 & 15
      if kept.contains(type) { continue }
      if type == 5, let first = contents.first, keptMetadata.contains(file[first]) { continue }
      file[header] = file[header] & 0x06 | 15 << 3
      for index in contents { file[index] = 0 }
      if let last = contents.last { file[last] = 0x80 }
    }
  }

  /// Seven bits a byte, the lowest first (4.10.5).
  private static func length(
    _ cursor: inout RangeCursor, _ file: [UInt8]
  ) throws(PlaceFailure) -> Int {
    var length = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = file[try cursor.take(1).lowerBound]
      length |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return length }
    }
    throw .unreadable
  }
}
