/// Which names are the same to a server (CASEMAPPING of RPL_ISUPPORT).
package enum CaseMapping: String, Sendable {
  case ascii
  /// `{}|~` are the small letters of `[]\^` (RFC 1459, section 2.2).
  case rfc1459
  /// The same without `~` and `^`.
  case strictRFC1459 = "rfc1459-strict"
  /// By Unicode, such as `rfc7613` and `precis`.
  case unicode

  /// An unknown name is of a server that knows more than ASCII.
  package init(name: String) {
    self = CaseMapping(rawValue: name.lowercased()) ?? .unicode
  }

  /// The form in which equal names are equal texts.
  package func fold(_ name: String) -> String {
    if self == .unicode { return name.lowercased() }
    var name = name
    return name.withUTF8 { fold(UnsafeRawBufferPointer($0)) }
  }

  package func fold(_ bytes: UnsafeRawBufferPointer) -> String {
    if self == .unicode { return IRCText.decode(bytes).lowercased() }
    let last = lastCapital
    let folded = String(unsafeUninitializedCapacity: bytes.count) { buffer in
      for (index, byte) in bytes.enumerated() {
        buffer[index] = (UInt8(ascii: "A")...last).contains(byte) ? byte + 0x20 : byte
      }
      return bytes.count
    }
    // What is not UTF-8 was made into something else.
    return folded.utf8.count == bytes.count ? folded : fold(IRCText.decode(bytes))
  }

  private var lastCapital: UInt8 {
    switch self {
    case .rfc1459: UInt8(ascii: "^")
    case .strictRFC1459: UInt8(ascii: "]")
    case .ascii, .unicode: UInt8(ascii: "Z")
    }
  }
}
