import Executors
import Glibc
import Testing

@testable import TransportSecurity

/// A TCP socket over loopback, which waits for the other side, 30 s at most.
final class Loopback: Sendable {
  let descriptor: Int32

  private init(_ descriptor: Int32) throws {
    try #require(descriptor >= 0, "no socket: \(errno)")
    self.descriptor = descriptor
    var time = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  deinit { Glibc.close(descriptor) }

  /// A socket that others can connect to.
  static func listening() throws -> Loopback {
    let socket = try Loopback(make())
    try #require(socket.withAddress(port: 0, Glibc.bind) == 0 && listen(socket.descriptor, 1) == 0)
    return socket
  }

  static func connected(to port: UInt16) throws -> Loopback {
    let socket = try Loopback(make())
    try #require(socket.withAddress(port: port, Glibc.connect) == 0, "refused: \(errno)")
    return socket
  }

  /// Waits for one that connects.
  func accepted() throws -> Loopback {
    let accepted = Glibc.accept(descriptor, nil, nil)
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return try Loopback(accepted)
  }

  var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
    }
    return UInt16(bigEndian: address.sin_port)
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      try #require(count > 0, "cannot send: \(errno)")
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for bytes; none at the end.
  func receive() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    try #require(count >= 0, "cannot receive: \(errno)")
    return Array(buffer.prefix(count))
  }

  private static func make() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  private func withAddress(
    port: UInt16, _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    address.sin_port = port.bigEndian
    return withUnsafeBytes(of: &address) { bytes in
      call(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
  }
}

extension TLSSession {
  /// Goes on over a socket until something is so, or the other side ends.
  /// - Returns: the plaintext that came.
  func run(
    over socket: Loopback, until isEnough: (String) throws -> Bool
  ) throws -> String {
    var text = ""
    while true {
      try socket.send(takeCiphertext())
      guard try !isEnough(text) else {
        try socket.send(takeCiphertext())
        return text
      }
      let bytes = try socket.receive()
      guard !bytes.isEmpty else { return text }
      do {
        try receive(bytes)
      } catch {
        // The alert.
        try? socket.send(takeCiphertext())
        throw error
      }
      text += try readText()
    }
  }
}

/// Does what waits for the network on a thread that other tests do not need.
func offPool<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    runOnOwnThread {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
