internal import CNATS
internal import Executors

/// One subject, or a pattern of them, listened to by a thread of its own
/// (natsSubscription_NextMsg).
///
/// libnats keeps what is not taken yet, up to its limits, and passes over what
/// comes beyond them: whoever needs every message has to notice gaps.
final class NATSSubscription: Sendable {
  private let handle: Handle

  /// - Parameters:
  ///   - names: which headers are read.
  ///   - take: called with what has come, in order; the next call waits until
  ///     it returns.
  init(
    _ connection: NATSConnection, _ subject: String, reading names: [NATSMessage.Header],
    _ take: @escaping @Sendable ([NATSMessage]) -> Void
  ) throws(ClusterFault) {
    var subscription: OpaquePointer?
    let status = natsConnection_SubscribeSync(&subscription, connection.pointer, subject)
    guard status == NATS_OK, let subscription else { throw ClusterFault(status) }
    let handle = Handle(subscription)
    self.handle = handle
    runOnOwnThread {
      while let messages = handle.next(reading: names) { take(messages) }
    }
  }

  deinit { natsSubscription_Unsubscribe(handle.pointer) }

  private final class Handle: Sendable {
    // libnats guards it by a lock of its own.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { natsSubscription_Destroy(pointer) }

    /// What has come, once something has; nil when nothing will any more.
    func next(reading names: [NATSMessage.Header]) -> [NATSMessage]? {
      var messages: [NATSMessage] = []
      var timeout = Self.forever
      while messages.count < Self.batch {
        var message: OpaquePointer?
        let status = natsSubscription_NextMsg(&message, pointer, timeout)
        guard status == NATS_OK, let message else {
          return !messages.isEmpty || Self.isPassing(status) ? messages : nil
        }
        messages.append(NATSMessage(message, reading: names))
        natsMsg_Destroy(message)
        timeout = 0
      }
      return messages
    }

    /// Whether more may come all the same. That nobody answers a request is not
    /// told as a message, and not of which request.
    private static func isPassing(_ status: natsStatus) -> Bool {
      [NATS_TIMEOUT, NATS_SLOW_CONSUMER, NATS_NO_RESPONDERS].contains(status)
    }

    private static let batch = 512
    /// In milliseconds; unsubscribing ends it.
    private static let forever: Int64 = 3_600_000
  }
}
