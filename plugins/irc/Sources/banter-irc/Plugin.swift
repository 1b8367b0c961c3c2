internal import ChatModel
internal import Dispatch
internal import Executors
internal import Glibc
internal import IRC
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
  var host: LineConnection?
  var server: LineConnection?
  var relay: PipeRelay?
  /// Tells the calls back of one connection from those of another.
  var serverNumber = 0
  /// Whether the session was told that the server can be spoken to.
  var isConnected = false
  var calling: Task<Void, Never>?
  var timer: Task<Void, Never>?
  var timerDeadline: Duration?
  var isTurnComing = false
  var hasEnded = false
  var endings: [CheckedContinuation<Void, Never>] = []

  /// How much may wait for the host, or the server, before the server is read
  /// no further.
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
    let relay = PipeRelay(reading: reading, writing: writing)
    self.relay = relay
    let (input, output) = relay.map { ($0.socket, $0.socket) } ?? (reading, writing)
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    host = LineConnection(
      DescriptorStream(
        reading: input, writing: output, queue: executor.queue,
        onReadable: { [weak self] in self?.assumeIsolated { $0.receiveFromHost() } },
        onWritable: { [weak self] in self?.assumeIsolated { $0.comeTurn() } }),
      maximumLineBytes: LineProtocol.maximumLineBytes)
    if !hasEnded { await withCheckedContinuation { endings.append($0) } }
    await relay?.waitUntilWritten(within: .seconds(2))
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

  private func receiveFromHost() {
    guard let host, !hasEnded else { return }
    do throws(LineConnection.End) {
      let hasMore = try host.receive(through: buffer) { line in
        take(hostLine: line)
        return !hasEnded
      }
      if hasMore {
        executor.queue.async { [weak self] in self?.assumeIsolated { $0.receiveFromHost() } }
      }
    } catch {
      // The host has gone, and with it the reason to be there.
      takeLeave()
    }
    comeTurn()
  }

  private func take(hostLine line: UnsafeRawBufferPointer) {
    do throws(RequestFault) {
      let request = try Request.decode(line, by: "")
      session?.now = now
      if let session { session.take(request: request) } else { greet(request) }
    } catch {
      if let session { return session.refuse(error) }
      tell(.error(ref: error.ref, ProtocolError(.invalid, error.reason)))
      end()
    }
  }

  private func greet(_ request: Request) {
    guard case .hello(let hello) = request else {
      tell(.error(ref: nil, ProtocolError(.invalid, "the first line is a hello")))
      return end()
    }
    do throws(ProtocolError) {
      let settings = try SessionSettings(hello, language: language)
      let session = IRCSession(
        settings: settings, policies: policies?.read() ?? [:], now: now)
      self.session = session
      session.begin(with: hello)
    } catch {
      tell(.error(ref: nil, error))
      end()
    }
  }

  private func tell(_ answer: Answer) {
    host?.append { answer.encode(into: &$0) }
  }

  private func takeLeave() {
    guard let session else { return end() }
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
      session.takeHostBytes { answers in host?.append { $0 += answers } }
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
    do throws(LineConnection.End) { try host?.flush() } catch { end() }
    guard let host else { return }
    server?.setReading(isRead)
    if hasEnded, host.pendingBytes == 0 {
      host.endWriting()
      self.host = nil
      for ending in endings { ending.resume() }
      endings = []
    }
  }

  /// Whether both sides read what they are told; until they do, nothing more
  /// is heard.
  var isRead: Bool {
    [host, server].allSatisfy { ($0?.pendingBytes ?? 0) <= Self.pendingLimit }
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
