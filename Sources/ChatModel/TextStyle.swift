/// How a stretch of a message looks, where its author chose so.
package struct TextStyle: Hashable, Sendable {
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var isStruck = false
  package var isReversed = false
  package var isMonospaced = false
  /// 0 to 15, as terminals count the colours (ECMA-48 8.3.117, and the bright
  /// ones from 8 on); nil for the reader's own.
  package var foreground: UInt8?
  package var background: UInt8?

  package init() {}
}

/// A stretch of a message's content with a style.
package struct StyledRange: Hashable, Sendable {
  /// The first byte of the content's UTF-8, and the one behind the last.
  package var start: Int
  package var end: Int
  package var style: TextStyle

  package init(start: Int, end: Int, style: TextStyle) {
    (self.start, self.end, self.style) = (start, end, style)
  }

  /// Those that can be followed: in order, none within another, inside of the
  /// content. Edges within a character move behind it; what makes no sense is
  /// left out.
  package static func fitting(_ ranges: [StyledRange], in content: String) -> [StyledRange] {
    guard !ranges.isEmpty else { return [] }
    var characters = content.makeIterator()
    var offset = 0
    func edge(from byte: Int) -> Int {
      while offset < byte, let character = characters.next() { offset += character.utf8.count }
      return offset
    }
    return ranges.prefix(EventCodec.maximumStyles).compactMap { range in
      guard range.start >= 0, range.start < range.end, range.style != TextStyle(),
        edge(from: range.start) < range.end
      else { return nil }
      let start = offset
      guard edge(from: range.end) > start else { return nil }
      return StyledRange(start: start, end: offset, style: range.style)
    }
  }
}

extension StyledRange {
  /// Nil for an object that says no range, or no style.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let object = try? JSONObject(bytes),
      let start = try? object.integer("start"), let length = try? object.integer("length"),
      (0...Self.limit).contains(start), (1...Self.limit).contains(length)
    else { return nil }
    self.init(start: Int(start), end: Int(start + length), style: TextStyle(object))
    if style == TextStyle() { return nil }
  }

  private static let limit = Int64(EventCodec.maximumEventBytes)
}

extension TextStyle {
  fileprivate init(_ object: borrowing JSONObject) {
    isBold = (try? object.flag("bold")) ?? false
    isItalic = (try? object.flag("italic")) ?? false
    isUnderlined = (try? object.flag("underline")) ?? false
    isStruck = (try? object.flag("strikethrough")) ?? false
    isReversed = (try? object.flag("reverse")) ?? false
    isMonospaced = (try? object.flag("monospace")) ?? false
    foreground = Self.color(try? object.integer("foreground"))
    background = Self.color(try? object.integer("background"))
  }

  private static func color(_ number: Int64?) -> UInt8? {
    number.flatMap { (0...15).contains($0) ? UInt8($0) : nil }
  }
}

extension JSONObjectWriter {
  mutating func write(_ range: StyledRange) {
    integer("start", range.start)
    integer("length", range.end - range.start)
    flag("bold", range.style.isBold)
    flag("italic", range.style.isItalic)
    flag("underline", range.style.isUnderlined)
    flag("strikethrough", range.style.isStruck)
    flag("reverse", range.style.isReversed)
    flag("monospace", range.style.isMonospaced)
    integer("foreground", range.style.foreground)
    integer("background", range.style.background)
  }
}
