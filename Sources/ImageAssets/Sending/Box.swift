/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), which QuickTime
/// calls an atom.
struct Box {
  /// Four characters; repaired where they are not UTF-8.
  let type: String
  let start: Int
  /// What is in it, behind its size and type.
  let contents: Range<Int>

  /// More of them beside each other no film has.
  private static let limit = 1 << 16

  /// The boxes that follow each other in a part of a file; less than a box at the
  /// end is left off, as QuickTime ends some lists with zeros.
  static func all(in file: [UInt8], _ range: Range<Int>) throws(PlaceFailure) -> [Box] {
    var boxes: [Box] = []
    var cursor = ByteCursor(file[range])
    while range.upperBound - cursor.offset >= 8 {
      let start = cursor.offset
      var size = try cursor.big(4)
      let type = try cursor.name()
      if size == 1 { size = try cursor.big(8) }
      let end = size == 0 ? range.upperBound : start.addingReportingOverflow(size).partialValue
      guard end >= cursor.offset, end <= range.upperBound, boxes.count < limit else {
        throw .unreadable
      }
      boxes.append(Box(type: type, start: start, contents: cursor.offset..<end))
      try cursor.skip(end - cursor.offset)
    }
    return boxes
  }
}
