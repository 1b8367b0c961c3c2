internal import ChatModel
internal import Dispatch
internal import Executors
internal import Sockets
internal import Transport
internal import TransportSecurity

/// Logging in with SCRAM (RFC 5802): the same answers, at the same time, for a
/// name that nobody has and for a wrong password.
extension Hub {
  /// How long one waits for the word that a login has failed.
  private static let failureDelay = DispatchTimeInterval.seconds(1)

  func askForLogin(_ client: HubClient, _ hello: Hello) {
    let isBound = client.connection.security?.exporterBinding() != nil
    client.stage = .login(hello, nil)
    client.tell(
      .auth(
        mechanisms: ScramMechanism.offered(withBinding: isBound).map(\.rawValue), data: nil))
  }

  func logIn(_ client: HubClient, _ request: Request) {
    guard case .login(let hello, var server) = client.stage,
      case .auth(let mechanism, let data) = request, let message = Base64.decode(data)
    else {
      return refuse(client, ProtocolError(.auth, "a login is to come first"))
    }
    if let mechanism {
      guard let begun = beginLogin(client, mechanism) else { return }
      server = begun
    }
    guard let step = server?.receive(message) else {
      return refuse(client, ProtocolError(.auth, "no login was begun"))
    }
    client.stage = .login(hello, server)
    switch step {
    case .challenge(let challenge):
      client.tell(.auth(mechanisms: [], data: Base64.encode(challenge)))
    case .authenticated(let user, let last):
      guard let account = configuration.accounts[user] else {
        return failLogin(client, hello, .wrongCredentials, as: user)
      }
      client.account = account
      failedLogins[address(of: client), default: 1] -= 1
      var profile = hello.profile ?? Profile(id: user, name: user)
      if profile.name.isEmpty || profile.name == profile.id { profile.name = user }
      profile.id = user
      welcome(client, as: profile, hello, data: Base64.encode(last))
    case .refused(let error): failLogin(client, hello, error, as: server?.claimedUser)
    }
  }

  private func beginLogin(_ client: HubClient, _ name: String) -> ScramServer? {
    client.loginCount += 1
    guard client.loginCount <= configuration.limits.logins else {
      refuse(client, ProtocolError(.auth, "too many logins have failed; call again"))
      return nil
    }
    let tries = failedLogins[address(of: client), default: 0]
    guard tries < configuration.limits.loginsPerAddress else {
      let reason = "too many logins from there have failed, or are under way; wait a minute"
      refuse(client, ProtocolError(.retry, reason, retryAfter: .seconds(5)))
      return nil
    }
    guard let mechanism = ScramMechanism(rawValue: name) else {
      refuse(client, ProtocolError(.auth, "there is no way to log in called \(name)"))
      return nil
    }
    // Taken back when it succeeds: of many at once, no more may be tried.
    failedLogins[address(of: client), default: 0] += 1
    let accounts = configuration.accounts
    return ScramServer(
      mechanism: mechanism, binding: client.connection.security?.exporterBinding(),
      secret: configuration.loginSecret
    ) { accounts[$0]?.verifier }
  }

  /// Without its port: another connection is no other caller.
  private func address(of client: HubClient) -> String {
    String(client.peer.prefix(upTo: client.peer.lastIndex(of: ":") ?? client.peer.endIndex))
  }

  /// How much of a name that somebody has tried is told, in UTF-8.
  private static let toldNameBytes = 64

  private func failLogin(
    _ client: HubClient, _ hello: Hello, _ error: ScramError, as user: String?
  ) {
    client.stage = .login(hello, nil)
    log(
      HubLogEntry(
        kind: .refused, peer: client.peer,
        triedAccount: user?.beginning(ofBytes: Self.toldNameBytes), text: error.reason))
    let number = client.number
    executor.queue.asyncAfter(deadline: .now() + Self.failureDelay) { [weak self] in
      self?.assumeIsolated { hub in
        guard let client = hub.clients[number], !client.isGoing else { return }
        client.tell(.error(ref: nil, ProtocolError(.auth, error.reason)))
        hub.wake(client)
      }
    }
  }
}
