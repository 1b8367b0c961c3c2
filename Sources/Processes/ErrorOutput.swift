internal import Dispatch
package import Executors
internal import Glibc

/// What a child writes to its standard error: read as it comes, so that the
/// child never waits, and kept as far as it is the last of it.
package actor ErrorOutput {
  /// How much is kept.
  private static let limitInBytes = 8_192

  package nonisolated let executor = QueueExecutor(label: "banter.errors")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private nonisolated let pipe: Pipe
  private var source: (any DispatchSourceRead)?
  private var tail: [UInt8] = []

  /// Nil when no descriptors are left.
  package init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
  }

  /// Begins to read.
  package func start() {
    guard source == nil else { return }
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    let source = DispatchSource.makeReadSource(
      fileDescriptor: pipe.readEnd, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.readAll() } }
    source.setCancelHandler { [pipe] in pipe.closeReadEnd() }
    source.activate()
    self.source = source
  }

  isolated deinit { source?.cancel() }

  /// For the child, which gets it under another number.
  package nonisolated var writeEnd: Int32 { pipe.writeEnd }

  /// To be called once the child has it.
  package nonisolated func closeWriteEnd() { pipe.closeWriteEnd() }

  /// The last of what was written so far, with what is not UTF-8 repaired.
  ///
  /// The end is not waited for: what the child has started may keep it open.
  package var text: String {
    readAll()
    return String(decoding: tail, as: UTF8.self)
  }

  private func readAll() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while source != nil {
      let count = read(pipe.readEnd, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return }
      guard count > 0 else {
        source?.cancel()
        source = nil
        return
      }
      tail += buffer.prefix(count)
      tail.removeFirst(max(0, tail.count - Self.limitInBytes))
    }
  }
}
