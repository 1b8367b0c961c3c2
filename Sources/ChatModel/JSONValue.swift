/// A value, or a member's name, of which nothing but its kind and place is
/// known.
struct JSONValue {
  enum Kind: UInt8 {
    /// A string whose bytes stand for themselves.
    case plainString
    case stringWithEscapes
    /// A number that has neither fraction nor exponent.
    case integer
    /// Any other number.
    case decimal
    case bool, null, array, object
  }

  var kind: Kind
  /// Where the value begins; of a string, its contents, without quotes.
  var start: Int
  var end: Int

  var isString: Bool { kind == .plainString || kind == .stringWithEscapes }
}

/// Eight bytes of text, looked at all at once.
struct EightBytes {
  private var word: UInt64

  /// - Parameter offset: at least eight bytes before the end of `bytes`.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// How many bytes come before the first that a JSON string cannot hold as it
  /// is: a quote, a backslash, a control character. 8 where there is none.
  ///
  /// `byte - low` borrows into the highest bit of a byte that is smaller than
  /// `low`. A borrow can mark a byte above a true one wrongly, never one below
  /// it, and the lowest is what is asked for.
  var plainPrefix: Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let marks =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones &* 0x20) & ~word)
    return (marks & (ones &* 0x80)).trailingZeroBitCount / 8
  }

  /// Whether all are ASCII and none is DEL.
  var isPrintableIfPlain: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    return ((word &+ ones) | word) & (ones &* 0x80) == 0
  }
}

/// The value of a hexadecimal digit in either case.
func hexadecimalValue(_ byte: UInt8) -> UInt16? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
