/// The part of a line that can be on the screen. A pasted megabyte is not laid
/// out again at each key: only what lies near the cursor is, from an anchor
/// that moves in large steps, so that rows stay where they are while typing.
struct LinePart {
  /// The text of the part.
  let text: String
  /// The cursor, in UTF-8 bytes from the start of `text`.
  let point: Int
  /// Whether the line's start is in the part.
  let isFromStart: Bool

  /// Takes out of `line` at least `reach` bytes on each side of `point`.
  init(of line: [UInt8], around point: Int, reach: Int) {
    var start = 0
    var end = line.count
    if line.count > 3 * reach {
      start = Self.boundary(line, max(0, (point / reach - 1) * reach))
      end = Self.boundary(line, min(line.count, (point / reach + 2) * reach))
    }
    var text = String(decoding: line[start..<end], as: UTF8.self)
    // Repair changes the count of bytes; show such bytes one by one.
    if text.utf8.count != end - start || !text.utf8.elementsEqual(line[start..<end]) {
      text = String(line[start..<end].map { $0 < 0x80 ? Character(UnicodeScalar($0)) : "?" })
    }
    self.text = text
    self.point = point - start
    isFromStart = start == 0
  }

  /// `index`, or the start of the UTF-8 sequence that it lies in.
  private static func boundary(_ line: [UInt8], _ index: Int) -> Int {
    var index = index
    while index > 0, index < line.count, line[index] & 0xC0 == 0x80 { index -= 1 }
    return index
  }
}
