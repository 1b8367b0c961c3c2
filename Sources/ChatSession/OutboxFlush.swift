internal import ChatModel
package import SessionLog
package import Transport

/// Sends what waits in a room's outbox, where there is no session to do it.
package struct OutboxFlush: Sendable {
  private let log: LogStore
  private let room: LoggedRoom
  private let transport: any Transport

  package init(_ log: LogStore, _ room: LoggedRoom, _ transport: any Transport) {
    (self.log, self.room, self.transport) = (log, room, transport)
  }

  /// Sends what nobody alive is sending, in its order, with its first ids and
  /// times; what the room takes for a repeat is there once.
  /// - Returns: why some of it still waits; nil when nothing does.
  package func run() async throws(LogError) -> TransportError? {
    let owner = LogStore.ownerOfProcess
    let waiting = try await log.claim(in: room, as: owner)
    guard !waiting.isEmpty else { return nil }
    let receipts = await transport.send(
      waiting.map { OutgoingEvent(event: $0.event, since: $0.since.map(Cursor.init(value:))) })
    var failure: TransportError?
    for (item, receipt) in zip(waiting, receipts) {
      switch receipt {
      case .sent: try await log.forget([item.event.id], in: room)
      case .failed(let error):
        try await log.fail([item.event.id], because: error.description, in: room)
        failure = failure ?? error
      }
    }
    try await log.release(owner)
    return failure
  }
}
