internal import CPosix
internal import Glibc

/// Why nobody could be called, or nothing be listened at.
package struct SocketError: Error, Hashable, Sendable {
  /// The errno(3) behind it; 0 where a name was not found.
  package var errorNumber: Int32
  package var address: SocketAddress
  /// A clause without a full stop.
  package var reason: String

  init(_ number: Int32, _ address: SocketAddress) {
    errorNumber = number
    self.address = address
    reason = String(cString: strerror(number))
  }

  /// What getaddrinfo(3) said.
  init(resolving code: Int32, _ address: SocketAddress) {
    errorNumber = code == EAI_SYSTEM ? errno : 0
    self.address = address
    let text: UnsafePointer<CChar> =
      code == EAI_SYSTEM ? UnsafePointer(strerror(errno)) : gai_strerror(code)
    reason = String(cString: text)
  }
}

extension SocketError: CustomStringConvertible {
  package var description: String { "\(address): \(reason)" }
}
