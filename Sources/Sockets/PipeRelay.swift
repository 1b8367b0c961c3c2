package import Dispatch
internal import Glibc

/// Carries what goes through pipes over a socket, by two threads: Dispatch may
/// bring the process down when a pipe that it watches is closed at its other
/// end (swift-corelibs-libdispatch, issue 949), and a terminal that others use
/// as well must not be made one that does not block.
package final class PipeRelay: Sendable {
  /// What is to be read and written in place of the two; it belongs to the
  /// caller.
  package let socket: Int32
  private let writing = DispatchGroup()

  /// Takes over both descriptors.
  /// - Returns: nil where both are sockets already, or no descriptors are left; then
  ///   nothing was taken over.
  package init?(reading: Int32, writing output: Int32) {
    guard !Self.isSocket(reading) || !Self.isSocket(output) else { return nil }
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    socket = ends[0]
    let far = ends[1]
    let both = DispatchGroup()
    DispatchQueue.global().async(group: both) {
      Self.copy(from: reading, to: far)
      shutdown(far, Int32(SHUT_WR))
      close(reading)
    }
    writing.enter()
    DispatchQueue.global().async(group: both) { [writing] in
      Self.copy(from: far, to: output)
      close(output)
      // Whoever still says something is heard no longer.
      shutdown(far, Int32(SHUT_RD))
      writing.leave()
    }
    both.notify(queue: .global()) { close(far) }
  }

  /// Returns when everything that was said has been written, or nobody has
  /// taken it for that time.
  package func waitUntilWritten(within time: DispatchTimeInterval) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [writing] in
        _ = writing.wait(timeout: .now() + time)
        continuation.resume()
      }
    }
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Copies until the end, or until nobody takes it any more.
  private static func copy(from source: Int32, to target: Int32) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(source, buffer.baseAddress, buffer.count)
      if count < 0, canGoOn(source, POLLIN) { continue }
      guard count > 0 else { return }
      var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      while !rest.isEmpty {
        let written = write(target, rest.baseAddress, rest.count)
        if written < 0, canGoOn(target, POLLOUT) { continue }
        guard written > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[written...])
      }
    }
  }

  /// Whether a call that failed is to be made again; waits until it can be.
  private static func canGoOn(_ descriptor: Int32, _ events: Int32) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN else { return false }
    var wait = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&wait, 1, -1) >= 0 || errno == EINTR
  }
}
