internal import Glibc

/// Why a connection cannot be made secure, as one sentence that a user can act
/// on.
package struct TLSError: Error, Hashable, Sendable {
  /// The kind of failure; open, so that a new kind breaks nobody's `switch`.
  package struct Code: Hashable, Sendable {
    /// A word for logs.
    package var name: String

    package init(name: String) { self.name = name }

    /// The other side speaks something else.
    package static let notTLS = Code(name: "notTLS")
    /// The two sides have no version or cipher in common.
    package static let noCommonVersion = Code(name: "noCommonVersion")
    /// The other side does not want our certificate.
    package static let refusedByPeer = Code(name: "refusedByPeer")
    /// The connection ended without the word that says so: what was said last
    /// may be missing (close_notify, RFC 8446, section 6.1).
    package static let cutOff = Code(name: "cutOff")
    /// What came is no valid TLS: a fault, or somebody in between.
    package static let broken = Code(name: "broken")
    /// Data was to be sent before the other side's certificate was accepted.
    package static let notAccepted = Code(name: "notAccepted")
    /// The name of the host cannot be one.
    package static let invalidHost = Code(name: "invalidHost")
    /// A file is missing, or cannot be read or written.
    package static let file = Code(name: "file")
    /// The file holds no certificate.
    package static let noCertificate = Code(name: "noCertificate")
    /// The file holds no private key that can be used.
    package static let noKey = Code(name: "noKey")
    /// The key belongs to another certificate.
    package static let keyMismatch = Code(name: "keyMismatch")
  }

  package var code: Code
  /// The errno(3) behind it, if any.
  package var errorNumber: Int32?
  /// The file that it is about.
  package var path: String?
  /// What is wrong and what to do about it, without the path and without a
  /// full stop.
  package var reason: String

  package init(_ code: Code, errorNumber: Int32? = nil, path: String? = nil, _ reason: String) {
    self.code = code
    self.errorNumber = errorNumber
    self.path = path
    self.reason = reason
  }
}

extension TLSError: CustomStringConvertible {
  /// `what: why`, on one line.
  package var description: String {
    path.map { "\($0): \(reason)" } ?? reason
  }
}

extension TLSError {
  /// What the system said about a file, errno(3), and what to do.
  static func system(_ number: Int32, path: String, _ advice: String) -> TLSError {
    TLSError(
      .file, errorNumber: number, path: path, "\(String(cString: strerror(number))); \(advice)")
  }

  static let notTLS = TLSError(
    .notTLS, "the other side does not speak TLS; check the port, or whether TLS is wanted there")
  static let cutOff = TLSError(
    .cutOff, "the connection ended in the middle; what was said last may be missing")
  static let notAccepted = TLSError(
    .notAccepted, "nothing is sent before the certificate of the other side is accepted")
}
