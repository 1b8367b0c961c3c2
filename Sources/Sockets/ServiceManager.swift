internal import CPosix
internal import Glibc

/// Whoever started the program and looks after it, such as systemd: the
/// sockets that it hands over, and where it wants to be told how it goes.
///
/// See sd_listen_fds(3) and sd_notify(3), whose protocols are a few variables
/// of the environment.
package struct ServiceManager: Sendable {
  /// A socket that listens already.
  package struct Socket: Hashable, Sendable {
    package var descriptor: Int32
    package var address: SocketAddress
  }

  /// In the order in which they were handed over.
  package private(set) var sockets: [Socket] = []
  private var notificationAddress: String?

  /// The first descriptor that is handed over; SD_LISTEN_FDS_START.
  private static let firstDescriptor: Int32 = 3

  /// Takes what was handed over to this process, once: the variables are
  /// removed, so that no child takes them for its own.
  /// - Throws: why a socket is of no use.
  package static func takeOver() throws(UnusableSocket) -> ServiceManager {
    defer {
      for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"] { unsetenv(name) }
    }
    var manager = ServiceManager()
    manager.notificationAddress = variable("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
    guard variable("LISTEN_PID") == String(getpid()),
      let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), (1...1024).contains(count)
    else { return manager }
    let names = (variable("LISTEN_FDNAMES") ?? "")
      .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    for index in 0..<count {
      let name = names.indices.contains(Int(index)) ? names[Int(index)] : ""
      manager.sockets.append(try Socket(firstDescriptor + index, named: name))
    }
    return manager
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Tells how it goes, such as `READY=1`; nobody may be there to hear it.
  package func notify(_ state: String) {
    guard let notificationAddress else { return }
    _ = posix_send_datagram(notificationAddress, state)
  }
}

/// A descriptor that was handed over and cannot be listened at.
package struct UnusableSocket: Error, Hashable, Sendable {
  package var descriptor: Int32
  /// As the service manager calls it; may be empty.
  package var name: String
}

extension ServiceManager.Socket {
  /// - Parameter name: `tls` where TLS is to be spoken; no other means anything.
  fileprivate init(_ descriptor: Int32, named name: String) throws(UnusableSocket) {
    self.descriptor = descriptor
    // No program that is started from here is to listen.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let address: SocketAddress? =
      switch posix_listening_socket_kind(descriptor) {
      case POSIX_SOCKET_UNIX: SocketAddress(.path(unixPath(of: descriptor)))
      case POSIX_SOCKET_INTERNET:
        SocketAddress(authority: ownName(of: descriptor), isSecure: name == "tls")
      default: nil
      }
    guard let address else { throw UnusableSocket(descriptor: descriptor, name: name) }
    self.address = address
  }
}

private func unixPath(of socket: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    posix_unix_socket_path(socket, start, buffer.count)
    return String(cString: start)
  }
}
