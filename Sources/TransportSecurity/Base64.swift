/// Bytes as text in base64 (RFC 4648, section 4), and back.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// What each byte stands for; 255 where it is not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: .max, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  /// The text, padded and without line breaks.
  package static func encode(_ bytes: some RandomAccessCollection<UInt8>) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      var position = 0
      var rest = bytes[...]
      while !rest.isEmpty {
        let group = rest.prefix(3)
        rest = rest.dropFirst(3)
        var word: UInt32 = 0
        for byte in group { word = word << 8 | UInt32(byte) }
        word <<= UInt32(3 - group.count) * 8
        for place in 0..<4 {
          let digit = alphabet[Int(word >> UInt32(18 - 6 * place) & 63)]
          text[position + place] = place <= group.count ? digit : padding
        }
        position += 4
      }
      return count
    }
  }

  /// The bytes; nil for anything that ``encode(_:)`` would not have written,
  /// such as blanks, missing padding, or bits behind the end.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padded = text.suffix(2).reversed().prefix { $0 == padding }.count
    let count = text.count / 4 * 3 - padded
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + padded)
    var word: UInt32 = 0
    for (index, byte) in text.dropLast(padded).enumerated() {
      let value = values[Int(byte)]
      guard value != .max else { return nil }
      word = word << 6 | UInt32(value)
      if index % 4 == 3 {
        bytes += [UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255)]
      }
    }
    guard padded > 0 else { return bytes }
    word <<= UInt32(6 * padded)
    guard word & (padded == 1 ? 0xff : 0xffff) == 0 else { return nil }
    bytes.append(UInt8(word >> 16 & 255))
    if padded == 1 { bytes.append(UInt8(word >> 8 & 255)) }
    return bytes
  }

  /// The same of a string.
  package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}
