internal import CPosix
internal import Executors
internal import Glibc

/// Calls an address. Looking up a name and connecting both can block for long,
/// which they do on a thread of their own.
package enum Connector {
  /// How long one address of a host is waited for.
  private static let patienceInMilliseconds: Int32 = 5_000

  /// - Returns: a connected descriptor that does not block and belongs to the
  ///   caller.
  package static func connect(to address: SocketAddress) async throws(SocketError) -> Int32 {
    let result = await withCheckedContinuation { continuation in
      runOnOwnThread {
        continuation.resume(
          returning: Result { () throws(SocketError) in try connectBlocking(to: address) })
      }
    }
    return try result.get()
  }

  private static func connectBlocking(to address: SocketAddress) throws(SocketError) -> Int32 {
    switch address.place {
    case .path(let path):
      let socket = posix_stream_socket(AF_UNIX)
      guard socket >= 0 else { throw SocketError(errno, address) }
      guard posix_connect_unix(socket, path) == 0 else {
        let error = SocketError(errno, address)
        close(socket)
        throw error
      }
      return socket
    case .host(let host, let port):
      var found: UnsafeMutablePointer<addrinfo>?
      let code = posix_resolve(host, port, false, &found)
      guard code == 0 else { throw SocketError(resolving: code, address) }
      defer { freeaddrinfo(found) }
      return try connect(toFirstOf: found, address)
    }
  }

  private static func connect(
    toFirstOf found: UnsafeMutablePointer<addrinfo>?, _ address: SocketAddress
  ) throws(SocketError) -> Int32 {
    var failure = SocketError(EADDRNOTAVAIL, address)
    var next = found
    while let candidate = next?.pointee {
      next = candidate.ai_next
      let socket = posix_stream_socket(candidate.ai_family)
      guard socket >= 0 else {
        failure = SocketError(errno, address)
        continue
      }
      let isBegun = Glibc.connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0
      if isBegun
        || errno == EINPROGRESS && posix_await_connection(socket, patienceInMilliseconds) == 0
      {
        posix_set_no_delay(socket)
        return socket
      }
      failure = SocketError(errno, address)
      close(socket)
    }
    throw failure
  }
}
