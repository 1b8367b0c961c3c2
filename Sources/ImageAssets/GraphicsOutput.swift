internal import TransportSecurity

/// Reads what the decoder has made. It has worked on bytes of strangers: only
/// what draws a picture of the size that was asked for goes through, and
/// nothing that a terminal would answer.
enum GraphicsOutput {
  /// The rows of a picture; nil where it is none.
  static func picture(
    _ output: [UInt8], as kind: GraphicsProtocol, size: PictureSize, isInside: Bool
  ) -> Picture? {
    switch kind {
    case .blocks: TextPicture.rows(output, size).map { Picture(rows: $0) }
    case .kitty: kitty(output, size, isInside)
    case .iterm: iterm(output, size).map { placed($0.text, rows: $0.rows, isInside: isInside) }
    // A multiplexer's own affair: it draws them itself.
    case .sixel: SixelPicture(output, size)?.placed()
    case .none: nil
    }
  }

  /// Makes room for a picture, draws it from the first row on, and leaves the
  /// cursor in the last one: terminals do not agree where it is afterwards.
  static func placed(_ sequence: String, rows: Int, isInside: Bool = false) -> Picture {
    let sequence = isInside ? passedThrough(sequence) : sequence
    let up = rows > 1 ? "\u{1b}[\(rows - 1)A" : ""
    let down = rows > 1 ? "\u{1b}[\(rows - 1)B" : ""
    let last = "\(up)\r\u{1b}7\(sequence)\u{1b}8\(down)"
    return Picture(rows: Array(repeating: "", count: rows - 1) + [last])
  }

  /// A sequence in tmux's envelope, for the terminal around it (tmux(1),
  /// allow-passthrough).
  static func passedThrough(_ sequence: String) -> String {
    "\u{1b}Ptmux;" + sequence.replacing("\u{1b}", with: "\u{1b}\u{1b}") + "\u{1b}\\"
  }

  private static func kitty(
    _ output: [UInt8], _ size: PictureSize, _ isInside: Bool
  ) -> Picture? {
    let picture = KittyPicture(output, size)
    return isInside ? picture?.placeholders() : picture?.placed()
  }

  /// `ESC ] 1337 ; File = … : base64 BEL`, in which is a TIFF (TIFF 6.0, 2).
  private static func iterm(_ output: [UInt8], _ size: PictureSize) -> (text: String, rows: Int)? {
    var rest = output.withoutLineEnds
    guard rest.drop("\u{1b}]1337;File="), rest.popLast() == 0x07,
      let colon = rest.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let keys = Keys(rest[..<colon], separator: UInt8(ascii: ";"))
    let data = cleared(rest[(colon + 1)...])
    guard let width = keys.number("width"), let rows = keys.number("height"),
      size.holds(columns: width, rows: rows), let file = Base64.decode(data),
      [[0x49, 0x49, 42, 0], [0x4d, 0x4d, 0, 42]].contains(Array(file.prefix(4)))
    else { return nil }
    let head = "\u{1b}]1337;File=inline=1;width=\(width);height=\(rows);preserveAspectRatio=0:"
    return (head + String(decoding: data, as: UTF8.self) + "\u{7}", rows)
  }

  /// `name=value` pairs whose values are whole numbers.
  struct Keys {
    private var values: [String: Int] = [:]
    private(set) var names: Set<String> = []

    init(_ bytes: ArraySlice<UInt8>, separator: UInt8) {
      for pair in bytes.split(separator: separator) {
        let parts = pair.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(decoding: parts[0], as: UTF8.self)
        names.insert(name)
        if parts.count == 2 { values[name] = GraphicsOutput.number(parts[1]) }
      }
    }

    func number(_ name: String) -> Int? { values[name] }
  }

  /// Base64 without the bits behind its end, which `chafa` leaves as they are and
  /// others may refuse (RFC 4648, 3.5).
  static func cleared(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let count = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    let last = text.endIndex - count - 1
    guard count > 0, text.indices.contains(last) else { return text }
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    guard let value = letters.firstIndex(of: text[last]) else { return text }
    var text = text
    text[last] = letters[value & ~(count == 1 ? 0b11 : 0b1111)]
    return text
  }

  /// A whole number of at most nine digits, and nothing else.
  static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...9).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
}

extension PictureSize {
  /// Whether a picture of so many cells is one, and none too large.
  func holds(columns: Int, rows: Int) -> Bool {
    (1...self.columns).contains(columns) && (1...self.rows).contains(rows)
  }

  /// The same of pixels.
  func holds(_ pixels: PixelSize) -> Bool {
    (1...columns * cell.width).contains(pixels.width)
      && (1...rows * cell.height).contains(pixels.height)
  }
}

extension ArraySlice<UInt8> {
  /// Takes a beginning away; false where it begins otherwise.
  mutating func drop(_ beginning: StaticString) -> Bool {
    let isThere = beginning.withUTF8Buffer { starts(with: $0) }
    if isThere { removeFirst(beginning.utf8CodeUnitCount) }
    return isThere
  }

  /// Takes the digits at the beginning away.
  mutating func takeNumber() -> Int? {
    let digits = prefix { (0x30...0x39).contains($0) }
    removeFirst(digits.count)
    return GraphicsOutput.number(digits)
  }
}

extension [UInt8] {
  /// All up to the line ends behind it.
  var withoutLineEnds: ArraySlice<UInt8> {
    var rest = self[...]
    while rest.last == 0x0a || rest.last == 0x0d { rest.removeLast() }
    return rest
  }
}
