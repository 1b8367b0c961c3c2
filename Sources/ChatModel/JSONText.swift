/// Writes JSON strings (RFC 8259, section 7).
package enum JSONText {
  /// Appends `text` in quotes, with everything escaped that acts on a
  /// terminal or is a line's end for somebody.
  package static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      var position = 0
      while position < bytes.count {
        let width = widthOfPlain(bytes, position)
        if width > 0 {
          position += width
          continue
        }
        let length = bytes[position] < 0x80 ? 1 : bytes[position] < 0xe0 ? 2 : 3
        buffer.append(contentsOf: bytes[start..<position])
        appendEscape(bytes, position, length, to: &buffer)
        position += length
        start = position
      }
      buffer.append(contentsOf: bytes[start...])
    }
    buffer.append(UInt8(ascii: "\""))
  }

  /// `text` in quotes.
  package static func encode(_ text: String) -> String {
    var buffer: [UInt8] = []
    append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// How many bytes at `position`, a character or eight of ASCII, may stand as
  /// they are; 0 when a character of at most three bytes must be escaped.
  @inline(__always)
  private static func widthOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int {
    let byte = bytes[position]
    if byte < 0x80 {
      if position <= bytes.count - 8 {
        let next = EightBytes(UnsafeRawBufferPointer(bytes), at: position)
        if next.plainPrefix == 8 && next.isPrintableIfPlain { return 8 }
      }
      let isPlain =
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7f
      return isPlain ? 1 : 0
    }
    // C2 80-9F: C1. D8 9C: Arabic letter mark. E2 80 8E-8F, A8-AE, E2 81
    // A6-A9: marks, separators, embeddings, overrides, isolates. EF BB BF: BOM.
    switch byte {
    case 0xc2: return bytes[position + 1] < 0xa0 ? 0 : 2
    case 0xd8: return bytes[position + 1] == 0x9c ? 0 : 2
    case ..<0xe0: return 2
    case 0xe2:
      let (second, third) = (bytes[position + 1], bytes[position + 2])
      let acts =
        second == 0x80 && (0x8e...0x8f ~= third || 0xa8...0xae ~= third)
        || second == 0x81 && 0xa6...0xa9 ~= third
      return acts ? 0 : 3
    case 0xef: return bytes[position + 1] == 0xbb && bytes[position + 2] == 0xbf ? 0 : 3
    case ..<0xf0: return 3
    default: return 4
    }
  }

  private static func appendEscape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ length: Int,
    to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: "\\"))
    switch bytes[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(bytes[position])
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0a: buffer.append(UInt8(ascii: "n"))
    case 0x0c: buffer.append(UInt8(ascii: "f"))
    case 0x0d: buffer.append(UInt8(ascii: "r"))
    default:
      let unit = codeUnit(bytes, position, length)
      buffer.append(UInt8(ascii: "u"))
      for shift in [12, 8, 4, 0] {
        buffer.append(hexadecimalDigit(UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xf))
      }
    }
  }

  private static func codeUnit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ length: Int
  ) -> UInt16 {
    let tail = { (index: Int) in UInt16(bytes[position + index] & 0x3f) }
    return switch length {
    case 1: UInt16(bytes[position])
    case 2: UInt16(bytes[position] & 0x1f) << 6 | tail(1)
    default: UInt16(bytes[position] & 0x0f) << 12 | tail(1) << 6 | tail(2)
    }
  }
}

extension JSONText {
  /// The text of a JSON string, quotes and all; nil when it is none.
  package static func decode(_ string: String) -> String? {
    var string = string
    return string.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      guard let contents = try? scanner.string(), scanner.peek() == nil else { return nil }
      return scanner.text(contents)
    }
  }
}
