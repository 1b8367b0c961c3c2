/// An address that may stand in a link: `http` or `https`, with every other
/// character than those of RFC 3986 percent-encoded.
struct WebAddress: Equatable {
  /// ASCII without blanks, quotes, angle brackets, parentheses or backslashes.
  let text: String

  /// Longer ones no browser follows.
  private static let maximalBytes = 2_000

  /// - Returns: nil when `address` is of another scheme, or names no host.
  init?(_ address: String) {
    let bytes = Array(address.utf8.prefix(Self.maximalBytes + 1))
    guard bytes.count <= Self.maximalBytes,
      let prefix = ["https://", "http://"].first(where: { Self.begins(bytes, with: $0) }),
      let first = bytes.dropFirst(prefix.utf8.count).first,
      isAlphanumeric(first) || first >= 0x80
        || first == UInt8(ascii: "[")
    else { return nil }
    var text = prefix
    for byte in bytes.dropFirst(prefix.utf8.count) {
      if Self.isKept(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + Self.hexadecimal(byte)
      }
    }
    self.text = text
  }

  private static func begins(_ bytes: [UInt8], with prefix: String) -> Bool {
    bytes.count > prefix.utf8.count
      && zip(bytes, prefix.utf8).allSatisfy { byte, expected in
        byte == expected || ((0x41...0x5A).contains(byte) && byte + 0x20 == expected)
      }
  }

  private static func isKept(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~:/?#[]@!$&*+,;=%".utf8.contains(byte)
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0\(digits)" : digits
  }
}

/// Whether a byte is an ASCII letter or digit.
func isAlphanumeric(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
  default: false
  }
}
