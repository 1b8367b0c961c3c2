internal import ChatModel
internal import ChatSession
internal import Executors
internal import Glibc
internal import SessionLog
internal import Sockets
internal import Transport
internal import TransportSecurity

/// Rooms: where they are, and what carries them.
extension Invocation {
  /// The file in which a room is kept.
  func path(of room: RoomAddress) throws -> String {
    if let path = filePath(of: room) { return path }
    throw ExitError(
      status: EX_UNAVAILABLE,
      text: LocalizedText(
        "\(room.text): this needs a room file on this machine; name a room or a file",
        "\(room.text): 이 기기의 방 파일이 필요합니다. 방 이름이나 파일을 쓰세요"))
  }

  private func filePath(of room: RoomAddress) -> String? {
    switch room.place {
    case .named(let name): RoomFolder(folders.rooms).file(ofRoom: name)
    case .file(let path): path
    case .socket, .remote: nil
    }
  }

  /// What carries a room. A file's folders are made where its name is Banter's
  /// own; those of a path are the user's, and a slip of the pen if they are
  /// missing.
  /// - Parameter questioner: asks the user what the way there wants to know;
  ///   nil where nobody is asked.
  func transport(
    to room: RoomAddress, patience: LinkRoom.Patience, questioner: (any Questioner)? = nil
  ) throws -> any Transport {
    if let path = filePath(of: room) {
      let isTyped = if case .file = room.place { true } else { false }
      return FileRoom(path: path, isOwn: !isTyped)
    }
    let way = try way(to: room, questioner)
    let hello = Hello(
      client: "banter \(Banter.version)", address: room.text, profile: settings.profile,
      settings: way.settings)
    return LinkRoom(
      way.dialer, room: way.room, hello: hello, patience: patience, login: way.login,
      expectsLogin: way.expectsLogin, questioner: way.questioner,
      cache: FileCache(folder: folders.fetchedFiles), executor: way.executor)
  }

  /// Who calls the far side, what the room is called there, and who one is.
  private struct Way {
    var dialer: any Dialer
    var room: String
    var login: LoginSource = { _ in nil }
    var expectsLogin = false
    /// Answers what a plugin wants to know.
    var questioner: (any Questioner)?
    var settings: [String: String] = [:]
    var executor = QueueExecutor(label: "banter.link")
  }

  private func way(to room: RoomAddress, _ questioner: (any Questioner)?) throws -> Way {
    switch room.place {
    case .socket(let path, let name):
      return Way(dialer: SocketDialer(SocketAddress(.path(path))), room: name)
    case .remote(let scheme, let authority, let name) where scheme == "tcp" || scheme == "tls":
      let (user, address) = try socketAddress(authority, of: room, isSecure: scheme == "tls")
      guard case .host(let host, let port) = address.place else { preconditionFailure("a host") }
      let secureHost = try address.isSecure ? secureHost(host, port) : nil
      return Way(
        dialer: SocketDialer(address, secureHost: secureHost), room: name,
        login: login(at: "\(host):\(port)", user: user, questioner),
        expectsLogin: hasLogin(at: "\(host):\(port)", user: user))
    case .remote("ssh", let authority, let path):
      return Way(dialer: try sshDialer(authority, path, of: room, questioner), room: "")
    case .remote(let scheme, let authority, let name):
      return try pluginWay(scheme, authority, name, of: room, questioner)
    case .named, .file: preconditionFailure("a file is no way")
    }
  }

  private func pluginWay(
    _ scheme: String, _ authority: String, _ name: String, of room: RoomAddress,
    _ questioner: (any Questioner)?
  ) throws(ExitError) -> Way {
    guard let program = plugins.program(for: scheme) else {
      throw ExitError(
        status: EX_UNAVAILABLE,
        text: LocalizedText(
          "\(room.text): there is no plugin banter-\(scheme); see banter plugins, or write tcp://, tls://, ssh:// or unix://",
          "\(room.text): banter-\(scheme) 플러그인이 없습니다. banter plugins를 보거나 tcp://, tls://, ssh://, unix://를 쓰세요"
        ))
    }
    let link = plugins.link(to: authority, program)
    return Way(
      dialer: PluginDialer(link), room: name,
      questioner: pluginQuestioner(authority, questioner),
      settings: settings.plugins[program.name] ?? [:], executor: link.executor)
  }

  /// What answers a plugin that goes to `[user@]host`.
  func pluginQuestioner(
    _ authority: String, _ questioner: (any Questioner)?
  ) -> PluginQuestioner {
    let at = authority.lastIndex(of: "@")
    let host = at.map { String(authority[authority.index(after: $0)...]) } ?? authority
    let own = login(at: host, user: at.map { String(authority[..<$0]) }, nil)
    return PluginQuestioner(
      stored: { [self] in $0.map { secret(of: $0, at: host) } ?? own }, asking: questioner)
  }

  private func sshDialer(
    _ authority: String, _ path: String, of room: RoomAddress, _ questioner: (any Questioner)?
  ) throws(UsageError) -> SSHDialer {
    guard let address = SSHAddress(authority: authority, room: path) else {
      throw UsageError(
        "\(room.text): write ssh://[user@]host[:port]/path/to/room.jsonl",
        "\(room.text): ssh://[user@]host[:port]/path/to/room.jsonl 꼴로 쓰세요")
    }
    let questions = questioner.map {
      SSHDialer.Questions(questioner: $0, folder: folders.runtime, program: Self.program)
    }
    return SSHDialer(address, environment: environment, questions: questions)
  }

  /// This program's own file, proc_pid_exe(5).
  static var program: String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:))
    return bytes.isEmpty ? "banter" : String(decoding: bytes, as: UTF8.self)
  }

  private func secureHost(_ host: String, _ port: String) throws -> SecureHost {
    // Where the user names issuers, nobody else counts (SSL_CERT_FILE).
    SecureHost(
      context: try TLSContext.client(), host: host, port: UInt16(port) ?? 0,
      trusted: TrustedHosts(path: folders.trustedHosts))
  }

  /// The user's name there, where the address has one, and the host.
  private func socketAddress(
    _ authority: String, of room: RoomAddress, isSecure: Bool
  ) throws(UsageError) -> (user: String?, address: SocketAddress) {
    let at = authority.lastIndex(of: "@")
    let user = at.map { String(authority[..<$0]) }
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority[...]
    guard let address = SocketAddress(authority: host, isSecure: isSecure) else {
      throw UsageError(
        "\(room.text): \(authority) is no host with a port from 1 to 65535",
        "\(room.text): \(authority)에서 포트를 읽을 수 없습니다 (1-65535)")
    }
    return (user, address)
  }

  /// What the log calls a room: the same however it was written.
  func loggedRoom(_ room: RoomAddress) throws -> LoggedRoom {
    let address =
      if let path = filePath(of: room) {
        "file://" + Path.absolute(path)
      } else if case .remote(let scheme, let authority, let name) = room.place,
        scheme == "tcp" || scheme == "tls"
      {
        "\(try socketAddress(authority, of: room, isSecure: scheme == "tls").address)/\(name)"
      } else if case .remote(let scheme, let authority, let name) = room.place {
        "\(scheme)://\(authority)/\(name)"
      } else {
        room.text
      }
    return LoggedRoom(address: address, name: room.displayName)
  }
}
