internal import COpenSSL

/// Whether a certificate proves that the other side is who it should be.
package enum PeerVerification: Hashable, Sendable {
  /// It comes from an issuer that is trusted, is valid now, and has the name.
  case trusted
  /// It does not, and a person or a list must decide.
  case untrusted(CertificateProblem)
}

/// The first thing that is wrong with a certificate.
package struct CertificateProblem: Hashable, Sendable {
  /// The kind of problem; open, so that a new kind breaks nobody's `switch`.
  package struct Code: Hashable, Sendable {
    /// A word for logs.
    package var name: String

    package init(name: String) { self.name = name }

    /// Nobody but the server itself says who it is.
    package static let selfSigned = Code(name: "selfSigned")
    /// It is of an issuer that is not known here.
    package static let unknownIssuer = Code(name: "unknownIssuer")
    /// Its time is over.
    package static let expired = Code(name: "expired")
    /// Its time has not come, or a clock is wrong.
    package static let notYetValid = Code(name: "notYetValid")
    /// It is another host's.
    package static let wrongName = Code(name: "wrongName")
    /// It has been taken back.
    package static let revoked = Code(name: "revoked")
    /// Something else.
    package static let invalid = Code(name: "invalid")
  }

  package var code: Code
  /// What is wrong, without a full stop.
  package var reason: String

  package init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

extension CertificateProblem: CustomStringConvertible {
  /// The reason, on one line.
  package var description: String { reason }
}

extension CertificateProblem {
  /// What a result of the verification means (X509_STORE_CTX_get_error(3)).
  /// - Parameter host: whose certificate it should be.
  init(result: Int, host: String) {
    switch Int32(truncatingIfNeeded: result) {
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      self.init(.selfSigned, "the certificate is self-signed")
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      self.init(.unknownIssuer, "the certificate is of an issuer that is not known here")
    case X509_V_ERR_CERT_HAS_EXPIRED:
      self.init(.expired, "the certificate has expired")
    case X509_V_ERR_CERT_NOT_YET_VALID:
      self.init(.notYetValid, "the certificate is not valid yet, or a clock is wrong")
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      self.init(.wrongName, "the certificate is not one of \(host)")
    case X509_V_ERR_CERT_REVOKED:
      self.init(.revoked, "the certificate has been revoked")
    default:
      let said = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "unknown"
      self.init(.invalid, "the certificate cannot be verified (\(said))")
    }
  }

  /// There is none at all.
  static let missing = CertificateProblem(.invalid, "the other side has shown no certificate")
}
