/// A picture of characters in colours.
enum TextPicture {
  /// The rows of an output in which nothing but colours (SGR, ECMA-48 8.3.117)
  /// is let act; each row ends without any. Private sequences (`ESC[>4m`) look
  /// like colours and are none. Nil when there are none.
  static func rows(_ output: [UInt8]) -> [String]? {
    let text = String(decoding: output, as: UTF8.self)
    let rows = text.unicodeScalars.split(separator: "\n").map(row)
    return rows.isEmpty ? nil : rows
  }

  private static func row(_ row: Substring.UnicodeScalarView) -> String {
    var safe = String.UnicodeScalarView()
    var rest = row
    var isColored = false
    while let scalar = rest.popFirst() {
      if scalar == "\u{1b}" {
        guard let color = takeColor(&rest) else { continue }
        safe.append(contentsOf: "\u{1b}[\(color)m".unicodeScalars)
        isColored = !(color.isEmpty || color == "0")
      } else if ![.control, .format].contains(scalar.properties.generalCategory) {
        safe.append(scalar)
      }
    }
    return String(safe) + (isColored ? "\u{1b}[0m" : "")
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
