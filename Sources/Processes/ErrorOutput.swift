internal import Executors
internal import Glibc
internal import Synchronization

/// What a child writes to its standard error: read as it comes, so that the
/// child never waits, and kept as far as it is the last of it
/// (``ChildProcess/Stream/kept(_:)``).
///
/// A thread of its own reads it: a Dispatch source on a pipe whose writer
/// closes it may bring the process down (swift-corelibs-libdispatch #949).
package final class ErrorOutput: Sendable {
  private let pipe: Pipe
  private let tail: Tail
  private let cancellation = Cancellation()
  private let isStarted = Atomic(false)

  /// What was read, guarded so that it can be read on from any thread.
  private final class Tail: Sendable {
    private static let limitInBytes = 8_192
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Reads what is there.
    /// - Returns: false at the end.
    func readAll(from descriptor: Int32) -> Bool {
      bytes.withLock { bytes in
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          if count < 0 && errno == EINTR { continue }
          if count < 0 && errno == EAGAIN { return true }
          guard count > 0 else { return false }
          bytes += buffer.prefix(count)
          bytes.removeFirst(max(0, bytes.count - Self.limitInBytes))
        }
      }
    }
  }

  /// Nil when no descriptors are left.
  package init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    tail = Tail()
  }

  deinit {
    cancellation.cancel()
    pipe.closeReadEnd()
    if !isStarted.load(ordering: .relaxed) { pipe.closeWriteEnd() }
  }

  /// For the child, which gets it under another number.
  var writeEnd: Int32 { pipe.writeEnd }

  /// To be called when the child has it: it is read from then on.
  func start() {
    isStarted.store(true, ordering: .relaxed)
    pipe.closeWriteEnd()
    // Its own, which it closes, whatever becomes of the other.
    let descriptor = fcntl(pipe.readEnd, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return }
    runOnOwnThread { [tail, cancellation] in
      while cancellation.allows(POLLIN, of: descriptor), tail.readAll(from: descriptor) {}
      close(descriptor)
    }
  }

  /// The last of what was written so far, with what is not UTF-8 repaired.
  ///
  /// The end is not waited for: what the child has started may keep it open.
  package var text: String {
    _ = tail.readAll(from: pipe.readEnd)
    return tail.text
  }
}
