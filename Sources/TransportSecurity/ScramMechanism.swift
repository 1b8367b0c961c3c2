/// A way to log in, by its name in SASL (RFC 5802, section 4; RFC 7677).
package enum ScramMechanism: String, Hashable, Sendable, CaseIterable {
  /// Over any connection.
  case scramSHA256 = "SCRAM-SHA-256"
  /// Bound to the TLS connection, so that nobody can stand between.
  case scramSHA256Plus = "SCRAM-SHA-256-PLUS"

  /// What a server offers, strongest first.
  /// - Parameter withBinding: whether the connection has binding data.
  package static func offered(withBinding: Bool) -> [ScramMechanism] {
    withBinding ? [.scramSHA256Plus, .scramSHA256] : [.scramSHA256]
  }

  /// The kind of binding (RFC 9266).
  static let bindingName = "tls-exporter"
}

/// How many rounds of PBKDF2 there may be.
package enum ScramIterations {
  /// From what RFC 7677 (section 4) asks for at least, to some seconds of
  /// work; what is beyond would let a server stall its clients.
  package static let range = 4096...10_000_000

  /// What OWASP's Password Storage Cheat Sheet asks of PBKDF2 with SHA-256
  /// (2023). Only the client does this work, once a connection, and it takes
  /// a fraction of a second; the server's part costs the same whatever the
  /// number. It is what a thief of the accounts pays for each guess.
  package static let standard = 600_000

  /// A number in the range, written in digits without zeros before it.
  static func parse(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...8).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }
}
