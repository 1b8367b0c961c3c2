package import Dispatch
import Glibc
import Synchronization

/// Lets a request to end (SIGTERM, SIGHUP, SIGQUIT) through while nobody takes
/// the output, so that the main queue waits in a write.
///
/// Such a write gives up soon, and the program ends in its own way. Should the
/// main queue be held by something else for two seconds, the program ends
/// here, with the status that a shell gives a program that the signal ends.
/// SIGQUIT is for who does not want to wait.
package enum EndWatch {
  /// When writes give up, by the clock of `DispatchTime`; 0 for never.
  private static let deadline = Atomic<UInt64>(0)
  private static let queue = DispatchQueue(label: "banter.end-watch")

  /// In milliseconds: how long a write may go on, and the main queue be held.
  private static func patience(_ number: Int32) -> (write: Int, turn: Int) {
    number == SIGQUIT ? (0, 300) : (500, 2_000)
  }

  /// Whether to wait for the output no longer.
  package static var isOver: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    return deadline > 0 && DispatchTime.now().uptimeNanoseconds > deadline
  }

  /// Watches for the signals, which the program handles itself, until the
  /// sources are cancelled.
  package static func start(_ signals: [Int32]) -> [any DispatchSourceSignal] {
    signals.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        let time = DispatchTime.now() + .milliseconds(patience(number).write)
        deadline.store(time.uptimeNanoseconds, ordering: .relaxed)
        watch(number)
      }
      source.activate()
      return source
    }
  }

  /// Asks the main queue for a sign of life again and again.
  private static func watch(_ number: Int32) {
    let sign = SignOfLife()
    DispatchQueue.main.async { sign.isGiven.store(true, ordering: .relaxed) }
    queue.asyncAfter(deadline: .now() + .milliseconds(patience(number).turn)) {
      guard !sign.isGiven.load(ordering: .relaxed) else { return watch(number) }
      TerminalRescue.restoreSettings()
      if number == SIGQUIT { quit() } else { _exit(128 + number) }
    }
  }

  /// Ends the program as the kernel does by SIGQUIT, which may leave a core.
  /// It is sent to this thread: Dispatch would take one to the process away as
  /// long as a source for it is there.
  static func quit() -> Never {
    signal(SIGQUIT, SIG_DFL)
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, SIGQUIT)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    pthread_kill(pthread_self(), SIGQUIT)
    _exit(128 + SIGQUIT)
  }

  private final class SignOfLife: Sendable {
    let isGiven = Atomic<Bool>(false)
  }
}
