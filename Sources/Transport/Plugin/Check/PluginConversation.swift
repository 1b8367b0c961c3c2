internal import Executors
internal import Sockets

/// A conversation with a plugin, line by line, that holds it to the protocol.
actor PluginConversation {
  private nonisolated let executor = QueueExecutor(label: "banter.plugin.check")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private var process: PluginProcess?
  private var connection: LineConnection?
  private let buffer = ReadBuffer()
  /// What it has said last and nobody has asked for yet.
  private var heard: [(answer: Answer, sizeInBytes: Int)] = []
  private static let (heardLimit, heardBytes) = (1_000, 4 << 20)
  var heardCount: Int { heard.count }
  /// Lines that are none of the protocol.
  private(set) var junk: [String] = []
  private static let junkLimit = 100
  private(set) var hasHungUp = false
  private var waiter: CheckedContinuation<Void, Never>?
  /// Answers what it asks for.
  private let questioner: (any Questioner)?
  private var asked: Set<String> = []
  private var openQuestions: [Task<Void, Never>] = []
  /// What it asked for and was not given: it does not go on without.
  private(set) var ungiven: String?

  private let pace: PluginPace

  /// Starts the plugin.
  init(
    _ program: PluginProgram, environment: [String: String], questioner: (any Questioner)?,
    pace: PluginPace
  ) async throws(TransportError) {
    (self.pace, self.questioner) = (pace, questioner)
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
      if let index = heard.firstIndex(where: { isWanted($0.answer) }) {
        pace.note(ContinuousClock.now - start)
        return heard.remove(at: index).answer
      }
      guard !hasHungUp, ungiven == nil, ContinuousClock.now < deadline else {
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

  /// Why nothing came.
  /// - Parameter otherwise: where it was not asked for anything.
  func silence(_ otherwise: String) -> String {
    guard let ungiven else { return otherwise }
    return "it asks for \(ungiven), and there is none; write a line HOST USER PASSWORD into the "
      + "passwords file, or set passwordCommand"
  }

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
          hear(answer, sizeInBytes: line.count)
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

  private func hear(_ answer: Answer, sizeInBytes: Int) {
    if case .need(let ref, let name, let isSecret, let user) = answer {
      return give(ref, name, isSecret: isSecret, of: user)
    }
    heard.append((answer, sizeInBytes))
    let isTooMuch =
      heard.count > Self.heardLimit || heard.reduce(0) { $0 + $1.sizeInBytes } > Self.heardBytes
    // Nobody waits for what was said so long before.
    if isTooMuch { heard.removeFirst(heard.count / 2) }
  }

  private static let needLimit = 8

  private func give(_ ref: String, _ name: String, isSecret: Bool, of user: String?) {
    let name = String(name.prefix(200))
    let question = Question(
      asker: "banter plugins check", text: name, kind: isSecret ? .secret : .visible,
      isRepeated: !asked.insert(name).inserted, user: user)
    guard openQuestions.count < Self.needLimit else { return }
    openQuestions.append(
      Task {
        if let value = await questioner?.answer(to: question) {
          say(.given(ref: ref, value: value))
        } else {
          ungiven = name
          wake()
        }
      })
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
