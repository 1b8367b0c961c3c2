internal import ChatModel
package import SessionLog
package import Transport

/// Sends what waits in a room's outbox, where there is no session to do it.
package struct OutboxFlush: Sendable {
  private let log: LogStore
  private let room: LoggedRoom
  private let transport: any Transport

  /// - Parameters:
  ///   - room: whose waiting events are sent.
  ///   - transport: what carries that room; it need not be joined.
  package init(_ log: LogStore, _ room: LoggedRoom, _ transport: any Transport) {
    (self.log, self.room, self.transport) = (log, room, transport)
  }

  /// Sends what nobody alive is sending, in its order, with its first ids and
  /// times; what the room takes for a repeat is there once.
  /// - Returns: why the first of what was not taken still waits; nil when all
  ///   was, or nothing was to be sent.
  /// - Throws: what the log says. What the room has by then is known as a
  ///   repeat the next time.
  package func run() async throws(LogError) -> TransportError? {
    let owner = LogStore.ownerOfProcess
    let waiting = try await log.claim(in: room, as: owner)
    guard !waiting.isEmpty else { return nil }
    if waiting.contains(where: { $0.since == nil }) {
      // Where nobody has tried yet, a repeat is looked for from here; where it
      // would not be found, that it is one is to be known all the same.
      let end =
        await transport.end()?.value ?? (transport.capabilities.removesDuplicates ? nil : "")
      try await log.keep(waiting.map { ($0.event, $0.since ?? end) }, in: room, owner: owner)
    }
    let receipts = await transport.send(
      waiting.map { OutgoingEvent(event: $0.event, since: $0.since.map(Cursor.init(value:))) })
    var failure: TransportError?
    for (item, receipt) in zip(waiting, receipts) {
      switch receipt {
      case .sent: try await log.forget([item.event.id], in: room)
      case .failed(let error):
        let isUntried = !transport.capabilities.removesDuplicates && error.code != .uncertain
        try await log.fail(
          [item.event.id], because: error.description, isUntried: isUntried, in: room)
        failure = failure ?? error
      }
    }
    try await log.release(owner)
    return failure
  }
}

extension Transport {
  /// Where the room ends now; nil when it cannot be read.
  package func end() async -> Cursor? {
    guard let page = try? await history(before: nil, limit: 1) else { return nil }
    return page.events.last?.cursor ?? page.start
  }
}
