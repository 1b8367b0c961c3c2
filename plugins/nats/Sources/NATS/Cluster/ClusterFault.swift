internal import CNATS

/// Why the cluster did not do something.
struct ClusterFault: Error, Hashable {
  enum Kind: Hashable {
    /// Nothing was heard in time; it may have been done.
    case timeout
    /// Nobody is there who could do it.
    case unavailable
    case denied
    case notFound
    case tooLarge
    /// What the cluster refuses for good, or a library that does not work.
    case other
  }

  var kind: Kind
  /// A clause for people.
  var reason: String

  init(_ kind: Kind, _ reason: String) {
    (self.kind, self.reason) = (kind, reason)
  }

  /// What a call of this thread's has just ended with.
  /// - Parameter status: of libnats (nats/status.h).
  init(_ status: natsStatus) {
    var last = NATS_OK
    // More than the status says, where it is about the same.
    let text = nats_GetLastError(&last).map { String(cString: $0) } ?? ""
    let isAbout = last == status && !text.isEmpty
    reason = isAbout ? Self.withoutPlace(text) : String(cString: natsStatus_GetText(status))
    kind =
      switch status {
      case NATS_TIMEOUT: .timeout
      case NATS_NO_RESPONDERS, NATS_NO_SERVER, NATS_IO_ERROR, NATS_CONNECTION_CLOSED,
        NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION:
        .unavailable
      case NATS_NOT_PERMITTED, NATS_CONNECTION_AUTH_FAILED, NATS_SSL_ERROR,
        NATS_SECURE_CONNECTION_REQUIRED, NATS_SECURE_CONNECTION_WANTED:
        .denied
      case NATS_NOT_FOUND: .notFound
      case NATS_MAX_PAYLOAD: .tooLarge
      default: .other
      }
  }

  /// Whether nobody who is trusted vouches for the server.
  var lacksIssuer: Bool {
    reason.contains("issuer certificate") || reason.contains("self-signed")
  }

  /// libnats tells its own file and line first: `(conn.c:733): reason`.
  private static func withoutPlace(_ text: String) -> String {
    guard text.hasPrefix("("), let end = text.firstRange(of: "): ") else { return text }
    return String(text[end.upperBound...])
  }
}
