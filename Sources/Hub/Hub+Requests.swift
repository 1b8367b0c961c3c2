internal import ChatModel
internal import Sockets
internal import Transport

/// What somebody asks for.
extension Hub {
  func take(_ line: UnsafeRawBufferPointer, from client: HubClient) {
    do throws(RequestFault) {
      let request = try Request.decode(line, by: client.profile?.id)
      if let profile = client.profile {
        answer(request, from: client, profile)
      } else {
        greet(client, request)
      }
    } catch {
      let fault = ProtocolError(.invalid, error.reason)
      if client.profile == nil { return refuse(client, fault) }
      client.tell(.error(ref: error.ref, fault))
    }
    wake(client)
  }

  private func greet(_ client: HubClient, _ request: Request) {
    if case .login = client.stage { return logIn(client, request) }
    guard case .hello(let hello) = request else {
      return refuse(
        client, ProtocolError(.invalid, "the first line is a hello; see the protocol's description")
      )
    }
    guard hello.versions.contains(LineProtocol.version) else {
      return refuse(
        client,
        ProtocolError(.unsupported, "this hub speaks version \(LineProtocol.version) only"))
    }
    guard client.access != .accounts else { return askForLogin(client, hello) }
    guard let profile = profile(of: client, saying: hello) else {
      return refuse(client, ProtocolError(.auth, "a profile with an id is needed"))
    }
    welcome(client, as: profile, hello)
  }

  /// - Parameter data: the last word of the log-in, base64.
  func welcome(
    _ client: HubClient, as profile: Profile, _ hello: Hello, data: String? = nil
  ) {
    client.stage = .welcome(profile)
    client.profileID = profile.id
    client.tell(
      .welcome(
        Welcome(
          server: configuration.server, profile: profile,
          capabilities: capabilities(for: client), data: data)))
    log(
      HubLogEntry(
        kind: .connected, peer: client.peer, profileID: profile.id, text: hello.client))
  }

  /// Who somebody is: what he says himself counts where anyone may come in as
  /// anyone.
  private func profile(of client: HubClient, saying hello: Hello) -> Profile? {
    var profile = hello.profile ?? Profile(id: "", name: "")
    if client.access == .system {
      let user = SystemUser(at: client.connection.descriptor)
      profile.id = user.name
      if profile.name.isEmpty { profile.name = user.fullName }
    }
    guard !profile.id.isEmpty, profile.id.utf8.count <= EventCodec.maximumIDBytes else {
      return nil
    }
    return profile
  }

  private func capabilities(for client: HubClient) -> Capabilities {
    Capabilities(
      history: .full, order: .total, removesDuplicates: true,
      maximumEventBytes: EventCodec.maximumEventBytes, presence: true,
      authenticatesAuthors: client.access != .open)
  }

  private func answer(_ request: Request, from client: HubClient, _ profile: Profile) {
    switch request {
    case .send(let ref, let send): take(send, ref, from: client)
    case .ping(let ref): client.tell(.pong(ref: ref))
    case .pong, .cancel, .given: break
    case .bye: finish(client, saying: .bye)
    case .join(let ref, let join): self.join(client, ref, join)
    case .leave(let ref, let room):
      leave(client, room)
      client.tell(.left(ref: ref))
    case .history(let ref, let history): page(client, ref, history)
    case .rooms(let ref): client.tell(.rooms(ref: ref, roomItems(), next: nil))
    case .members(let ref, let room):
      client.tell(.members(ref: ref, members(of: room), next: nil))
    case .profile(let ref, let id): tell(client, ref, profileOf: id)
    case .hello, .auth:
      refuse(client, ProtocolError(.invalid, "this was said already"))
    case .command(let ref, _, _, _): refuseRequest(client, ref)
    case .put(let ref, _), .get(let ref, _, _, _), .chunk(let ref, _, _):
      refuseRequest(client, ref)
    case .unknown(_, let ref): refuseRequest(client, ref)
    }
  }

  private func refuseRequest(_ client: HubClient, _ ref: String?) {
    client.tell(.error(ref: ref, ProtocolError(.unsupported, "this hub cannot do that")))
  }

  private func members(of room: String) -> [Profile] {
    var seen: Set<String> = []
    return rooms[room]?.subscriptions.compactMap(\.client.profile)
      .filter { seen.insert($0.id).inserted } ?? []
  }

  private func tell(_ client: HubClient, _ ref: String, profileOf id: String) {
    // Only of people whom he could have met.
    for subscription in client.subscriptions.values {
      let found = subscription.room.subscriptions.lazy.compactMap(\.client.profile)
      if let profile = found.first(where: { $0.id == id }) {
        return client.tell(.profile(ref: ref, profile))
      }
    }
    client.tell(.error(ref: ref, ProtocolError(.notFound, "nobody here has that id")))
  }
}
