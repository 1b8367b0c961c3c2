internal import ChatModel
internal import Dispatch
internal import Executors
internal import Glibc
internal import IRC
internal import PluginHost
internal import Sockets
internal import TerminalText
internal import Transport
internal import TransportSecurity

/// Carries lines between the host at standard input and output, the server at
/// a socket, and the session that knows what they mean.
actor Plugin {
  nonisolated let executor = QueueExecutor(label: "banter.irc")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let language: Language
  nonisolated var wording: Wording { Wording(language: language) }
  let policies: PolicyFile?
  let start = ContinuousClock.now
  let buffer = ReadBuffer()
  var session: IRCSession?
  var host: HostLine?
  var server: LineConnection?
  /// Tells the calls back of one connection from those of another.
  var serverNumber = 0
  /// Whether the session was told that the server can be spoken to.
  var isConnected = false
  var calling: Task<Void, Never>?
  var timer: Task<Void, Never>?
  var timerDeadline: Duration?
  var isTurnComing = false
  var hasEnded = false
  var isHostGone = false
  var endings: [CheckedContinuation<Void, Never>] = []

  /// How much may wait for the server before it is read no further.
  static let pendingLimit = 4 * 1024 * 1024
  /// A line of IRC, tags and all, is much shorter.
  static let serverLineLimit = 96 * 1024

  init(language: Language, home: String?) {
    self.language = language
    policies = PolicyFile(home: home)
  }

  /// Serves whoever is at the two descriptors, which become the plugin's, and
  /// returns when he has gone.
  func serve(reading: Int32, writing: Int32) async {
    host = HostLine(
      reading: reading, writing: writing, queue: executor.queue, author: { "" },
      take: { [weak self] line in self?.assumeIsolated { $0.take(line) } },
      onRoom: { [weak self] in self?.assumeIsolated { $0.comeTurn() } },
      onEnd: { [weak self] in self?.assumeIsolated { $0.loseHost() } })
    if !isHostGone { await withCheckedContinuation { endings.append($0) } }
    await host?.waitUntilWritten()
  }

  var now: IRCSession.Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return IRCSession.Moment(
      uptime: ContinuousClock.now - start,
      time: Timestamp(
        milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000))
  }

  // MARK: - The host

  private func take(_ line: Result<Request, RequestFault>) {
    guard !hasEnded else { return }
    defer { comeTurn() }
    do throws(RequestFault) {
      let request = try line.get()
      session?.now = now
      if let session { session.take(request: request) } else { greet(request) }
    } catch {
      if let session { return session.refuse(error) }
      host?.say(.error(ref: error.ref, ProtocolError(.invalid, error.reason)))
      end()
    }
  }

  /// The host has gone, and with it the reason to be there.
  private func loseHost() {
    isHostGone = true
    takeLeave()
    comeTurn()
    for ending in endings { ending.resume() }
    endings = []
  }

  private func greet(_ request: Request) {
    guard case .hello(let hello) = request else {
      host?.say(.error(ref: nil, ProtocolError(.invalid, "the first line is a hello")))
      return end()
    }
    do throws(ProtocolError) {
      let settings = try SessionSettings(hello, language: language)
      let session = IRCSession(
        settings: settings, policies: policies?.read() ?? [:], now: now)
      self.session = session
      session.begin(with: hello)
    } catch {
      host?.say(.error(ref: nil, error))
      end()
    }
  }

  private func takeLeave() {
    guard let session, !hasEnded else { return end() }
    session.now = now
    session.take(request: .bye)
  }

  // MARK: - Turns

  /// Everything that has arrived by now is behind this in the queue.
  func comeTurn() {
    guard !isTurnComing else { return }
    isTurnComing = true
    executor.queue.async { [weak self] in self?.assumeIsolated { $0.turn() } }
  }

  private func turn() {
    isTurnComing = false
    session?.now = now
    session?.tick()
    carryOut()
    if let session {
      let lines = session.takeServerBytes()
      if !lines.isEmpty { server?.append { $0 += lines } }
      session.takeHostBytes { answers in host?.say { $0 += answers } }
      schedule(session.deadline)
    }
    flush()
  }

  private func carryOut() {
    while let session, !session.orders.isEmpty {
      switch session.orders.removeFirst() {
      case .connect(let name, let port, let isSecure): call(name, port, isSecure)
      case .hangUp: hangUp()
      case .remember(let host, let policy): policies?.remember(host, policy)
      case .end: end()
      }
    }
  }

  private func flush() {
    do throws(LineConnection.End) { try server?.flush() } catch { lose(error) }
    server?.setReading(isRead)
    if hasEnded { host?.end() }
  }

  /// Whether both sides read what they are told; until they do, nothing more
  /// is heard.
  var isRead: Bool {
    !(host?.isFull ?? true) && server?.pendingBytes ?? 0 <= Self.pendingLimit
  }

  private func schedule(_ deadline: Duration?) {
    guard deadline != timerDeadline else { return }
    timer?.cancel()
    timerDeadline = deadline
    guard let deadline else { return timer = nil }
    timer = Task {
      try? await Task.sleep(until: start + deadline)
      if !Task.isCancelled {
        timerDeadline = nil
        comeTurn()
      }
    }
  }

  func end() {
    hasEnded = true
    hangUp()
    timer?.cancel()
    comeTurn()
  }
}
