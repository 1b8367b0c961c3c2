internal import Executors
internal import Sockets

/// A conversation with a plugin, line by line, that holds it to the protocol.
actor PluginConversation {
  private nonisolated let executor = QueueExecutor(label: "banter.plugin.check")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var process: PluginProcess?
  private var connection: LineConnection?
  private let buffer = ReadBuffer()
  /// What it has said and nobody has asked for yet.
  private var heard: [Answer] = []
  /// Lines that are none of the protocol.
  private(set) var junk: [String] = []
  private static let junkLimit = 100
  private(set) var hasHungUp = false
  private var waiter: CheckedContinuation<Void, Never>?

  private let pace: PluginPace

  /// Starts the plugin.
  init(
    _ program: PluginProgram, environment: [String: String], pace: PluginPace
  ) async throws(TransportError) {
    self.pace = pace
    let (process, connection) = try PluginProcess.start(
      program, environment: environment, queue: executor.queue,
      onReadable: { [weak self] in self?.assumeIsolated { $0.receive() } },
      onWritable: { [weak self] in self?.assumeIsolated { try? $0.connection?.flush() } })
    (self.process, self.connection) = (process, connection)
  }

  func say(_ line: String) {
    connection?.append { $0 += Array(line.utf8) + [UInt8(ascii: "\n")] }
    try? connection?.flush()
  }

  func say(_ request: Request) {
    _ = connection?.say(request, limitInBytes: .max)
    try? connection?.flush()
  }

  /// The first answer that is wanted, which is taken out; nil when none comes in
  /// time.
  /// - Parameter time: how long at most; nil for as long as such a plugin takes.
  func answer(
    within time: Duration? = nil, _ isWanted: @Sendable (Answer) -> Bool
  ) async -> Answer? {
    let start = ContinuousClock.now
    let deadline = start + (time ?? pace.patience)
    while true {
      if let index = heard.firstIndex(where: isWanted) {
        pace.note(ContinuousClock.now - start)
        return heard.remove(at: index)
      }
      guard !hasHungUp, ContinuousClock.now < deadline else {
        pace.noteSilence()
        return nil
      }
      let timer = Task {
        try? await Task.sleep(until: deadline)
        wake()
      }
      await withCheckedContinuation { waiter = $0 }
      timer.cancel()
    }
  }

  /// Passes over what it has said so far.
  func forget() { heard = [] }

  /// Closes its standard input.
  func endWriting() { connection?.endWriting() }

  /// Whether it ends by itself in time; it is ended otherwise.
  func endsByItself(within time: Duration) async -> Bool {
    let clock = ContinuousClock.now
    await process?.end(within: time)
    return ContinuousClock.now - clock < time
  }

  private func receive() {
    do throws(LineConnection.End) {
      try connection?.receive(through: buffer) { line in
        if let answer = try? Answer.decode(line) {
          heard.append(answer)
        } else if junk.count < Self.junkLimit {
          junk.append(String(decoding: line.prefix(200), as: UTF8.self))
        }
        return true
      }
    } catch {
      hasHungUp = true
      connection = nil
    }
    wake()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
