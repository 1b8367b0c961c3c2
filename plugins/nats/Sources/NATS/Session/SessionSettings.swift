internal import Glibc
internal import TerminalText
internal import Transport

/// What the user wants of a cluster, from the address and the plugin's
/// settings.
struct SessionSettings {
  /// Nil where the host only wants to know what the plugin is.
  var address: ClusterAddress?
  var login: ClusterLogin
  /// What is still to be asked for, by the name that the host is told.
  var need: Need?

  enum Need: String {
    case password, token
  }

  /// - Throws: what is wrong with the address or a setting.
  init(_ hello: Hello, _ language: Language) throws(ProtocolError) {
    let address = hello.address.flatMap(ClusterAddress.init)
    if let text = hello.address, address == nil {
      throw ProtocolError(
        .invalid,
        language.choose(
          "\(text) is no address of a cluster; nats://host1,host2/room is one",
          "\(text)은(는) 클러스터 주소가 아닙니다. nats://host1,host2/room처럼 쓰세요"))
    }
    self.address = address
    func setting(_ name: String) -> String? {
      hello.settings[name].flatMap { $0.isEmpty ? nil : Self.expanded($0) }
    }
    login = ClusterLogin(
      issuers: setting("issuers"), certificate: setting("certificate"),
      certificateKey: setting("certificateKey"))
    if let path = setting("credentials") {
      login.proof = .credentials(path: path)
    } else if let key = setting("key"), let path = setting("seed") {
      login.proof = .key(key, seedPath: path)
    } else if address?.user != nil {
      need = .password
    } else if setting("token") != nil {
      need = .token
    }
  }

  /// Proves who one is by what was asked for.
  mutating func take(_ secret: String) {
    switch need {
    case .password: login.proof = .password(user: address?.user ?? "", secret)
    case .token: login.proof = .token(secret)
    case nil: break
    }
    need = nil
  }

  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }
}
