internal import CPosix
internal import Executors
internal import Glibc
internal import Sockets

/// Where ssh's questions come in: a socket at which the program calls that ssh
/// starts as its `SSH_ASKPASS` (ssh(1), "ENVIRONMENT"), see ``AskPassCall``.
///
/// A caller sends what kind of question it is, a newline, the question and a
/// NUL, and gets `=` and the answer, or nothing. One that hangs up withdraws
/// its question.
actor AskPassSocket {
  private static let questionLimitInBytes = 16_384

  private nonisolated let executor = QueueExecutor(label: "banter.askpass")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  nonisolated let path: String
  private let asker: String
  private let questioner: any Questioner
  private let onAsking: @Sendable (Int) -> Void
  private let onRefusal: @Sendable () -> Void
  private var listener: Listener?
  private var callers: [Int: Caller] = [:]
  private var nextNumber = 0
  private let buffer = ReadBuffer()

  private struct Caller {
    let stream: DescriptorStream
    var bytes: [UInt8] = []
    var asking: Task<Void, Never>?
  }

  /// - Parameters:
  ///   - path: of the socket, which only its user may call at.
  ///   - asker: who asks, for people.
  ///   - onAsking: told how many questions are open whenever that changes.
  ///   - onRefusal: told when the user gives no answer.
  init(
    at path: String, asker: String, questioner: any Questioner,
    onAsking: @escaping @Sendable (Int) -> Void, onRefusal: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.asker = asker
    self.questioner = questioner
    self.onAsking = onAsking
    self.onRefusal = onRefusal
  }

  func open() throws(TransportError) {
    let address = SocketAddress(.path(path))
    do throws(SocketError) {
      listener = try Listener.listen(at: address, queue: executor.queue) { [weak self] _ in
        self?.assumeIsolated { $0.acceptAll() }
      }.first
    } catch {
      throw TransportError(
        .cannotCreate, errorNumber: error.errorNumber, path: path, reason: error.reason)
    }
  }

  /// Withdraws every question; nobody can call any more.
  func close() {
    listener = nil
    for number in callers.keys { forget(number) }
  }

  private func acceptAll() {
    while let listener, let accepted = try? listener.accept() {
      guard peerUser(of: accepted) == geteuid() else {
        Glibc.close(accepted)
        continue
      }
      nextNumber += 1
      let number = nextNumber
      callers[number] = Caller(
        stream: DescriptorStream(
          reading: accepted, writing: accepted, queue: executor.queue,
          onReadable: { [weak self] in self?.assumeIsolated { $0.receive(from: number) } },
          onWritable: {}))
    }
  }

  private func receive(from number: Int) {
    while let caller = callers[number] {
      switch caller.stream.read(into: buffer.bytes) {
      case .wouldBlock: return
      case .ended, .failed: return forget(number)
      case .count(let count): take(buffer.bytes[..<count], from: number)
      }
    }
  }

  private func take(_ bytes: Slice<UnsafeMutableRawBufferPointer>, from number: Int) {
    guard callers[number]?.asking == nil else { return }
    callers[number]?.bytes += bytes
    guard let received = callers[number]?.bytes else { return }
    guard let end = received.firstIndex(of: 0) else {
      if received.count > Self.questionLimitInBytes { forget(number) }
      return
    }
    let lines = received[..<end].split(
      separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard lines.count == 2 else { return forget(number) }
    let text = String(decoding: lines[1], as: UTF8.self)
    let question = Question(
      asker: asker, text: text,
      kind: Self.kind(hint: String(decoding: lines[0], as: UTF8.self), text))
    callers[number]?.asking = Task {
      let answer = await questioner.answer(to: question)
      if !Task.isCancelled { give(answer, to: number) }
    }
    onAsking(callers.values.count { $0.asking != nil })
  }

  /// ssh says of few questions of which kind they are (readpass.c).
  static func kind(hint: String, _ text: String) -> Question.Kind {
    if hint == "none" { return .notice }
    let wantsYes = hint == "confirm" || text.contains("(yes/no") || text.contains("'yes', 'no'")
    return wantsYes ? .visible : .secret
  }

  private func give(_ answer: String?, to number: Int) {
    if let answer {
      let bytes = Array("=\(answer)".utf8)
      // Far smaller than what a socket takes at once.
      _ = bytes.withUnsafeBytes { callers[number]?.stream.write($0) }
    } else {
      onRefusal()
    }
    forget(number)
  }

  private func forget(_ number: Int) {
    callers.removeValue(forKey: number)?.asking?.cancel()
    onAsking(callers.values.count { $0.asking != nil })
  }
}
