/// The server's side of one login (RFC 5802, section 5).
///
/// Whoever gets a refusal must not learn more from it than "wrong name or
/// password": names that nobody has are answered in the same way, with the same
/// work, as wrong passwords.
package struct ScramServer {
  /// What is to be done after a message.
  package enum Step {
    /// Send this and wait for the client's answer.
    case challenge([UInt8])
    /// The client knows the password of this user; send the message, by which
    /// the client knows the server.
    case authenticated(user: String, finalMessage: [UInt8])
    /// It is over; the client is not who it says it is, or makes mistakes.
    case refused(ScramError)
  }

  /// What has been said, once the challenge is out.
  private struct Exchange {
    var user: String
    var isKnown: Bool
    var verifier: ScramVerifier
    /// The beginning of the first message, as it was (gs2-header).
    var header: [UInt8]
    var nonce: [UInt8]
    /// The client's first message without the header, a comma, and the challenge.
    var said: [UInt8]
  }

  private enum State {
    case begun
    case challenged(Exchange)
    case ended
  }

  private let mechanism: ScramMechanism
  private let binding: [UInt8]?
  private let secret: [UInt8]
  private let lookUp: (String) -> ScramVerifier?
  private let pretendedIterations: Int
  private let serverNonce: [UInt8]
  private var state = State.begun
  /// As whom the client wants to log in, prepared; nil before it has said so.
  /// Nothing is proved by it.
  package private(set) var claimedUser: String?

  /// Begins a login.
  /// - Parameters:
  ///   - mechanism: which of those that were offered the client has taken.
  ///   - binding: what ``TLSSession/exporterBinding()`` gives; nil where the
  ///     connection has none. With it, SCRAM-SHA-256-PLUS must have been
  ///     offered (``ScramMechanism/offered(withBinding:)``).
  ///   - secret: random bytes that stay the same as long as the accounts do,
  ///     and that nobody else knows: they make up salts for names that nobody
  ///     has.
  ///   - pretendedIterations: what such names are answered with; what the
  ///     accounts have.
  ///   - lookUp: the verifier of a user, whose name is prepared; nil for none.
  package init(
    mechanism: ScramMechanism, binding: [UInt8]?, secret: [UInt8],
    pretendedIterations: Int = ScramIterations.standard,
    lookUp: @escaping (String) -> ScramVerifier?
  ) {
    self.init(
      mechanism: mechanism, binding: binding, secret: secret,
      pretendedIterations: pretendedIterations, nonce: Base64.encode(randomBytes(18)),
      lookUp: lookUp)
  }

  init(
    mechanism: ScramMechanism, binding: [UInt8]?, secret: [UInt8], pretendedIterations: Int,
    nonce: String, lookUp: @escaping (String) -> ScramVerifier?
  ) {
    self.mechanism = mechanism
    self.binding = binding
    self.secret = secret
    self.pretendedIterations = pretendedIterations
    self.lookUp = lookUp
    serverNonce = Array(nonce.utf8)
  }

  /// Takes the client's next message; after a refusal and after the end, every
  /// message is refused.
  package mutating func receive(_ message: [UInt8]) -> Step {
    let before = state
    state = .ended
    do throws(ScramError) {
      switch before {
      case .begun: return .challenge(try challenge(after: message))
      case .challenged(let exchange): return try finish(exchange, after: message)
      case .ended:
        throw ScramError(.outOfOrder, "a login message has come after the end of the login")
      }
    } catch {
      return .refused(error)
    }
  }

  // MARK: The first message

  private mutating func challenge(after bytes: [UInt8]) throws(ScramError) -> [UInt8] {
    let message = try ScramMessage(bytes)
    guard message.fields.count >= 4 else { throw .malformed("ends too early") }
    try checkFlag(message.fields[0])
    try message.refuseDemand(at: 2)
    let escapedName = try message.value("n", at: 2)
    let user = try ScramName.prepared(ScramName.unescaped(escapedName))
    claimedUser = user
    try checkIdentity(message, user: user)
    let clientNonce = try message.value("r", at: 3)
    try ScramMessage.requireNonce(clientNonce)
    try message.passOver(4..<message.fields.count)

    let pretended = ScramVerifier.pretended(
      for: user, secret: secret, iterations: pretendedIterations)
    let known = lookUp(user)
    let verifier = known ?? pretended
    let nonce = clientNonce + serverNonce
    let challenge =
      Array("r=".utf8) + nonce
      + Array(",s=\(Base64.encode(verifier.salt)),i=\(verifier.iterations)".utf8)
    let headerCount = message.fields[0].count + message.fields[1].count + 2
    state = .challenged(
      Exchange(
        user: user, isKnown: known != nil, verifier: verifier,
        header: Array(bytes.prefix(headerCount)), nonce: Array(nonce),
        said: bytes.dropFirst(headerCount) + Array(",".utf8) + challenge))
    return challenge
  }

  /// The client's word about channel binding (gs2-cbind-flag).
  private func checkFlag(_ flag: ArraySlice<UInt8>) throws(ScramError) {
    switch (String(decoding: flag, as: UTF8.self), mechanism) {
    case ("n", .scramSHA256): break
    case ("y", .scramSHA256):
      guard binding == nil else {
        throw ScramError(
          .downgraded,
          "somebody between the two sides hides that logins are bound to the connection")
      }
    case ("p=\(ScramMechanism.bindingName)", .scramSHA256Plus):
      guard binding != nil else { throw Self.noBinding }
    case ("n", .scramSHA256Plus), ("y", .scramSHA256Plus):
      throw Self.noBinding
    case (let flag, .scramSHA256Plus) where flag.utf8.starts(with: "p=".utf8):
      throw ScramError(
        .unknownBinding, "the client binds its login to the connection in an unknown way")
    case (let flag, .scramSHA256) where flag.utf8.starts(with: "p=".utf8):
      throw Self.noBinding
    default: throw .malformed("begins with no word about channel binding")
    }
  }

  /// To act as somebody else (authzid) is not possible; to name oneself twice is.
  private func checkIdentity(_ message: ScramMessage, user: String) throws(ScramError) {
    guard !message.fields[1].isEmpty else { return }
    let name = try ScramName.prepared(ScramName.unescaped(message.value("a", at: 1)))
    guard name == user else {
      throw ScramError(.otherIdentity, "nobody can log in to act as somebody else")
    }
  }

  // MARK: The last message

  private func finish(_ exchange: Exchange, after bytes: [UInt8]) throws(ScramError) -> Step {
    let message = try ScramMessage(bytes)
    let last = message.fields.count - 1
    guard last >= 2 else { throw .malformed("ends too early") }
    guard let claimed = Base64.decode(try message.value("c", at: 0)) else {
      throw .malformed("has a channel binding that is none")
    }
    let nonce = try message.value("r", at: 1)
    try message.passOver(2..<last)
    guard let proof = Base64.decode(try message.value("p", at: last)),
      proof.count == SHA256.digestBytes
    else { throw .malformed("has a proof that is none") }

    let bound = mechanism == .scramSHA256Plus ? binding ?? [] : []
    guard areEqualInConstantTime(claimed, exchange.header + bound) else {
      throw ScramError(
        .wrongBinding, "the login was made for another connection: somebody may stand between")
    }
    guard areEqualInConstantTime(Array(nonce), exchange.nonce) else {
      throw ScramError(.wrongNonce, "the login message belongs to another login")
    }
    let signed =
      exchange.said + Array(",".utf8) + bytes.dropLast(message.fields[last].count + 1)
    return try judge(proof, of: signed, in: exchange)
  }

  private func judge(
    _ proof: [UInt8], of signed: [UInt8], in exchange: Exchange
  ) throws(ScramError) -> Step {
    let verifier = exchange.verifier
    let signature = authenticationCode(of: signed, key: verifier.storedKey)
    var clientKey = exclusiveOr(proof, signature)
    let storedKey = clientKey.withUnsafeBytes(SHA256.digest(of:))
    wipe(&clientKey)
    let final = "v=\(Base64.encode(authenticationCode(of: signed, key: verifier.serverKey)))"
    guard areEqualInConstantTime(storedKey, verifier.storedKey), exchange.isKnown else {
      throw .wrongCredentials
    }
    return .authenticated(user: exchange.user, finalMessage: Array(final.utf8))
  }

  private static let noBinding = ScramError(
    .noBinding, "the mechanism and the connection do not agree about channel binding")
}
