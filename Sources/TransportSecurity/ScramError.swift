/// Why a login by SCRAM failed, as one sentence that a user can act on.
package struct ScramError: Error, Hashable, Sendable {
  /// The kind of failure; open, so that a new kind breaks nobody's `switch`.
  package struct Code: Hashable, Sendable {
    /// A word for logs: that of RFC 5802, section 7, where it has one.
    package var name: String

    package init(name: String) { self.name = name }

    /// The message is not what its place in the exchange asks for.
    package static let malformed = Code(name: "invalid-encoding")
    /// The message comes at a time when none, or another, may come.
    package static let outOfOrder = Code(name: "out-of-order")
    /// The name is empty, badly escaped, or has characters that names may not
    /// have.
    package static let invalidName = Code(name: "invalid-username-encoding")
    /// The password is empty, or has characters that passwords may not have.
    package static let invalidPassword = Code(name: "invalid-password")
    /// The other side demands an extension.
    package static let extensionDemanded = Code(name: "extensions-not-supported")
    /// The nonce is not the one of this exchange.
    package static let wrongNonce = Code(name: "wrong-nonce")
    /// Asked for fewer rounds than are safe, or more than are bearable.
    package static let badIterations = Code(name: "bad-iterations")
    /// The name or the password is wrong; which of them is not told.
    package static let wrongCredentials = Code(name: "invalid-proof")
    /// The other side of the exchange does not know the password either.
    package static let wrongServer = Code(name: "wrong-server-signature")
    /// Somebody may be reading between the two sides.
    package static let wrongBinding = Code(name: "channel-bindings-dont-match")
    /// Somebody between the two sides has hidden that there is binding.
    package static let downgraded = Code(name: "server-does-support-channel-binding")
    /// The mechanism does not go with the connection, or with the message.
    package static let noBinding = Code(name: "channel-binding-not-supported")
    /// A kind of binding other than tls-exporter.
    package static let unknownBinding = Code(name: "unsupported-channel-binding-type")
    /// There is no mechanism that both sides know.
    package static let noMechanism = Code(name: "no-mechanism")
    /// To act in another's name.
    package static let otherIdentity = Code(name: "other-identity")
  }

  package var code: Code
  /// What is wrong and what to do about it, without a full stop.
  package var reason: String

  package init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}

extension ScramError: CustomStringConvertible {
  /// The reason, on one line.
  package var description: String { reason }
}

extension ScramError {
  static func malformed(_ what: String) -> ScramError {
    ScramError(.malformed, "the login message \(what)")
  }

  /// What a wrong name and a wrong password are both answered with.
  package static let wrongCredentials = ScramError(
    .wrongCredentials, "the name or the password is wrong; check both")
  static let extensionDemanded = ScramError(
    .extensionDemanded, "the other side demands an extension of SCRAM that Banter does not know")
}
