internal import ChatModel
package import Transport

/// What the host says.
extension IRCSession {
  /// Takes the first line of the host.
  package func begin(with hello: Hello) {
    guard hello.versions.contains(LineProtocol.version) else {
      tellHost(
        .error(
          ref: nil,
          ProtocolError(.unsupported, "banter-irc speaks version \(LineProtocol.version) only")))
      orders.append(.end)
      return
    }
    welcome()
    if settings.address.host.isEmpty {
      return giveUp(wording.badAddress(""))
    }
    begin()
  }

  /// Tells who one will be, and what can be done; what a room's server can
  /// besides is told with `joined`.
  private func welcome() {
    let id = features.caseMapping.fold(settings.account ?? settings.nick)
    selfID = id
    tellHost(
      .welcome(
        Welcome(
          server: "banter-irc \(Self.version)", profile: Profile(id: id, name: settings.nick),
          capabilities: hostCapabilities(budget: budget(for: String(repeating: "x", count: 32))),
          commands: SessionCommand.all.map { $0.described(in: language) })))
  }

  /// Of the plugin, as Banter's.
  package static let version = "0.1.0"

  /// Answers a line that is no request.
  package func refuse(_ fault: RequestFault) {
    tellHost(.error(ref: fault.ref, ProtocolError(.invalid, fault.reason)))
  }

  /// Takes anything behind it.
  package func take(request: Request) {
    switch request {
    case .given(let ref, let value): take(given: value, ref: ref)
    case .ping(let ref): tellHost(.pong(ref: ref))
    case .bye: sayGoodbye()
    case .cancel, .pong, .hello, .auth, .chunk: break
    case .join, .leave, .send, .history, .command, .rooms, .members, .profile, .put, .get, .unknown:
      answer(request)
    }
  }

  private func answer(_ request: Request) {
    switch request {
    case .join(let ref, let join): self.join(ref, join)
    case .leave(let ref, let room): leave(ref, room)
    case .send(let ref, let send): self.send(ref, send)
    case .history(let ref, let request): history(ref, request)
    case .command(let ref, let room, let name, let arguments):
      command(ref, room, name, arguments)
    case .rooms(let ref, let after): list(ref, after: after)
    case .members(let ref, let room, let after): members(ref, room, after: after)
    case .profile(let ref, let id): profile(ref, id)
    case .put(let ref, _): refuseFile(ref)
    case .get(let ref, _, _, _): refuseFile(ref)
    case .unknown(_, let ref):
      tellHost(.error(ref: ref, ProtocolError(.unsupported, "banter-irc cannot do that")))
    default: break
    }
  }

  private func refuseFile(_ ref: String) {
    refuse(ref, .unsupported, wording.say("there are no files over IRC", "IRC에는 파일이 없습니다"))
  }

  /// Takes leave of the server, and of the host.
  private func sayGoodbye() {
    if case .ended = stage {
      orders.append(.end)
      return tellHost(.bye)
    }
    refuseUnsaid()
    queue.clear()
    say(OutgoingLine("QUIT", trailing: wording.say("good-bye", "안녕히")), urgently: true)
    stage = .ended
    failLostSends()
    tellHost(.bye)
    orders += [.hangUp, .end]
  }
}
