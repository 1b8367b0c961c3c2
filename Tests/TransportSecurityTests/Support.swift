@testable import TransportSecurity

/// The login of RFC 7677, section 3.
enum Vector {
  static let user = "user"
  static let password = "pencil"
  static let clientNonce = "rOprNGfwEbeRWgbNEkqO"
  static let serverNonce = "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0"
  static let salt: [UInt8] = Base64.decode("W22ZaJ0SNY7soEsUEjb6gQ==") ?? []
  static let clientFirst = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO"
  static let serverFirst =
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
  static let clientFinal =
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
    + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
  static let serverFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

  static func verifier() throws -> ScramVerifier {
    try ScramVerifier(password: password, salt: salt, iterations: 4096)
  }
}

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}

extension ScramServer.Step {
  var challenge: [UInt8]? {
    if case .challenge(let message) = self { message } else { nil }
  }

  var refusal: ScramError.Code? {
    if case .refused(let error) = self { error.code } else { nil }
  }

  var user: String? {
    if case .authenticated(let user, _) = self { user } else { nil }
  }

  var finalMessage: [UInt8]? {
    if case .authenticated(_, let message) = self { message } else { nil }
  }
}

/// Makes a server that knows some people.
struct Accounts {
  var verifiers: [String: ScramVerifier] = [:]
  var binding: [UInt8]?
  var secret = "secret".bytes

  /// One account, `user` with `pencil`.
  static func vector(binding: [UInt8]? = nil) throws -> Accounts {
    Accounts(verifiers: [Vector.user: try Vector.verifier()], binding: binding)
  }

  func server(_ mechanism: ScramMechanism = .scramSHA256) -> ScramServer {
    let verifiers = verifiers
    return ScramServer(
      mechanism: mechanism, binding: binding, secret: secret, pretendedIterations: 4096
    ) { verifiers[$0] }
  }

  /// The mechanisms that such a server offers.
  var offered: [String] {
    ScramMechanism.offered(withBinding: binding != nil).map(\.rawValue)
  }
}

/// A login from the first word to the last.
/// - Returns: the user that the server has let in, once the client believes
///   the server; nil when it was refused.
func logIn(_ user: String, _ password: String, to accounts: Accounts, binding: [UInt8]? = nil)
  throws -> String?
{
  var client = try ScramClient(
    user: user, password: password, offered: accounts.offered, binding: binding)
  var server = accounts.server(client.mechanism)
  guard let challenge = server.receive(client.firstMessage).challenge else { return nil }
  let step = server.receive(try client.reply(to: challenge))
  guard case .authenticated(let name, let final) = step else { return nil }
  try client.verify(final)
  return name
}
