extension String {
  /// The beginning, of so many bytes at most and never within a grapheme.
  func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// Whether one of its bytes is such; much faster than to ask its `utf8`.
  func hasByte(where isWanted: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where isWanted(byte) { return true }
      return false
    } ?? utf8.contains(where: isWanted)
  }
}

/// Text of IRC, which names no encoding: UTF-8, and where it is not that,
/// Windows-1252 as the networks of the 1990s wrote it.
package enum IRCText {
  package static func decode(_ bytes: UnsafeRawBufferPointer) -> String {
    if let text = String(validating: bytes.bindMemory(to: UInt8.self), as: UTF8.self) {
      return text
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.lazy.map(scalar))
    return text
  }

  package static func decode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    return bytes.withUnsafeBytes { decode($0) }
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    (0x80..<0xa0).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  /// What 0x80 to 0x9f stand for (WHATWG Encoding, index-windows-1252).
  private static let windows1252: [Unicode.Scalar] = [
    "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8d}", "Ž", "\u{8f}",
    "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9d}", "ž", "Ÿ",
  ]
}
