internal import Glibc

/// A way to a child and back, socketpair(2): the child's standard input and
/// output in one.
package struct SocketPair: Sendable {
  /// Does not block.
  package let ownEnd: Int32
  /// Blocks, as programs expect it of their standard streams.
  package let childEnd: Int32

  /// Nil when no descriptors are left.
  package init?() {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    (ownEnd, childEnd) = (ends[0], ends[1])
    _ = fcntl(ownEnd, F_SETFL, O_NONBLOCK)
  }

  package func closeOwnEnd() { close(ownEnd) }
  package func closeChildEnd() { close(childEnd) }
}
