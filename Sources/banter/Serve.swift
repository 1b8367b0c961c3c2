internal import CPosix
internal import ChatModel
internal import ChatSession
internal import Dispatch
internal import Glibc
internal import Hub
internal import Sockets
internal import Transport
internal import TransportSecurity

/// `banter serve [PATH]`: shares room files with whoever calls.
@MainActor
struct Serve {
  private let invocation: Invocation
  private let manager: ServiceManager
  private var configuration: HubConfiguration
  private let accountFile: AccountFile
  private let operatorLog: OperatorLog

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    operatorLog = OperatorLog(
      isJSON: invocation.options.isJSON, environment: invocation.environment)
    guard invocation.words.count <= 1 else {
      throw UsageError("serve one file or folder at a time", "파일이나 폴더 하나만 쓰세요")
    }
    let options = invocation.options
    manager = try Self.serviceManager()
    configuration = HubConfiguration(
      place: try Self.place(invocation.words.first, invocation), server: "banter \(Banter.version)")
    configuration.isReadOnly = options.isReadOnly
    configuration.makesRooms = options.makesRooms
    if let text = options.maximumConnections {
      configuration.limits.connections = try Self.number(text, "--max-connections")
    }
    let limits = configuration.limits
    configuration.limits.connections = min(limits.connections, Self.raiseConnectionLimit())
    if let text = options.maximumRate {
      configuration.limits.eventsPerSecond = try Self.number(text, "--max-rate")
    }
    if let text = options.maximumFile {
      let megabytes = try Self.number(text, "--max-file")
      configuration.limits.fileBytes = min(Int64(megabytes) * 1_000_000, RoomFiles.maximumBytes)
    }
    accountFile = AccountFile(of: configuration.place)
    let accounts = try readAccounts()
    configuration.accounts = accounts.accounts
    if let secret = accounts.secret { configuration.loginSecret = secret }
    configuration.endpoints = try endpoints()
    try SocketOptions(options).apply(to: &configuration.endpoints)
    if configuration.endpoints.contains(where: \.address.isSecure) {
      configuration.security = try certificate()
    }
  }

  /// How many descriptors are for rooms, files and what listens.
  private static let ownDescriptors = 256

  /// Lets as many come as the system allows (getrlimit(2)).
  /// - Returns: how many that is.
  private static func raiseConnectionLimit() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return .max }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(resource, &limit)
    let count = Int(clamping: limit.rlim_max)
    return max(count - ownDescriptors, count / 2)
  }

  private func readAccounts() throws -> AccountFile.Contents {
    let (path, contents) = (accountFile.path, try accountFile.read())
    if let line = contents.unreadableLines.first {
      Banter.complain(
        "\(path): \(contents.unreadableLines.count) of its lines are no accounts, such as "
          + "“\(line.prefix(20))”; banter user add makes them")
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
      Banter.complain("\(path): others on this machine may read or change it; chmod 600 the file")
    }
    return contents
  }

  /// What is said to those who call at tls://.
  private func certificate() throws -> TLSContext {
    guard let certificate = invocation.options.certificate, let key = invocation.options.key
    else {
      throw UsageError(
        "tls:// wants --cert FILE and --key FILE; openssl req -x509 -newkey ec -pkeyopt "
          + "ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj /CN=$(hostname) -keyout key.pem "
          + "-out cert.pem makes a pair that others trust when they first see it",
        "tls://에는 --cert 파일과 --key 파일이 필요합니다")
    }
    let context = try TLSContext.server(certificateChainPath: certificate, keyPath: key)
    for warning in context.warnings { Banter.complain(warning) }
    return context
  }

  /// What is served: a folder or a file; one's own rooms where nothing is named.
  static func place(
    _ path: String?, _ invocation: Invocation
  ) throws -> HubConfiguration.Place {
    guard let path else {
      try Self.makeFolder(invocation.folders.rooms)
      return .folder(invocation.folders.rooms)
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      return .folder(Path.absolute(path))
    }
    guard path.hasSuffix(".jsonl") else {
      throw ExitError(
        status: EX_NOINPUT,
        text: LocalizedText(
          "\(path): there is no such folder; a room file's name ends in .jsonl",
          "\(path): 그런 폴더가 없습니다. 방 파일의 이름은 .jsonl로 끝납니다"))
    }
    return .file(Path.absolute(path))
  }

  /// A folder of the user's own, for nobody else.
  private static func makeFolder(_ path: String) throws(ExitError) {
    guard posix_make_private_folder(path) != 0 else { return }
    throw ExitError(status: EX_CANTCREAT, text: .system(path, path, errno))
  }

  private static func number(_ text: String, _ option: String) throws(UsageError) -> Int {
    guard let number = Int(text), number > 0 else {
      throw UsageError(
        "\(option) wants a number above 0, not \(text)", "\(option) 값은 1 이상의 수입니다")
    }
    return number
  }

  // MARK: - Where, and who may come in

  private static func serviceManager() throws(ExitError) -> ServiceManager {
    do {
      return try ServiceManager.takeOver()
    } catch {
      let what = "descriptor \(error.descriptor) \(error.name)".trimmed
      throw ExitError(
        status: EX_USAGE,
        text: LocalizedText(
          "\(what), which was handed over, is no TCP or Unix socket that listens; with systemd, "
            + "write ListenStream= and Accept=no",
          "넘겨받은 \(what)은 연결을 기다리는 TCP나 유닉스 소켓이 아닙니다. systemd에서는 "
            + "ListenStream=과 Accept=no를 쓰세요"))
    }
  }

  private func endpoints() throws -> [HubConfiguration.Endpoint] {
    let texts = invocation.options.listen
    let inherited = try manager.sockets.map { socket in
      HubConfiguration.Endpoint(
        socket.address, access: try access(at: socket.address), socket: socket.descriptor)
    }
    guard !(texts.isEmpty && inherited.isEmpty) else {
      guard !invocation.options.usesStandardStreams else { return [] }
      return [.init(try ownSocket(), access: .system)]
    }
    return try inherited
      + texts.map { text in
        guard let address = SocketAddress(text) else {
          throw UsageError(
            "--listen wants tcp://host:port, tls://host:port or unix:///path, not \(text)",
            "--listen 값은 tcp://host:port, tls://host:port, unix:///path 입니다: \(text)")
        }
        return .init(address, access: try access(at: address))
      }
  }

  private func access(at address: SocketAddress) throws(UsageError) -> HubConfiguration.Access {
    if case .path = address.place { return invocation.options.isOpen ? .open : .system }
    let isOpen = invocation.options.isOpen
    guard isOpen || !configuration.accounts.isEmpty else {
      throw UsageError(
        "\(address): every user of this machine reaches it, and there are no accounts; add one with "
          + "banter user add NAME, or say --open to let anyone come in as anyone",
        "\(address): 이 기기의 모든 사용자가 들어올 수 있습니다. banter user add로 계정을 만들거나 "
          + "--open을 쓰면 누구나 들어옵니다")
    }
    guard address.isSecure || invocation.options.isInsecure || Listener.isLoopback(address) else {
      throw UsageError(
        "\(address): what goes beyond this machine wants TLS; listen at tls:// with a certificate, "
          + "or say --insecure",
        "\(address): 다른 기기와는 TLS가 필요합니다. 인증서와 tls://를 쓰거나 --insecure를 쓰세요")
    }
    return isOpen ? .open : .accounts
  }

  /// The socket in the user's own runtime folder, where nobody else comes.
  private func ownSocket() throws -> SocketAddress {
    try Self.makeFolder(invocation.folders.runtime)
    return SocketAddress(.path(invocation.folders.hubSocket))
  }

  // MARK: - Running

  func run() async throws -> Int32 {
    let hub = Hub(configuration) { [operatorLog] in operatorLog.write($0) }
    do {
      for name in try await hub.start() { operatorLog.write("serving", [("address", name)]) }
    } catch {
      throw ExitError(
        status: error.errorNumber == EPERM ? EX_NOPERM : EX_CANTCREAT,
        text: LocalizedText(
          "\(error.address): cannot listen there: \(error.reason)",
          "\(error.address): 여기서 기다릴 수 없습니다: \(error.reason)"))
    }
    if invocation.options.usesStandardStreams {
      await hub.serve(reading: STDIN_FILENO, writing: STDOUT_FILENO, access: .ownUser)
    }
    let hadTerminal = Self.hasTerminal
    let signals = [SIGTERM, SIGINT, SIGHUP].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        let isReload = number == SIGHUP && hadTerminal == Self.hasTerminal
        if !isReload { manager.notify("STOPPING=1") }
        Task { if isReload { await reload(hub) } else { await hub.stop() } }
      }
      return source
    }
    for signal in signals { await signal.activateAndWait() }
    manager.notify("READY=1")
    await hub.waitUntilEmpty()
    for signal in signals { signal.cancel() }
    manager.notify("STOPPING=1")
    operatorLog.finish()
    return EX_OK
  }

  /// Whether there is a terminal that controls this process; one that has gone
  /// says so by the same signal by which others ask to read anew, tty(4).
  private static var hasTerminal: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  /// Reads accounts and certificate anew; what cannot be read stays as it was.
  private func reload(_ hub: Hub) async {
    do {
      let security = configuration.security == nil ? nil : try certificate()
      let accounts = try readAccounts().accounts
      // A file that was lost is no reason to throw everybody out.
      let isLost = accounts.isEmpty && !configuration.accounts.isEmpty
      if isLost {
        Banter.complain("\(accountFile.path): no accounts are in it; those of before stay")
      }
      await hub.reload(accounts: isLost ? nil : accounts, security: security)
      operatorLog.write("reloaded", [("accounts", accountFile.path)])
    } catch {
      Banter.complain("not reloaded: \(error)")
    }
  }
}
