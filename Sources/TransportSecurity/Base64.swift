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
    bytes.withContiguousStorageIfAvailable { encode($0) }
      ?? Array(bytes).withUnsafeBufferPointer { encode($0) }
  }

  private static func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      alphabet.withUnsafeBufferPointer { alphabet in
        var (index, position) = (0, 0)
        while index < bytes.count {
          let left = bytes.count - index
          var word = UInt32(bytes[index]) << 16
          if left > 1 { word |= UInt32(bytes[index + 1]) << 8 }
          if left > 2 { word |= UInt32(bytes[index + 2]) }
          text[position] = alphabet[Int(word >> 18)]
          text[position + 1] = alphabet[Int(word >> 12 & 63)]
          text[position + 2] = left > 1 ? alphabet[Int(word >> 6 & 63)] : padding
          text[position + 3] = left > 2 ? alphabet[Int(word & 63)] : padding
          (index, position) = (index + 3, position + 4)
        }
      }
      return count
    }
  }

  /// The bytes; nil for anything that ``encode(_:)`` would not have written,
  /// such as blanks, missing padding, or bits behind the end.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    text.withContiguousStorageIfAvailable { decode($0) }
      ?? Array(text).withUnsafeBufferPointer { decode($0) }
  }

  private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padded = text.suffix(2).reversed().prefix { $0 == padding }.count
    let count = text.count / 4 * 3 - padded
    let digits = text.count - padded
    var isRight = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      values.withUnsafeBufferPointer { values in
        var index = 0
        while index < text.count {
          var word: UInt32 = 0
          for place in index..<index + 4 {
            // What is missing at the end counts as no bits.
            let value = place < digits ? values[Int(text[place])] : 0
            if value == .max { isRight = false }
            word = word << 6 | UInt32(value)
          }
          index += 4
          for place in 0..<3 {
            let byte = UInt8(truncatingIfNeeded: word >> UInt32(16 - 8 * place))
            if filled < count {
              bytes[filled] = byte
              filled += 1
            } else if byte != 0 {
              isRight = false
            }
          }
        }
      }
    }
    return isRight ? bytes : nil
  }

  /// The same of a string.
  package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }
}
