/// Something that only the user knows, asked by what carries a room.
package struct Question: Hashable, Sendable {
  package enum Kind: Sendable {
    /// The answer is not to be seen: a password, a passphrase.
    case secret
    /// The answer is typed like anything else: `yes`.
    case visible
    /// Only told: a key that is to be touched.
    case notice
  }

  /// Who asks: a program or a host.
  package var asker: String
  /// One or more lines; whatever the far side has put into them.
  package var text: String
  package var kind: Kind
  /// Whether an answer was given before over the same connection, which was
  /// therefore wrong.
  package var isRepeated: Bool
  /// Whose secret it is, or what it opens; nil for the user's own account.
  package var user: String?

  package init(
    asker: String, text: String, kind: Kind, isRepeated: Bool = false, user: String? = nil
  ) {
    (self.isRepeated, self.user) = (isRepeated, user)
    (self.asker, self.text, self.kind) = (asker, text, kind)
  }
}

/// Whoever can ask the user something.
package protocol Questioner: Sendable {
  /// The answer; nil when the user gives none. A question is withdrawn by
  /// cancelling the task.
  func answer(to question: Question) async -> String?
}
