/// The client's side of one login (RFC 5802, section 5): ``firstMessage``,
/// ``reply(to:)``, ``verify(_:)``, and only then is the server believed.
package struct ScramClient: Sendable {
  private enum State {
    case waitsForChallenge
    case waitsForSignature([UInt8])
    case ended
  }

  /// Which of the offered mechanisms it takes.
  package let mechanism: ScramMechanism
  /// What is sent first (client-first-message).
  package let firstMessage: [UInt8]

  private let password: SecretBytes
  private let header: [UInt8]
  private let binding: [UInt8]
  private let nonce: [UInt8]
  private var state = State.waitsForChallenge

  /// Begins a login, by the strongest mechanism that both sides know.
  /// - Parameters:
  ///   - offered: the names that the server has told, in any order.
  ///   - binding: what ``TLSSession/exporterBinding()`` gives; nil where the
  ///     connection has none.
  /// - Throws: ``ScramError`` where there is no such mechanism, or SASLprep
  ///   prohibits the name or the password.
  package init(
    user: String, password: String, offered: [String], binding: [UInt8]?
  ) throws(ScramError) {
    try self.init(
      user: user, password: password, offered: offered, binding: binding,
      nonce: Base64.encode(randomBytes(18)))
  }

  init(
    user: String, password: String, offered: [String], binding: [UInt8]?, nonce: String
  ) throws(ScramError) {
    let (mechanism, flag) = try Self.choose(from: offered, hasBinding: binding != nil)
    self.mechanism = mechanism
    self.binding = mechanism == .scramSHA256Plus ? binding ?? [] : []
    self.password = try ScramName.preparedPassword(password)
    self.nonce = Array(nonce.utf8)
    header = Array("\(flag),,".utf8)
    firstMessage =
      header + Array("n=".utf8) + ScramName.escaped(try ScramName.prepared(user))
      + Array(",r=\(nonce)".utf8)
  }

  /// The mechanism, and the flag that tells the server what the client would
  /// have liked (RFC 5802, section 6).
  private static func choose(
    from offered: [String], hasBinding: Bool
  ) throws(ScramError) -> (ScramMechanism, flag: String) {
    if hasBinding, offered.contains(ScramMechanism.scramSHA256Plus.rawValue) {
      return (.scramSHA256Plus, "p=\(ScramMechanism.bindingName)")
    }
    guard offered.contains(ScramMechanism.scramSHA256.rawValue) else {
      throw ScramError(
        .noMechanism, "the server offers no way to log in that Banter knows (SCRAM-SHA-256)")
    }
    return (.scramSHA256, hasBinding ? "y" : "n")
  }

  /// Answers the server's challenge (server-first-message) with the proof that
  /// one knows the password.
  ///
  /// Takes as long as the server's iterations ask for, at most some seconds:
  /// not on a queue that others wait for.
  /// - Throws: ``ScramError``; then the login is over.
  package mutating func reply(to challenge: [UInt8]) throws(ScramError) -> [UInt8] {
    guard case .waitsForChallenge = state else { throw Self.outOfOrder }
    state = .ended
    let message = try Self.accepted(challenge)
    try message.refuseDemand(at: 0)
    let nonce = try message.value("r", at: 0)
    try ScramMessage.requireNonce(nonce)
    guard nonce.starts(with: self.nonce), nonce.count > self.nonce.count else {
      throw ScramError(.wrongNonce, "the server answers another login than this one; try again")
    }
    guard let salt = Base64.decode(try message.value("s", at: 1)) else {
      throw .malformed("has a salt that is none")
    }
    guard let iterations = ScramIterations.parse(try message.value("i", at: 2)) else {
      throw ScramError(
        .badIterations,
        "the server asks for an unsafe amount of work: its operator should set the password anew")
    }
    try message.passOver(3..<message.fields.count)
    let keys = ScramKeys(password: password, salt: salt, iterations: iterations)
    let final =
      Array("c=\(Base64.encode(header + binding)),r=".utf8) + nonce
    let exchange =
      firstMessage.dropFirst(header.count) + Array(",".utf8) + challenge + Array(",".utf8) + final
    state = .waitsForSignature(authenticationCode(of: Array(exchange), key: keys.serverKey))
    return final + Array(",p=\(Base64.encode(keys.proof(of: Array(exchange))))".utf8)
  }

  /// Checks the server's last word (server-final-message): when it returns,
  /// the server knows the verifier of this password.
  /// - Throws: ``ScramError`` for a refusal, with the server's word for it as
  ///   its code, and for a server that cannot show that it knows the password.
  package mutating func verify(_ final: [UInt8]) throws(ScramError) {
    guard case .waitsForSignature(let expected) = state else { throw Self.outOfOrder }
    state = .ended
    let message = try Self.accepted(final)
    guard let signature = Base64.decode(try message.value("v", at: 0)) else {
      throw .malformed("has a signature that is none")
    }
    try message.passOver(1..<message.fields.count)
    guard areEqualInConstantTime(signature, expected) else {
      throw ScramError(
        .wrongServer,
        "the server does not know your password: it may be another one; check the address")
    }
  }

  /// A message of the server's that is no refusal (server-error).
  private static func accepted(_ bytes: [UInt8]) throws(ScramError) -> ScramMessage {
    let message = try ScramMessage(bytes)
    guard let word = try? message.value("e", at: 0) else { return message }
    let code = ScramError.Code(name: String(decoding: word.prefix(64), as: UTF8.self))
    guard code != .wrongCredentials, code.name != "unknown-user" else { throw .wrongCredentials }
    throw ScramError(code, "the server refuses the login: \(printable(code.name))")
  }

  /// The letters, digits and hyphens of which the words of RFC 5802 are made.
  private static func printable(_ word: String) -> String {
    word.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }

  private static let outOfOrder = ScramError(
    .outOfOrder, "the server says something about a login that is not going on")
}
