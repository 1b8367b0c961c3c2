extension JSONScanner {
  /// The text of a string that was passed over. What is not UTF-8, and half a
  /// surrogate pair, becomes U+FFFD.
  func text(_ string: JSONString) -> String {
    let end = min(string.end, cutEnd ?? string.end)
    let contents = UnsafeRawBufferPointer(rebasing: bytes[string.start..<max(string.start, end)])
    guard string.hasEscapes else { return String(decoding: contents, as: UTF8.self) }
    return String(decoding: unescaped(contents), as: UTF8.self)
  }

  private func unescaped(_ contents: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(contents.count)
    var position = 0
    while position < contents.count {
      guard contents[position] == UInt8(ascii: "\\") else {
        result.append(contents[position])
        position += 1
        continue
      }
      let kind = contents[position + 1]
      position += 2
      if kind == UInt8(ascii: "u") {
        UTF8.encode(scalar(contents, &position)).map { result.append(contentsOf: $0) }
      } else {
        result.append(Self.plainEscape(kind))
      }
    }
    return result
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
  private func scalar(_ contents: UnsafeRawBufferPointer, _ position: inout Int) -> Unicode.Scalar {
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

  private func unit(_ contents: UnsafeRawBufferPointer, _ position: Int) -> UInt16 {
    (0..<4).reduce(0) { $0 << 4 | (hexadecimalValue(contents[position + $1]) ?? 0) }
  }
}
