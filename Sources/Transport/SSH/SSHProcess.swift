internal import Processes
internal import Synchronization

/// A running ssh. It has no terminal, and ends with its standard input: also
/// when Banter is killed, and nobody is there to end it.
final class SSHProcess: LineCarrier {
  /// What becomes of its questions.
  final class Events: Sendable {
    private struct State {
      var openQuestionCount = 0
      var isRefused = false
      var onRefusal: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())

    var openQuestionCount: Int {
      get { state.withLock(\.openQuestionCount) }
      set { state.withLock { $0.openQuestionCount = newValue } }
    }

    var isRefused: Bool { state.withLock(\.isRefused) }

    func onRefusal(_ body: @escaping @Sendable () -> Void) {
      state.withLock { $0.onRefusal = body }
    }

    /// The user gives no answer.
    func refuse() {
      let body = state.withLock { state in
        state.isRefused = true
        return state.onRefusal
      }
      body()
    }
  }

  private let child: ChildProcess
  private let errors: ErrorOutput
  private let socket: AskPassSocket?
  private let host: String
  private let events: Events
  private let exit: Task<Int32, Never>

  init(
    _ child: ChildProcess, _ errors: ErrorOutput, _ socket: AskPassSocket?, host: String,
    _ events: Events
  ) {
    (self.child, self.errors, self.socket) = (child, errors, socket)
    (self.host, self.events) = (host, events)
    exit = Task {
      let status = await child.waitUntilExit()
      await socket?.close()
      return status
    }
    // Without an answer it would only ask again.
    events.onRefusal { child.end() }
  }

  var isAsking: Bool { events.openQuestionCount > 0 }

  func end(within patience: Duration) async {
    let exit = exit
    let deadline = Task { [child] in
      try? await Task.sleep(for: patience)
      if !Task.isCancelled { child.end() }
    }
    _ = await exit.value
    deadline.cancel()
  }

  func reason(lastWords: String?) async -> TransportError? {
    let ending = SSHEnding(
      status: await exit.value, errors: await errors.text, lastWords: lastWords)
    guard !events.isRefused else {
      return TransportError(
        .refused, path: host,
        reason: "ssh was given no answer; open the room again to be asked again")
    }
    return ending.error(from: host)
  }
}
