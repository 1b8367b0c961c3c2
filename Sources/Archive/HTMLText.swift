/// Neutralised text for HTML, between tags as well as within quotes (WHATWG
/// HTML, 13.2.5), which is well-formed XML, too.
func html(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { !isSpecial($0) }
  if isPlain { return text }
  var result: [UInt8] = []
  for byte in text.utf8 {
    switch Unicode.Scalar(byte) {
    case "&": result.write("&amp;")
    case "<": result.write("&lt;")
    case ">": result.write("&gt;")
    case "\"": result.write("&quot;")
    case "'": result.write("&#39;")
    default: result.append(byte)
    }
  }
  return String(decoding: result, as: UTF8.self)
}

private func isSpecial(_ byte: UInt8) -> Bool {
  switch Unicode.Scalar(byte) {
  case "&", "<", ">", "\"", "'": true
  default: false
  }
}

/// What a message of a room is called within the page, by which answers link to
/// it; nil when its id is longer than any that a program gives.
///
/// Letters and digits stay as they are; each other byte becomes `_` and two
/// hexadecimal digits. So different messages never share an anchor.
func anchor(ofMessage id: String, in room: String) -> String? {
  guard room.utf8.count + id.utf8.count < 200 else { return nil }
  var result = Array("m-".utf8)
  for byte in "\(room)/\(id)".utf8 {
    if isAlphanumeric(byte) || byte == UInt8(ascii: "-") {
      result.append(byte)
    } else {
      result.write("_\(byte < 16 ? "0" : "")\(String(byte, radix: 16))")
    }
  }
  return String(decoding: result, as: UTF8.self)
}

extension [UInt8] {
  /// Appends bytes in base 64 (RFC 4648, section 4).
  mutating func write(base64 bytes: [UInt8]) {
    reserveCapacity(count + (bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<Swift.min(start + 3, bytes.count)]
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(3 - group.count) * 8
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - digit * 6) & 63)
        append(digit <= group.count ? base64Digits[value] : UInt8(ascii: "="))
      }
    }
  }
}

private let base64Digits = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
