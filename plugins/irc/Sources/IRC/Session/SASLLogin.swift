internal import TransportSecurity

/// One login (SASL, RFC 4422; IRCv3 sasl): what is said, and what to answer.
struct SASLLogin {
  enum Mechanism: String, CaseIterable {
    case external = "EXTERNAL"
    case scramPlus = "SCRAM-SHA-256-PLUS"
    case scram = "SCRAM-SHA-256"
    case plain = "PLAIN"
  }

  /// What to do next.
  enum Step: Equatable {
    case say([String])
    case wait
    case fail(String)
  }

  let mechanism: Mechanism
  let account: String
  private let password: String
  private var scram: ScramClient?
  private var hasSaidFirst = false
  private var hasAnswered = false
  private var challenge = ""

  /// The best mechanism that both sides know; nil where there is none.
  /// - Parameters:
  ///   - offered: what the server has told, separated by commas; empty where it
  ///     has not told.
  ///   - wanted: the only one to use.
  ///   - isPrivate: whether nobody else can hear what is said.
  static func choose(
    offered: String, wanted: String?, hasCertificate: Bool, hasPassword: Bool, isPrivate: Bool,
    hasBinding: Bool
  ) -> Mechanism? {
    let names = Set(offered.uppercased().split(separator: ",").map(String.init))
    return Mechanism.allCases.first { mechanism in
      if let wanted, mechanism.rawValue != wanted { return false }
      guard names.isEmpty || names.contains(mechanism.rawValue) else { return false }
      return switch mechanism {
      case .external: hasCertificate
      // Of a server that does not say what it knows, the older is asked.
      case .scramPlus: hasPassword && hasBinding && !names.isEmpty
      case .scram: hasPassword
      // Sent as it is, it would be everybody's.
      case .plain: hasPassword && isPrivate
      }
    }
  }

  /// - Throws: ``ScramError`` for a name or password that cannot be one.
  init(
    _ mechanism: Mechanism, account: String, password: String, binding: [UInt8]?
  ) throws(ScramError) {
    (self.mechanism, self.account, self.password) = (mechanism, account, password)
    switch mechanism {
    case .scram, .scramPlus:
      scram = try ScramClient(
        user: account, password: password, offered: [mechanism.rawValue],
        binding: mechanism == .scramPlus ? binding : nil)
    case .plain, .external: break
    }
  }

  /// Takes the argument of an `AUTHENTICATE` from the server.
  mutating func take(_ argument: String) -> Step {
    if argument != "+" {
      challenge += argument
      guard challenge.utf8.count <= 16_384 else { return .fail("its challenge is too long") }
      // A part of 400 bytes has another behind it.
      if argument.utf8.count == 400 { return .wait }
    }
    defer { challenge = "" }
    guard let bytes = Base64.decode(challenge) else { return .fail("its challenge is no base64") }
    return answer(to: bytes)
  }

  private mutating func answer(to challenge: [UInt8]) -> Step {
    switch mechanism {
    case .external: return say([])
    case .plain: return say(Array("\0\(account)\0\(password)".utf8))
    case .scram, .scramPlus:
      do throws(ScramError) {
        guard hasSaidFirst else {
          hasSaidFirst = true
          return say(scram?.firstMessage ?? [])
        }
        guard hasAnswered else {
          hasAnswered = true
          return say(try scram?.reply(to: challenge) ?? [])
        }
        try scram?.verify(challenge)
        isProven = true
        return say([])
      } catch {
        return .fail(error.description)
      }
    }
  }

  /// Whether the server has shown that it knows the password, where the
  /// mechanism has it do so.
  private(set) var isProven = false
  var needsProof: Bool { mechanism == .scram || mechanism == .scramPlus }

  private func say(_ bytes: [UInt8]) -> Step {
    guard !bytes.isEmpty else { return .say(["+"]) }
    var text = Base64.encode(bytes)[...]
    var parts: [String] = []
    while text.utf8.count >= 400 {
      parts.append(String(text.prefix(400)))
      text = text.dropFirst(400)
    }
    // One that fills its line is followed by an empty one.
    parts.append(text.isEmpty ? "+" : String(text))
    return .say(parts)
  }
}
