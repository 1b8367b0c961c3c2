internal import Glibc
package import Sockets

/// Makes the way to a far side, whatever carries it. Called again whenever the
/// way is broken.
package protocol Dialer: Sendable {
  /// What it calls, for people.
  var name: String { get }

  /// Calls, however long that takes.
  func dial() async throws(TransportError) -> DialedLine
}

/// A way to a far side.
package struct DialedLine: Sendable {
  package enum Way: Sendable {
    /// What to read from and to write to, which belongs to whoever dialed.
    case descriptors(reading: Int32, writing: Int32)
    case share(of: PluginLink)
  }

  package var way: Way
  /// Where TLS is spoken, with whom.
  package var secureHost: SecureHost?
  /// What has to be ended with it; nil where closing it is enough.
  package var carrier: (any LineCarrier)?
  /// How long it may take until the far side says something.
  package var patience: Duration?

  package init(
    _ way: Way, secureHost: SecureHost? = nil, carrier: (any LineCarrier)? = nil,
    patience: Duration? = nil
  ) {
    self.way = way
    self.secureHost = secureHost
    self.carrier = carrier
    self.patience = patience
  }
}

/// Calls a hub at a socket.
package struct SocketDialer: Dialer {
  package let address: SocketAddress
  private let secureHost: SecureHost?

  /// - Parameter secureHost: with whom TLS is spoken, where it is.
  package init(_ address: SocketAddress, secureHost: SecureHost? = nil) {
    self.address = address
    self.secureHost = secureHost
  }

  package var name: String { "\(address)" }

  package func dial() async throws(TransportError) -> DialedLine {
    do throws(SocketError) {
      let socket = try await Connector.connect(to: address)
      return DialedLine(
        .descriptors(reading: socket, writing: socket), secureHost: secureHost)
    } catch {
      throw TransportError(error)
    }
  }
}

extension TransportError {
  init(_ error: SocketError) {
    let advice =
      switch error.errorNumber {
      case 0: "check the host's name and the network"
      case ECONNREFUSED, ENOENT: "nobody serves there; check the address, or start banter serve"
      case EACCES, EPERM: "its owner has to let you in"
      default: "it is tried again"
      }
    let isDenied = error.errorNumber == EACCES || error.errorNumber == EPERM
    self.init(
      isDenied ? .denied : .unreachable, errorNumber: error.errorNumber,
      path: "\(error.address)", reason: "\(error.reason); \(advice)")
  }

  /// What the far side at `path` said.
  init(_ error: ProtocolError, path: String) {
    let code: Code =
      switch error.errorClass {
      case .retry: .unreachable
      case .auth: .refused
      case .denied: .denied
      case .notFound: .notFound
      case .invalid where error.code == "address": .usage
      case .invalid, .unsupported: .invalid
      case .tooLarge: .tooLarge
      case .gone: .gone
      case .fatal: .broken
      }
    self.init(code, path: path, reason: error.message)
  }
}
