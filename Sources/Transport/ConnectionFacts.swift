package import ChatModel

/// What is known of the connection to a far side.
package struct ConnectionFacts: Hashable, Sendable {
  /// How is known who is at the other end of a TLS connection.
  package enum Certificate: Hashable, Sendable {
    /// An authority that is trusted here vouches for it.
    case vouchedFor
    /// It is trusted since it was first seen; its SHA-256, in pairs of
    /// hexadecimal digits.
    case firstSight(fingerprint: String)
  }

  /// What is connected to.
  package var address: String
  /// Nil where no TLS is spoken.
  package var certificate: Certificate?
  /// The last of a plugin's log.
  package var log: String?
  /// Who one is there; nil where the far side has not said so.
  package var identity: Profile?

  package init(address: String, certificate: Certificate? = nil, identity: Profile? = nil) {
    self.address = address
    self.certificate = certificate
    self.identity = identity
  }
}
