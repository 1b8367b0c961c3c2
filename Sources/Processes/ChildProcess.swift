internal import CPosix
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Another program that was started and is waited for.
///
/// It gets an empty signal mask and default handlers, whatever this process
/// has (posix_spawnattr_setsigmask(3), posix_spawnattr_setsigdefault(3)), and
/// none of this process's descriptors but the three that are named.
package struct ChildProcess: Sendable {
  package let id: Int32
  private let session: Session
  private let life = Life()

  /// Guards the id: once the child has been waited for, another process may
  /// get it.
  private final class Life: Sendable {
    struct State {
      var isOver = false
      /// Whether it was asked to end.
      var isEnding = false
      /// What it had started when it was asked to end.
      var family: ProcessFamily?
    }

    let state = Mutex(State())
  }

  /// Which session, and so which terminal, the child belongs to
  /// (credentials(7)).
  package enum Session: Sendable {
    /// This process's.
    case inherited
    /// One of its own, without a terminal that it could ask something at.
    case own
    /// The same, and what it starts may stay when it has ended.
    case detached
  }

  /// How long it may take to end before it is killed.
  private static let patience = 2

  /// Where a standard stream of the child leads.
  package enum Stream: Sendable {
    case inherited
    case null
    /// A descriptor of this process, which stays open here.
    case descriptor(Int32)
    /// Read and kept once the child has started.
    case kept(ErrorOutput)
  }

  /// Starts `arguments[0]`, looked for in `PATH` unless it has a slash.
  /// - Throws: ``ChildProcessError`` when it cannot be started.
  package init(
    _ arguments: [String], environment: [String: String], input: Stream = .inherited,
    output: Stream = .inherited, error: Stream = .inherited, session: Session = .inherited
  ) throws(ChildProcessError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, stream) in [(0, input), (1, output), (2, error)] as [(Int32, Stream)] {
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
      case .kept(let errors):
        posix_spawn_file_actions_adddup2(&actions, errors.writeEnd, target)
      }
    }
    posix_spawn_close_from(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(&attributes)
    self.session = session
    if session != .inherited { Self.addFlag(posix_spawn_new_session(), to: &attributes) }

    let program = arguments[0]
    var arguments: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var id = pid_t()
    let status = posix_spawnp(&id, program, &actions, &attributes, &arguments, &variables)
    guard status == 0 else {
      throw ChildProcessError(program: program, errorNumber: status)
    }
    self.id = id
    for case .kept(let errors) in [output, error] { errors.start() }
  }

  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    addFlag(Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF), to: &attributes)
  }

  private static func addFlag(_ flag: Int16, to attributes: inout posix_spawnattr_t) {
    var flags: Int16 = 0
    posix_spawnattr_getflags(&attributes, &flags)
    posix_spawnattr_setflags(&attributes, flags | flag)
  }

  /// Waits for its end. When the task is cancelled
  /// the child is ended with what it has started, see ``end()``, and that is
  /// waited for as well.
  /// - Parameter body: what is done first, while the child runs.
  /// - Returns: its exit status, or 128 and the signal that ended it, or 255
  ///   when that cannot be known.
  package func waitUntilExit(whileRunning body: () async -> Void = {}) async -> Int32 {
    await withTaskCancellationHandler {
      await body()
      await untilOver()
      return reap()
    } onCancel: {
      end()
    }
  }

  /// Returns when it has ended; it stays a zombie, so that no other process gets
  /// its id. No thread waits meanwhile: a pidfd is readable then (pidfd_open(2)).
  private func untilOver() async {
    let process = posix_open_process(id)
    // Without one, ``reap()`` waits.
    guard process >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: process, queue: .global())
    source.setCancelHandler { close(process) }
    await withCheckedContinuation { continuation in
      source.setEventHandler {
        source.cancel()
        continuation.resume()
      }
      source.activate()
    }
  }

  /// Asks it and what it has started to end, and kills them when they have not
  /// done so after two seconds.
  package func end() {
    signal([SIGTERM, SIGCONT])
    let deadline = DispatchTime.now() + .seconds(Self.patience)
    DispatchQueue.global().asyncAfter(deadline: deadline) { signal([SIGKILL]) }
  }

  /// A stopped process hears nothing before SIGCONT. The child comes first, so
  /// that a script does not go on when its command has ended.
  private func signal(_ numbers: [Int32]) {
    life.state.withLock { state in
      state.isEnding = true
      if case .own = session {
        // What it has started is in its group, unless it went its own way.
        if !state.isOver { for number in numbers { kill(-id, number) } }
        return
      }
      let isFirst = state.family == nil
      if !state.isOver {
        let family = ProcessFamily(of: id)
        for number in numbers { kill(id, number) }
        if isFirst { state.family = family } else { numbers.forEach(family.send) }
      }
      if let family = state.family { numbers.forEach(family.send) }
    }
  }

  private func reap() -> Int32 {
    // Waits, but leaves it a zombie that still has the id.
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    let (status, family) = life.state.withLock { state in
      // Nobody is left whom the rest of its session would serve; what was asked to
      // end with it, and has not, is not asked again.
      if case .own = session {
        for number in state.isEnding ? [SIGKILL] : [SIGTERM, SIGCONT] { kill(-id, number) }
      }
      state.isOver = true
      var status: Int32 = 0
      var ended = waitpid(id, &status, 0)
      while ended < 0 && errno == EINTR { ended = waitpid(id, &status, 0) }
      // Where nobody may wait (SIGCHLD ignored), nobody knows how it went.
      return (ended == id ? posix_exit_status(status) : 255, state.family)
    }
    // The terminal is theirs as long as one of them is there.
    family?.wait(seconds: Int32(Self.patience) + 1)
    return status
  }
}

/// Why a program could not be started.
package struct ChildProcessError: Error, CustomStringConvertible {
  package var program: String
  /// errno(3).
  package var errorNumber: Int32

  /// What the system says.
  package var reason: String { String(cString: strerror(errorNumber)) }

  package var description: String { "\(program) cannot be started: \(reason)" }
}
