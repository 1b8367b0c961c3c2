internal import CPosix
internal import Executors
internal import Glibc

/// A pipe(2) between this process and a child; both ends are closed in the
/// children that get neither.
package struct Pipe: Sendable {
  package let readEnd: Int32
  package let writeEnd: Int32

  /// Nil when no descriptors are left.
  package init?() {
    var ends: [Int32] = [0, 0]
    guard posix_pipe_cloexec(&ends) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  package func closeReadEnd() { close(readEnd) }
  package func closeWriteEnd() { close(writeEnd) }

  /// Writes all of `bytes` and closes the write end, on a thread of its own;
  /// ends early when nobody reads any more, or when the task is cancelled.
  /// SIGPIPE must be ignored.
  package func feed(_ bytes: [UInt8]) async {
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    await untilCancelled { cancellation in
      var rest = bytes[...]
      while !rest.isEmpty, cancellation.allows(POLLOUT, of: writeEnd) {
        let written = rest.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
        if written < 0 && (errno == EINTR || errno == EAGAIN) { continue }
        guard written > 0 else { break }
        rest = rest.dropFirst(written)
      }
      close(writeEnd)
    }
  }

  /// Reads until the end, until there are `limit` bytes or the task is
  /// cancelled, and closes the read end, on a thread of its own.
  package func collect(limit: Int) async -> [UInt8] {
    await untilCancelled { cancellation in
      var bytes: [UInt8] = []
      readAll(cancellation) { chunk in
        bytes += chunk
        return bytes.count < limit
      }
      return bytes
    }
  }

  /// Hands over what is read as it comes, in order, on a thread of its own,
  /// until the end, until `body` returns false or the task is cancelled; then
  /// closes the read end.
  package func forEachChunk(
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async {
    await untilCancelled { readAll($0, body) }
  }

  private func readAll(_ cancellation: Cancellation, _ body: (UnsafeRawBufferPointer) -> Bool) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    defer {
      buffer.deallocate()
      close(readEnd)
    }
    while cancellation.allows(POLLIN, of: readEnd) {
      let count = read(readEnd, buffer.baseAddress, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0, body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { break }
    }
  }

  private func untilCancelled<Result: Sendable>(
    _ body: @escaping @Sendable (Cancellation) -> Result
  ) async -> Result {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        runOnOwnThread { continuation.resume(returning: body(cancellation)) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Wakes a thread that waits for a descriptor. Where no descriptors are left
/// for that, it waits on.
final class Cancellation: Sendable {
  private let signal = Pipe()

  deinit {
    signal?.closeReadEnd()
    signal?.closeWriteEnd()
  }

  func cancel() {
    if let signal { write(signal.writeEnd, [0], 1) }
  }

  /// Waits until there is something to do with a descriptor; false when it
  /// need not be done any more.
  func allows(_ events: Int32, of descriptor: Int32) -> Bool {
    var entries = [
      pollfd(fd: signal?.readEnd ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
    ]
    while poll(&entries, 2, -1) < 0 && errno == EINTR {}
    return entries[0].revents == 0
  }
}
