internal import TerminalText

/// How names stand in messages (saslname, RFC 5802, section 7).
enum ScramName {
  /// The prepared name as the server knows it.
  static func prepared(_ name: String) throws(ScramError) -> String {
    guard let prepared = saslPrepared(name), !prepared.isEmpty else {
      throw ScramError(
        .invalidName, "the name is empty, or has characters that a login cannot have; change it")
    }
    return prepared
  }

  /// The same of a password.
  static func preparedPassword(_ password: String) throws(ScramError) -> SecretBytes {
    guard let prepared = saslPrepared(password), !prepared.isEmpty else {
      throw ScramError(
        .invalidPassword,
        "the password is empty, or has characters that a password cannot have; change it")
    }
    return SecretBytes(prepared)
  }

  /// `,` and `=` as `=2C` and `=3D`.
  static func escaped(_ name: String) -> [UInt8] {
    name.utf8.flatMap { byte in
      switch byte {
      case UInt8(ascii: ","): Array("=2C".utf8)
      case UInt8(ascii: "="): Array("=3D".utf8)
      default: [byte]
      }
    }
  }

  /// The name that was escaped, not yet prepared.
  /// - Throws: ``ScramError`` for a `=` that begins no escape.
  static func unescaped(_ bytes: ArraySlice<UInt8>) throws(ScramError) -> String {
    var name: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "=") else {
        name.append(byte)
        continue
      }
      switch Array(rest.prefix(2)) {
      case Array("2C".utf8): name.append(UInt8(ascii: ","))
      case Array("3D".utf8): name.append(UInt8(ascii: "="))
      default: throw ScramError(.invalidName, "the login message has a name that is badly escaped")
      }
      rest = rest.dropFirst(2)
    }
    return String(decoding: name, as: UTF8.self)
  }
}
