internal import CPosix
internal import Executors
internal import Glibc

/// What a program left behind.
package struct Outcome: Sendable {
  package var output: [UInt8]
  package var errors: [UInt8]
  /// The exit status, or 128 and the signal; 124 after too long a time.
  package var status: Int32

  package var text: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: errors, as: UTF8.self) }
  package var lines: [String] { text.split(separator: "\n").map(String.init) }
}

/// Programs that tests start.
package enum Program {
  /// Runs a script of bash and waits for its end, at most `seconds`, without
  /// holding a thread that other tests need.
  package static func run(_ script: String, seconds: Int = 60) async -> Outcome {
    await withCheckedContinuation { continuation in
      runOnOwnThread {
        continuation.resume(returning: runAndWait(script, seconds: seconds))
      }
    }
  }

  /// The same, holding this thread.
  package static func runAndWait(_ script: String, seconds: Int = 60) -> Outcome {
    let folder = TemporaryFolder()
    let child = spawn(
      "timeout -k 1 \(seconds) bash --norc --noprofile -c \(quoted(script)) "
        + ">\(folder.path)/output 2>\(folder.path)/errors")
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return Outcome(
      output: folder.read("output") ?? [], errors: folder.read("errors") ?? [],
      status: posix_exit_status(status))
  }

  /// Starts a script with no signal blocked and none ignored, as a shell would.
  private static func spawn(_ script: String) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    let arguments = ["bash", "--norc", "--noprofile", "-c", script]
      .map { (word: String) in strdup(word) }
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let error = posix_spawn(
      &child, "/bin/bash", nil, &attributes, arguments + [nil], posix_environment())
    return error == 0 ? child : -1
  }
}

/// A word that a shell reads as `text`, whatever is in it.
package func quoted(_ text: String) -> String {
  // By scalars: a combining mark behind a quote makes another character of it.
  "'" + text.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
}

/// Waits until a condition holds, looking again and again.
/// - Returns: false when it does not within the time.
package func eventually(within time: Duration = .seconds(10), _ holds: () async -> Bool) async
  -> Bool
{
  let deadline = ContinuousClock.now + time
  while true {
    if await holds() { return true }
    if ContinuousClock.now > deadline { return false }
    try? await Task.sleep(for: .milliseconds(15))
  }
}
