extension JSONScanner {
  /// The text of a string that was passed over. What is not UTF-8, and half a
  /// surrogate pair, becomes U+FFFD.
  func text(_ string: JSONValue) -> String {
    let contents = self[string]
    if string.kind == .plainString { return String(decoding: contents, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: contents.count) { buffer in
      Self.unescape(contents, into: buffer)
    }
  }

  /// No escape is shorter than the UTF-8 of what it stands for.
  private static func unescape(
    _ contents: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var position = 0
    while position < contents.count {
      guard contents[position] == UInt8(ascii: "\\") else {
        buffer[count] = contents[position]
        count += 1
        position += 1
        continue
      }
      let kind = contents[position + 1]
      position += 2
      if kind == UInt8(ascii: "u") {
        for unit in UTF8.encode(scalar(contents, &position)) ?? UTF8.encodedReplacementCharacter {
          buffer[count] = unit
          count += 1
        }
      } else {
        buffer[count] = plainEscape(kind)
        count += 1
      }
    }
    return count
  }

  private static func plainEscape(_ kind: UInt8) -> UInt8 {
    switch kind {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    default: kind
    }
  }

  /// The scalar whose four digits begin at `position`, a surrogate pair taken
  /// together; `position` moves behind it.
  private static func scalar(
    _ contents: UnsafeRawBufferPointer, _ position: inout Int
  ) -> Unicode.Scalar {
    let high = unit(contents, position)
    position += 4
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard
      high < 0xdc00, position + 6 <= contents.count,
      contents[position] == UInt8(ascii: "\\"), contents[position + 1] == UInt8(ascii: "u")
    else { return "\u{fffd}" }
    let low = unit(contents, position + 2)
    guard (0xdc00...0xdfff).contains(low) else { return "\u{fffd}" }
    position += 6
    let value = 0x1_0000 + (UInt32(high) - 0xd800) << 10 + (UInt32(low) - 0xdc00)
    return Unicode.Scalar(value) ?? "\u{fffd}"
  }

  private static func unit(_ contents: UnsafeRawBufferPointer, _ position: Int) -> UInt16 {
    (0..<4).reduce(0) { $0 << 4 | (hexadecimalValue(contents[position + $1]) ?? 0) }
  }
}
