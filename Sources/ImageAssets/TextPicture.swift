/// A picture of characters in colours.
enum TextPicture {
  /// The rows of an output in which nothing but colours (SGR, ECMA-48 8.3.117)
  /// is let act; each row ends without any. Private sequences (`ESC[>4m`) look
  /// like colours and are none. Nil when there are none, or it is larger than it
  /// may be.
  static func rows(_ output: [UInt8], _ size: PictureSize) -> [String]? {
    let text = String(decoding: output, as: UTF8.self)
    let rows = text.unicodeScalars.split(separator: "\n").map(row)
    let isPicture = size.holds(
      columns: rows.map(\.columns).max() ?? 0, rows: rows.count)
    return isPicture ? rows.map(\.text) : nil
  }

  private static func row(_ row: Substring.UnicodeScalarView) -> (text: String, columns: Int) {
    var safe = String.UnicodeScalarView()
    var rest = row
    var (isColored, columns) = (false, 0)
    while let scalar = rest.popFirst() {
      if scalar == "\u{1b}" {
        guard let color = takeColor(&rest) else { continue }
        safe.append(contentsOf: "\u{1b}[\(color)m".unicodeScalars)
        isColored = !(color.isEmpty || color == "0")
      } else if ![.control, .format].contains(scalar.properties.generalCategory) {
        safe.append(scalar)
        columns += isNarrow(scalar) ? 1 : 2
      }
    }
    return (String(safe) + (isColored ? "\u{1b}[0m" : ""), columns)
  }

  /// Whether it certainly takes one column: ASCII, and what pictures are made
  /// of, boxes, blocks, Braille and the like.
  private static func isNarrow(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7e, 0x2500...0x25fc, 0x2800...0x28ff, 0x1fb00...0x1fbff: true
    default: false
    }
  }

  /// Takes the rest of a control sequence (ECMA-48, 5.4).
  /// - Returns: its parameters when it sets a colour, else nil.
  private static func takeColor(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.first == "[" else { return nil }
    rest.removeFirst()
    let parameters = rest.prefix { (0x20...0x3f).contains($0.value) }
    rest = rest[parameters.endIndex...]
    guard rest.popFirst() == "m" else { return nil }
    let isColor = parameters.allSatisfy { (0x30...0x3b).contains($0.value) }
    return isColor ? String(parameters) : nil
  }
}
