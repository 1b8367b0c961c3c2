package import Dispatch
import Glibc
import Synchronization

/// Lets a request to end (SIGTERM, SIGHUP) through while nobody takes the
/// output, so that the main queue waits in a write.
///
/// Such a write gives up soon, and the program ends in its own way. Should the
/// main queue be held by something else for two seconds, the program ends
/// here, with the status that a shell gives a program that the signal ends.
package enum EndWatch {
  /// When writes give up, by the clock of `DispatchTime`; 0 for never.
  private static let deadline = Atomic<UInt64>(0)
  private static let queue = DispatchQueue(label: "banter.end-watch")
  private static let patience = 2

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
        let time = DispatchTime.now() + .milliseconds(500)
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
    queue.asyncAfter(deadline: .now() + .seconds(patience)) {
      guard !sign.isGiven.load(ordering: .relaxed) else { return watch(number) }
      TerminalRescue.restoreSettings()
      _exit(128 + number)
    }
  }

  private final class SignOfLife: Sendable {
    let isGiven = Atomic<Bool>(false)
  }
}
