internal import CPosix
internal import Glibc

/// Who may call at a Unix socket.
package struct SocketRights: Hashable, Sendable {
  /// The socket's mode, chmod(2); who may write may call.
  package var mode: UInt32
  /// The number of the group to which it is given; nil for that of its maker.
  package var group: UInt32?

  /// By default, only its owner may call.
  package init(mode: UInt32 = 0o600, group: UInt32? = nil) {
    self.mode = mode
    self.group = group
  }

  /// Gives a socket these rights before anyone can call at it; one that cannot
  /// have them is removed.
  func apply(to path: String, _ address: SocketAddress) throws(SocketError) {
    // It was made with these.
    guard self != SocketRights() else { return }
    guard posix_lend_unix(path, mode, group ?? .max) != 0 else { return }
    var error = SocketError(errno, address)
    unlink(path)
    if error.errorNumber == EPERM, group != nil {
      error.reason = "whoever gives a socket to a group has to be in it"
    }
    throw error
  }
}
