internal import CPosix
internal import Dispatch
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
  /// ends early when nobody reads any more. SIGPIPE must be ignored.
  package func feed(_ bytes: [UInt8]) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var rest = bytes[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { write(writeEnd, $0.baseAddress, $0.count) }
          if written < 0 && errno == EINTR { continue }
          guard written > 0 else { break }
          rest = rest.dropFirst(written)
        }
        close(writeEnd)
        continuation.resume()
      }
    }
  }

  /// Reads until the end or until there are `limit` bytes, and closes the
  /// read end, on a thread of its own.
  package func collect(limit: Int) async -> [UInt8] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
          let count = read(readEnd, &buffer, buffer.count)
          if count < 0 && errno == EINTR { continue }
          guard count > 0 else { break }
          bytes += buffer.prefix(count)
        }
        close(readEnd)
        continuation.resume(returning: bytes)
      }
    }
  }
}
