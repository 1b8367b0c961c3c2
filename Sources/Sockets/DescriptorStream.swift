package import Dispatch
internal import Glibc

/// Two descriptors that do not block, one to read and one to write, with a
/// notice when either can go on: a socket, or the two ends of two pipes.
///
/// Belongs to the owner of its queue. Closed when its owner lets go of it.
package final class DescriptorStream {
  /// What became of a read or a write.
  package enum Outcome: Equatable {
    case count(Int)
    case wouldBlock
    /// The other side says no more, or takes no more.
    case ended
    /// An errno(3).
    case failed(Int32)
  }

  private let descriptors: Descriptors
  private let reader: any DispatchSourceRead
  private let writer: any DispatchSourceWrite
  private var isReading = true
  private var isWriting = false

  /// - Parameters:
  ///   - onReadable: called on the queue when there is something to read, or
  ///     the end. Read until there is nothing left: a broken connection says
  ///     so only once.
  ///   - onWritable: called on the queue after ``waitToWrite()``.
  package init(
    reading: Int32, writing: Int32, queue: DispatchQueue,
    onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
  ) {
    let descriptors = Descriptors(reading: reading, writing: writing)
    self.descriptors = descriptors
    reader = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    reader.setEventHandler { onReadable() }
    // What is watched may be closed only when Dispatch has let go of it.
    reader.setCancelHandler { [descriptors] in _ = descriptors }
    writer = DispatchSource.makeWriteSource(fileDescriptor: writing, queue: queue)
    writer.setEventHandler { onWritable() }
    writer.setCancelHandler { [descriptors] in _ = descriptors }
    reader.activate()
    writer.activate()
    writer.suspend()
  }

  deinit {
    // Dispatch does not let go of what is suspended; cancelled first, it is
    // not watched once more before.
    reader.cancel()
    writer.cancel()
    if !isReading { reader.resume() }
    if !isWriting { writer.resume() }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    outcome { Glibc.read(descriptors.reading, buffer.baseAddress, buffer.count) }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    outcome { Glibc.write(descriptors.writing, bytes.baseAddress, bytes.count) }
  }

  private func outcome(_ call: () -> Int) -> Outcome {
    while true {
      let count = call()
      if count > 0 { return .count(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      case EPIPE, ECONNRESET: return .ended
      default: return .failed(errno)
      }
    }
  }

  /// Asks to be told when there is room again.
  package func waitToWrite() {
    guard !isWriting else { return }
    isWriting = true
    writer.resume()
  }

  /// Ends what ``waitToWrite()`` asked for.
  package func stopWaitingToWrite() {
    guard isWriting else { return }
    isWriting = false
    writer.suspend()
  }

  /// Whether to be told of what there is to read.
  package func setReading(_ isWanted: Bool) {
    guard isWanted != isReading else { return }
    isReading = isWanted
    if isWanted { reader.resume() } else { reader.suspend() }
  }

  /// Tells the other side that nothing more comes; it may still be read from.
  package func endWriting() {
    shutdown(descriptors.writing, Int32(SHUT_WR))
  }

  /// The descriptor that is written to, for what only a socket knows.
  package var descriptor: Int32 { descriptors.writing }
}

/// Closed with the last who needs them.
private final class Descriptors: Sendable {
  let reading: Int32
  let writing: Int32

  init(reading: Int32, writing: Int32) {
    self.reading = reading
    self.writing = writing
  }

  deinit {
    close(reading)
    if writing != reading { close(writing) }
  }
}
