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

  /// - Parameter status: of libnats (nats/status.h).
  init(_ status: natsStatus) {
    reason = String(cString: natsStatus_GetText(status))
    kind =
      switch status {
      case NATS_TIMEOUT: .timeout
      case NATS_NO_RESPONDERS, NATS_NO_SERVER, NATS_CONNECTION_CLOSED,
        NATS_CONNECTION_DISCONNECTED, NATS_NOT_YET_CONNECTED:
        .unavailable
      case NATS_NOT_PERMITTED, NATS_CONNECTION_AUTH_FAILED: .denied
      case NATS_NOT_FOUND: .notFound
      case NATS_MAX_PAYLOAD: .tooLarge
      default: .other
      }
  }
}
