/// What a server keeps of a password: it tells whether somebody knows it, and
/// does not tell what it is (RFC 5802, section 3; RFC 7677).
package struct ScramVerifier: Sendable {
  /// How long a salt is made; others may be from 8 to 64 bytes.
  package static let saltBytes = 16
  private static let saltRange = 8...64
  private static let prefix = ScramMechanism.scramSHA256.rawValue

  package let salt: [UInt8]
  package let iterations: Int
  /// SHA-256 of the client's key.
  package let storedKey: [UInt8]
  /// By which the server shows that it knows the verifier.
  package let serverKey: [UInt8]

  /// A verifier with a new salt.
  ///
  /// Takes a fraction of a second: not on a queue that others wait for.
  /// - Parameter iterations: in ``ScramIterations/range``.
  /// - Throws: ``ScramError`` where SASLprep prohibits the password.
  package init(
    password: String, iterations: Int = ScramIterations.standard
  ) throws(ScramError) {
    try self.init(password: password, salt: randomBytes(Self.saltBytes), iterations: iterations)
  }

  init(password: String, salt: [UInt8], iterations: Int) throws(ScramError) {
    precondition(ScramIterations.range.contains(iterations))
    let keys = ScramKeys(
      password: try ScramName.preparedPassword(password), salt: salt, iterations: iterations)
    self.init(
      salt: salt, iterations: iterations, storedKey: keys.storedKey, serverKey: keys.serverKey)
  }

  private init(salt: [UInt8], iterations: Int, storedKey: [UInt8], serverKey: [UInt8]) {
    self.salt = salt
    self.iterations = iterations
    self.storedKey = storedKey
    self.serverKey = serverKey
  }

  /// What a name that nobody has is answered from: the same salt for the same
  /// name each time, and keys that belong to no password.
  static func pretended(for name: String, secret: [UInt8], iterations: Int) -> ScramVerifier {
    func derived(_ what: String) -> [UInt8] {
      authenticationCode(of: Array("\(what) \(name)".utf8), key: secret)
    }
    return ScramVerifier(
      salt: Array(derived("salt").prefix(saltBytes)), iterations: iterations,
      storedKey: derived("stored key"), serverKey: derived("server key"))
  }
}

extension ScramVerifier {
  /// One line of text: `SCRAM-SHA-256$600000:SALT$STOREDKEY:SERVERKEY` with
  /// the bytes in base64, as PostgreSQL keeps it (pg_authid).
  package var text: String {
    let (salt, stored) = (Base64.encode(salt), Base64.encode(storedKey))
    return "\(Self.prefix)$\(iterations):\(salt)$\(stored):\(Base64.encode(serverKey))"
  }

  /// Reads what ``text`` wrote; nil for anything else, and for iterations or
  /// lengths out of range.
  package init?(text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
      .map { $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) }
    guard parts.map(\.count) == [1, 2, 2], parts[0][0].elementsEqual(Self.prefix.utf8),
      let iterations = ScramIterations.parse(parts[1][0]),
      let salt = Base64.decode(parts[1][1]), Self.saltRange.contains(salt.count),
      let storedKey = Base64.decode(parts[2][0]), storedKey.count == SHA256.digestBytes,
      let serverKey = Base64.decode(parts[2][1]), serverKey.count == SHA256.digestBytes
    else { return nil }
    self.init(salt: salt, iterations: iterations, storedKey: storedKey, serverKey: serverKey)
  }
}
