/// What one side of the line protocol could not do for the other.
package struct ProtocolError: Error, Hashable, Sendable {
  /// The classes of version 1; an unknown one counts as `fatal` for what it
  /// answers.
  package enum Class: String, Sendable {
    /// Later, the same may succeed.
    case retry
    /// Nobody has logged in, or not as somebody known.
    case auth
    case denied, notFound, invalid, tooLarge, unsupported
    /// A cursor names a place that is not there any more.
    case gone
    /// The connection is of no use any more.
    case fatal
  }

  package var errorClass: Class
  /// A word for programs.
  package var code: String
  /// A sentence for people, without a full stop.
  package var message: String
  /// Whether it is certain that nothing was done.
  package var isCertain: Bool
  /// When to try again.
  package var retryAfter: Duration?

  package init(
    _ errorClass: Class, _ message: String, code: String? = nil, isCertain: Bool = true,
    retryAfter: Duration? = nil
  ) {
    self.errorClass = errorClass
    self.code = code ?? errorClass.rawValue
    self.message = message
    self.isCertain = isCertain
    self.retryAfter = retryAfter
  }
}
