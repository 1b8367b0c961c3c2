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
      let reason =
        client.access == .open
        ? "a profile with an id is needed" : "the system does not say who is calling"
      return refuse(client, ProtocolError(.auth, reason))
    }
    welcome(client, as: profile, hello)
  }

  /// - Parameter data: the last word of the log-in, base64.
  func welcome(
    _ client: HubClient, as profile: Profile, _ hello: Hello, data: String? = nil
  ) {
    let profile = profile.bounded
    client.stage = .welcome
    client.connection.maximumLineBytes = configuration.limits.lineBytes
    // What is behind the hello may be longer.
    client.hasAskedMuch = true
    client.profile = profile
    client.tell(
      .welcome(
        Welcome(
          server: configuration.server, profile: profile,
          capabilities: capabilities(for: client), data: data,
          maximumLineBytes: configuration.limits.lineBytes)))
    log(
      HubLogEntry(
        kind: .connected, peer: client.peer, profileID: profile.id,
        text: String(hello.client.prefix(100))))
  }

  /// Who somebody is: what he says himself counts where anyone may come in as
  /// anyone.
  private func profile(of client: HubClient, saying hello: Hello) -> Profile? {
    var profile = hello.profile ?? Profile(id: "", name: "")
    let user: SystemUser? =
      switch client.access {
      case .open, .accounts: nil
      case .system: SystemUser(atSocket: client.connection.descriptor)
      case .ownUser: .own
      }
    if client.access != .open {
      guard let user else { return nil }
      profile.id = user.name
      if profile.name.isEmpty { profile.name = user.fullName }
    }
    guard !profile.id.isEmpty, profile.id.utf8.count <= EventCodec.maximumIDBytes else {
      return nil
    }
    return profile
  }

  private func capabilities(for client: HubClient) -> Capabilities {
    var capabilities = Capabilities(
      history: .full, order: .total, removesDuplicates: true,
      maximumEventBytes: EventCodec.maximumEventBytes, presence: true,
      authenticatesAuthors: client.access != .open)
    capabilities.maximumFileBytes = configuration.limits.fileBytes
    capabilities.isReadOnly = configuration.isReadOnly || client.account?.isReadOnly == true
    return capabilities
  }

  private func answer(_ request: Request, from client: HubClient, _ profile: Profile) {
    switch request {
    case .send(let ref, let send): take(send, ref, from: client)
    case .ping(let ref): client.tell(.pong(ref: ref))
    case .pong, .given: break
    case .bye: dismiss(client)
    case .join(let ref, let join): self.join(client, ref, join)
    case .leave(let ref, let room):
      leave(client, ownName(room))
      client.tell(.left(ref: ref))
    case .history(let ref, let history): page(client, ref, history)
    case .rooms(let ref, let after):
      let (items, next) = roomItems(for: client).page(after: after, \.room) {
        $0.room.utf8.count + 64
      }
      client.tell(.rooms(ref: ref, items, next: next))
    case .members(let ref, let room, let after): tell(client, ref, membersOf: room, after: after)
    case .profile(let ref, let id): tell(client, ref, profileOf: id)
    case .hello, .auth:
      refuse(client, ProtocolError(.invalid, "this was said already"))
    case .command(let ref, _, _, _): refuseRequest(client, ref)
    case .put(let ref, let put): self.put(put, ref, from: client, profile)
    case .chunk(let ref, let data, let isLast):
      take(chunk: data, isLast: isLast, ref, from: client)
    case .get(let ref, let room, let path, let offset):
      get(path, of: room, from: offset, ref, client)
    case .cancel(let ref): cancel(ref, of: client)
    case .unknown(_, let ref): refuseRequest(client, ref)
    }
  }

  private func refuseRequest(_ client: HubClient, _ ref: String?) {
    client.tell(.error(ref: ref, ProtocolError(.unsupported, "this hub cannot do that")))
  }

  private func tell(
    _ client: HubClient, _ ref: String, membersOf room: String, after: String?
  ) {
    do throws(ProtocolError) {
      var seen: Set<String> = []
      let members = try joinedRoom(room, of: client).subscriptions.compactMap(\.client.profile)
        .filter { seen.insert($0.id).inserted }
      let (items, next) = members.page(after: after, \.id) { $0.encodedBytes }
      client.tell(.members(ref: ref, items, next: next))
    } catch {
      client.tell(.error(ref: ref, error))
    }
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

extension Profile {
  /// How long a name, and a whole profile, may be; what is longer is left out.
  private static let nameBytes = 1024
  private static let profileBytes = 16 * 1024

  /// As much as is kept of everybody who is there, however he came in.
  fileprivate var bounded: Profile {
    var profile = self
    if name.utf8.count > Self.nameBytes { profile.name = "" }
    if profile.sizeInBytes > Self.profileBytes { (profile.image, profile.fields) = (nil, [:]) }
    return profile
  }

  /// What it takes on a line, at most.
  fileprivate var encodedBytes: Int {
    var line: [UInt8] = []
    Answer.members(ref: "", [self], next: nil).encode(into: &line)
    return line.count
  }

  fileprivate var sizeInBytes: Int {
    fields.reduce(id.utf8.count + name.utf8.count + (image?.utf8.count ?? 0)) {
      $0 + $1.key.utf8.count + $1.value.utf8.count
    }
  }
}

extension Array {
  /// As many of the elements behind a name as one line takes, in the order of
  /// their names, and behind which one to go on.
  fileprivate func page(
    after: String?, _ name: (Element) -> String, _ size: (Element) -> Int
  ) -> (items: Self, next: String?) {
    let rest = filter { element in after.map { name(element) > $0 } ?? true }
      .sorted { name($0) < name($1) }
    var left = LineProtocol.pageBytes
    for (index, element) in rest.enumerated() {
      left -= size(element)
      if left < 0, index > 0 { return (Array(rest[..<index]), name(rest[index - 1])) }
    }
    return (rest, nil)
  }
}
