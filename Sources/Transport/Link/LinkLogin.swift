package import TransportSecurity

/// A name and a password for a far side that asks for them.
package struct Login: Sendable {
  package var user: String
  package var password: String
  /// Whether somebody has typed it just now, and may have mistyped.
  package var isTyped: Bool

  package init(user: String, password: String, isTyped: Bool = false) {
    (self.user, self.password, self.isTyped) = (user, password, isTyped)
  }
}

/// Has a name and a password for a far side that asks; nil when there are none.
/// It is told whether what it said last was refused.
package typealias LoginSource = @Sendable (_ isRefused: Bool) async -> Login?

/// A host that speaks TLS, and how is known that it is the right one.
package struct SecureHost: Sendable {
  package var context: TLSContext
  package var host: String
  package var port: UInt16
  /// Certificates that no authority vouches for, trusted when they were first
  /// seen.
  package var trusted: TrustedHosts

  package init(context: TLSContext, host: String, port: UInt16, trusted: TrustedHosts) {
    self.context = context
    self.host = host
    self.port = port
    self.trusted = trusted
  }

  /// Decides about a certificate that no authority vouches for. One that is
  /// seen for the first time is trusted from then on.
  /// - Returns: what the user is to know; nil when nothing is new.
  func decide(
    about problem: CertificateProblem, _ fingerprint: String
  ) throws(TransportError) -> String? {
    let name = "tls://\(host):\(port)"
    do {
      switch try trusted.lookUp(host: host, port: port, fingerprint: fingerprint) {
      case .same: return nil
      case .changed(let old):
        throw TransportError(
          .refused, path: name,
          reason: "ITS CERTIFICATE HAS CHANGED: it was \(old) and is \(fingerprint); somebody may "
            + "stand between; if the change is right, remove its line from \(trusted.path)")
      case .unknown:
        guard problem.code == .selfSigned || problem.code == .unknownIssuer else {
          throw TransportError(.refused, path: name, reason: problem.reason)
        }
        try trusted.trust(host: host, port: port, fingerprint: fingerprint)
        return
          "\(name): no authority vouches for its certificate; trusted from now on: \(fingerprint)"
      }
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.refused, path: name, reason: "\(error)")
    }
  }
}
