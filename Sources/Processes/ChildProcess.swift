internal import CPosix
internal import Dispatch
internal import Glibc

/// Another program that was started and is waited for.
///
/// It gets an empty signal mask and default handlers, whatever this process
/// has (posix_spawnattr_setsigmask(3), posix_spawnattr_setsigdefault(3)), and
/// none of this process's descriptors but the three that are named.
package struct ChildProcess: Sendable {
  package let id: Int32

  /// Where a standard stream of the child leads.
  package enum Stream: Sendable {
    case inherited
    case null
    /// A descriptor of this process, which stays open here.
    case descriptor(Int32)
  }

  /// Starts `arguments[0]`, looked for in `PATH` unless it has a slash.
  /// - Throws: ``ChildProcessError`` when it cannot be started.
  package init(
    _ arguments: [String], environment: [String: String], input: Stream = .inherited,
    output: Stream = .inherited, error: Stream = .inherited
  ) throws(ChildProcessError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, stream) in [(0, input), (1, output), (2, error)] as [(Int32, Stream)] {
      switch stream {
      case .inherited: break
      case .null: posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .descriptor(let source): posix_spawn_file_actions_adddup2(&actions, source, target)
      }
    }
    posix_spawn_close_from(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.resetSignals(&attributes)

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
  }

  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }

  /// Waits for its end, on a thread of its own.
  /// - Returns: its exit status, or 128 and the signal that ended it, or 255
  ///   when that cannot be known.
  package func waitUntilExit() async -> Int32 {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var status: Int32 = 0
        var ended = waitpid(id, &status, 0)
        while ended < 0 && errno == EINTR { ended = waitpid(id, &status, 0) }
        // Where nobody may wait (SIGCHLD ignored), nobody knows how it went.
        continuation.resume(returning: ended == id ? posix_exit_status(status) : 255)
      }
    }
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
