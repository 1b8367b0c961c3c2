/// How one proves to a cluster who one is, and how it does.
package struct ClusterLogin: Sendable {
  package enum Proof: Hashable, Sendable {
    case none
    case password(user: String, String)
    case token(String)
    /// A file of credentials (NATS ADR-14), as `nsc` makes it.
    case credentials(path: String)
    /// A key: its public half, and the file with its seed.
    case key(String, seedPath: String)

    /// The beginning of the subjects to which one's answers come: where the name
    /// is known, such that an account's rights can tell them from others'.
    var inboxes: String {
      switch self {
      case .password(let user, _): "_INBOX.\(Subjects.token(user))"
      case .key(let key, _): "_INBOX.\(Subjects.token(key))"
      case .none, .token, .credentials: "_INBOX"
      }
    }
  }

  package var proof: Proof
  /// Files in PEM form: issuers to trust, one's own certificate and its key.
  package var issuers: String?
  package var certificate: String?
  package var certificateKey: String?

  /// The files that are read for it.
  var paths: [String] {
    let own: String? =
      switch proof {
      case .credentials(let path), .key(_, let path): path
      case .none, .password, .token: nil
      }
    return [issuers, certificate, certificateKey, own].compactMap(\.self)
  }

  package init(
    _ proof: Proof = .none, issuers: String? = nil, certificate: String? = nil,
    certificateKey: String? = nil
  ) {
    self.proof = proof
    self.issuers = issuers
    self.certificate = certificate
    self.certificateKey = certificateKey
  }
}
