/// What carries a line and has to be ended with it, such as a process.
package protocol LineCarrier: Sendable {
  /// Whether the user is being asked something, so that nothing can be heard.
  var isAsking: Bool { get }

  /// Ends it, once its descriptors have been closed, and returns when nothing
  /// is left of it. May be called more than once.
  /// - Parameter patience: how long it may take to end by itself.
  func end(within patience: Duration) async

  /// Why it has ended; nil when there is no more to say than that it has.
  /// - Parameter lastWords: what came last over the line that was not the
  ///   protocol.
  func reason(lastWords: String?) async -> TransportError?

  /// The last of what it has told about its work; nil where it tells nothing.
  var log: String? { get }
}

extension LineCarrier {
  package var log: String? { nil }
}
