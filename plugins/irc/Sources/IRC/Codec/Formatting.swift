package import ChatModel

/// Text without its formatting codes, and what they said.
package struct FormattedText: Equatable, Sendable {
  package var plain: String
  /// In order, none within another; what has no style is in none.
  package var styles: [StyledRange]

  /// - Parameter raw: as it came.
  package init(_ raw: String) {
    guard raw.hasByte(where: Self.isCode) else {
      (plain, styles) = (raw, [])
      return
    }
    var reader = FormattingReader(raw)
    reader.read()
    (plain, styles) = (reader.plain, reader.styles)
  }

  /// Whether a byte is one of the codes.
  static func isCode(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x02, 0x03, 0x04, 0x0f, 0x11, 0x16, 0x1d, 0x1e, 0x1f: true
    default: false
    }
  }
}

private struct FormattingReader {
  private let raw: [Unicode.Scalar]
  private var position = 0
  private var style = TextStyle()
  private var start = 0
  private var count = 0
  private(set) var plain = ""
  private(set) var styles: [StyledRange] = []

  init(_ raw: String) {
    self.raw = Array(raw.unicodeScalars)
  }

  mutating func read() {
    while position < raw.count {
      let scalar = raw[position]
      position += 1
      guard scalar.value < 0x20, FormattedText.isCode(UInt8(scalar.value)) else {
        plain.unicodeScalars.append(scalar)
        count += UTF8.width(scalar)
        continue
      }
      let old = style
      apply(scalar.value)
      if style != old { close(old) }
    }
    close(style)
  }

  private mutating func close(_ style: TextStyle) {
    if count > start, style != TextStyle() {
      styles.append(StyledRange(start: start, end: count, style: style))
    }
    start = count
  }

  private mutating func apply(_ code: UInt32) {
    switch code {
    case 0x02: style.isBold.toggle()
    case 0x1d: style.isItalic.toggle()
    case 0x1f: style.isUnderlined.toggle()
    case 0x1e: style.isStruck.toggle()
    case 0x11: style.isMonospaced.toggle()
    case 0x16: style.isReversed.toggle()
    case 0x03: colour()
    case 0x04: hexColour()
    default: style = TextStyle()
    }
  }

  /// `3`, `03`, `3,4`; without digits, the colours end.
  private mutating func colour() {
    guard let foreground = number(atMost: 2, radix: 10) else {
      (style.foreground, style.background) = (nil, nil)
      return
    }
    style.foreground = TerminalColor.ofIRC(foreground)
    if let background = afterComma(atMost: 2, radix: 10) {
      style.background = TerminalColor.ofIRC(background)
    }
  }

  private mutating func hexColour() {
    guard let foreground = number(atMost: 6, radix: 16, exactly: true) else {
      (style.foreground, style.background) = (nil, nil)
      return
    }
    style.foreground = TerminalColor.nearest(toRGB: foreground)
    if let background = afterComma(atMost: 6, radix: 16, exactly: true) {
      style.background = TerminalColor.nearest(toRGB: background)
    }
  }

  /// A comma belongs to the text unless a colour follows.
  private mutating func afterComma(
    atMost limit: Int, radix: Int, exactly: Bool = false
  ) -> Int? {
    guard position < raw.count, raw[position] == "," else { return nil }
    position += 1
    if let number = number(atMost: limit, radix: radix, exactly: exactly) { return number }
    position -= 1
    return nil
  }

  private mutating func number(atMost limit: Int, radix: Int, exactly: Bool = false) -> Int? {
    var (end, value) = (position, 0)
    while end < raw.count, end - position < limit, raw[end].isASCII,
      let digit = Character(raw[end]).hexDigitValue, digit < radix
    {
      value = value * radix + digit
      end += 1
    }
    guard end > position, !exactly || end - position == limit else { return nil }
    position = end
    return value
  }
}
