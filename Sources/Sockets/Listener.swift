internal import CPosix
package import Dispatch
internal import Glibc

/// A socket that is called at.
///
/// Belongs to the owner of its queue; a Unix socket's path is removed with it.
package final class Listener {
  package let address: SocketAddress
  /// The address with the port that the system chose.
  package let name: String
  private let socket: Int32
  private let ownedPath: String?
  private let source: any DispatchSourceRead
  private var isListening = true

  /// Listens at every address of a host; several for a name that has several.
  ///
  /// A Unix socket that nobody listens at any more is replaced.
  /// - Parameters:
  ///   - rights: who may call at a Unix socket.
  ///   - onCall: called on the queue when somebody calls.
  package static func listen(
    at address: SocketAddress, rights: SocketRights = SocketRights(), queue: DispatchQueue,
    onCall: @escaping @Sendable (_ name: String) -> Void
  ) throws(SocketError) -> [Listener] {
    switch address.place {
    case .path(let path):
      return [Listener(try unixSocket(path, address, rights), address, path, queue, onCall)]
    case .host(let host, let port):
      var found: UnsafeMutablePointer<addrinfo>?
      let code = posix_resolve(host.isEmpty ? nil : host, port, true, &found)
      guard code == 0 else { throw SocketError(resolving: code, address) }
      defer { freeaddrinfo(found) }
      var listeners: [Listener] = []
      var failure: SocketError?
      var next = found
      while let candidate = next {
        do throws(SocketError) {
          let socket = try listeningSocket(at: candidate, address)
          listeners.append(Listener(socket, address, nil, queue, onCall))
        } catch {
          // One family may be switched off, and the other does.
          guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.errorNumber) else { throw error }
          failure = error
        }
        next = candidate.pointee.ai_next
      }
      if let failure, listeners.isEmpty { throw failure }
      return listeners
    }
  }

  /// Takes over a socket that listens already, such as one that systemd made;
  /// whoever made a Unix socket removes its path.
  package convenience init(
    inherited socket: Int32, at address: SocketAddress, queue: DispatchQueue,
    onCall: @escaping @Sendable (_ name: String) -> Void
  ) {
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    self.init(socket, address, nil, queue, onCall)
  }

  private init(
    _ socket: Int32, _ address: SocketAddress, _ ownedPath: String?, _ queue: DispatchQueue,
    _ onCall: @escaping @Sendable (String) -> Void
  ) {
    (self.socket, self.address, self.ownedPath) = (socket, address, ownedPath)
    let port = ownName(of: socket)
    let name = port.isEmpty ? "\(address)" : "\(address.isSecure ? "tls" : "tcp")://\(port)"
    self.name = name
    source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    source.setEventHandler { onCall(name) }
    source.setCancelHandler { close(socket) }
    source.activate()
  }

  deinit {
    source.cancel()
    if !isListening { source.resume() }
    if let ownedPath { unlink(ownedPath) }
  }

  /// The next caller's descriptor, which belongs to the caller of this; nil
  /// when nobody waits any more.
  /// - Throws: an error where the process has no descriptors left.
  package func accept() throws(SocketError) -> Int32? {
    while true {
      let connection = posix_accept(socket)
      if connection >= 0 { return connection }
      switch errno {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED, EPROTO: continue
      default: throw SocketError(errno, address)
      }
    }
  }

  /// Whether callers are let in; they wait otherwise.
  package func setListening(_ isWanted: Bool) {
    guard isWanted != isListening else { return }
    isListening = isWanted
    if isWanted { source.resume() } else { source.suspend() }
  }

  /// Whether every address that a host's name stands for is this machine's own.
  package static func isLoopback(_ address: SocketAddress) -> Bool {
    guard case .host(let host, let port) = address.place else { return true }
    var found: UnsafeMutablePointer<addrinfo>?
    guard posix_resolve(host.isEmpty ? nil : host, port, true, &found) == 0 else { return false }
    defer { freeaddrinfo(found) }
    var next = found
    while let candidate = next {
      if !posix_is_loopback(candidate) { return false }
      next = candidate.pointee.ai_next
    }
    return true
  }

  private static func listeningSocket(
    at candidate: UnsafeMutablePointer<addrinfo>, _ address: SocketAddress
  ) throws(SocketError) -> Int32 {
    let socket = posix_stream_socket(candidate.pointee.ai_family)
    guard socket >= 0 else { throw SocketError(errno, address) }
    guard posix_listen(socket, candidate) == 0 else {
      let error = SocketError(errno, address)
      close(socket)
      throw error
    }
    return socket
  }

  private static func unixSocket(
    _ path: String, _ address: SocketAddress, _ rights: SocketRights
  ) throws(SocketError) -> Int32 {
    let socket = posix_stream_socket(AF_UNIX)
    guard socket >= 0 else { throw SocketError(errno, address) }
    // Under its own name only when it can be called: who finds it there and
    // nobody listening may take it for abandoned.
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    let early = "\(folder)/.\(getpid())"
    do throws(SocketError) {
      unlink(early)
      guard posix_bind_unix(socket, early) == 0 else { throw SocketError(errno, address) }
      defer { unlink(early) }
      try rights.apply(to: early, address)
      guard posix_start_listening(socket) == 0 else { throw SocketError(errno, address) }
      if link(early, path) != 0 {
        guard errno == EEXIST, isAbandoned(path) else {
          throw SocketError(errno == EEXIST ? EADDRINUSE : errno, address)
        }
        unlink(path)
        guard link(early, path) == 0 else { throw SocketError(errno, address) }
      }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  /// Whether it is a socket at which nobody listens.
  private static func isAbandoned(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = posix_stream_socket(AF_UNIX)
    defer {
      close(probe)
      errno = EEXIST
    }
    return probe >= 0 && posix_connect_unix(probe, path) != 0 && errno == ECONNREFUSED
  }
}

/// The address of this end of a connection, or at which a socket listens; empty
/// for a Unix socket.
func ownName(of socket: Int32) -> String { socketName(socket, peer: false) }

/// The address of the other end of a connection; empty for a Unix socket.
package func peerName(of socket: Int32) -> String { socketName(socket, peer: true) }

/// The user at the other end of a Unix socket.
package func peerUser(of socket: Int32) -> UInt32? {
  var user: UInt32 = 0
  return posix_peer_user(socket, &user) == 0 ? user : nil
}

private func socketName(_ socket: Int32, peer: Bool) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    guard let start = buffer.baseAddress else { return "" }
    posix_socket_name(socket, peer, start, buffer.count)
    return String(cString: start)
  }
}
