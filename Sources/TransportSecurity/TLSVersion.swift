internal import COpenSSL

/// A version of TLS that is spoken; older ones are refused (RFC 8996).
package enum TLSVersion: Hashable, Sendable {
  /// RFC 5246.
  case tls12
  /// RFC 8446.
  case tls13

  /// Its number on the wire (SSL_version(3)).
  var number: Int32 {
    switch self {
    case .tls12: TLS1_2_VERSION
    case .tls13: TLS1_3_VERSION
    }
  }

  /// Nil for a number of neither.
  init?(number: Int32) {
    switch number {
    case TLS1_2_VERSION: self = .tls12
    case TLS1_3_VERSION: self = .tls13
    default: return nil
    }
  }
}

extension TLSVersion: CustomStringConvertible {
  /// As people write it.
  package var description: String {
    switch self {
    case .tls12: "TLS 1.2"
    case .tls13: "TLS 1.3"
    }
  }
}
