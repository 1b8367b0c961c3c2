/// What a sequence that begins with ESC is (ECMA-48, 5.4 to 5.6; xterm control
/// sequences for the replies).
enum EscapeSequence {
  /// The kinds that matter at a prompt.
  enum Kind: Equatable {
    /// More bytes must come.
    case unfinished
    /// A key, or nothing known: readline's.
    case key
    /// A terminal's answer to a question.
    case reply
    /// A bracketed paste begins.
    case pasteStart
    /// A bracketed paste ends. Where none has begun it means nothing.
    case pasteEnd
  }

  /// The kind of `bytes`, of which the first is ESC.
  static func kind(of bytes: [UInt8]) -> Kind {
    guard bytes.count > 1 else { return .unfinished }
    switch bytes[1] {
    case UInt8(ascii: "["): return controlSequence(bytes.dropFirst(2))
    case UInt8(ascii: "O"): return bytes.count > 2 ? .key : .unfinished
    case UInt8(ascii: "]"): return command(bytes.dropFirst(2))
    case UInt8(ascii: "P"): return string(bytes.dropFirst(2), beginsWith: "0123456789>!=")
    case UInt8(ascii: "_"): return string(bytes.dropFirst(2), beginsWith: "G")
    default: return .key
    }
  }

  /// Whether an unfinished sequence may be the beginning of an answer.
  static func mayBeReply(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 1, kind(of: bytes) == .unfinished else { return false }
    switch bytes[1] {
    case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"): return true
    case UInt8(ascii: "["): return bytes.count == 2 || (0x30...0x3F).contains(bytes[2])
    default: return false
    }
  }

  private static func controlSequence(_ body: ArraySlice<UInt8>) -> Kind {
    guard let last = body.last, (0x40...0x7E).contains(last) else { return .unfinished }
    let parameters = body.dropLast()
    if last == UInt8(ascii: "~") {
      if parameters.elementsEqual("200".utf8) { return .pasteStart }
      return parameters.elementsEqual("201".utf8) ? .pasteEnd : .key
    }
    if let first = parameters.first, (0x3C...0x3F).contains(first) { return .reply }
    switch last {
    // CPR, a window report; both always have parameters.
    case UInt8(ascii: "R"), UInt8(ascii: "t"):
      return parameters.contains(UInt8(ascii: ";")) ? .reply : .key
    // DSR ("all is well") and DA as old terminals send it.
    case UInt8(ascii: "n"), UInt8(ascii: "c"), UInt8(ascii: "y"):
      return parameters.isEmpty ? .key : .reply
    // Focus in and out.
    case UInt8(ascii: "I"), UInt8(ascii: "O"): return parameters.isEmpty ? .reply : .key
    default: return .key
    }
  }

  /// An OSC reply has a number and a semicolon; M-] (readline's
  /// character-search) has not.
  private static func command(_ body: ArraySlice<UInt8>) -> Kind {
    let number = body.prefix { (0x30...0x39).contains($0) }
    let rest = body.dropFirst(number.count)
    guard let next = rest.first else { return .unfinished }
    guard !number.isEmpty, next == UInt8(ascii: ";") else { return .key }
    return isTerminated(rest) ? .reply : .unfinished
  }

  private static func string(_ body: ArraySlice<UInt8>, beginsWith starts: String) -> Kind {
    guard let first = body.first else { return .unfinished }
    guard starts.utf8.contains(first) else { return .key }
    return isTerminated(body) ? .reply : .unfinished
  }

  private static func isTerminated(_ body: ArraySlice<UInt8>) -> Bool {
    body.last == 0x07 || body.suffix(2).elementsEqual([0x1B, 0x5C])
  }
}
