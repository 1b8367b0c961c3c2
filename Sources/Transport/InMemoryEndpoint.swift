internal import ChatModel

/// One way into an ``InMemoryRoom``.
package actor InMemoryEndpoint: Transport {
  package nonisolated let capabilities = Capabilities(
    history: .full, order: .total, removesDuplicates: true,
    maximumEventBytes: EventCodec.maximumEventBytes, presence: true)

  private let room: InMemoryRoom
  private var isClosed = false

  init(room: InMemoryRoom) {
    self.room = room
  }

  package func join(tail: Int) async throws(TransportError) {
    try await room.join(ObjectIdentifier(self), tail: tail)
  }

  package func next() async -> [RoomUpdate]? {
    await room.next(for: ObjectIdentifier(self))
  }

  package func send(_ events: [OutgoingEvent]) async -> [Receipt] {
    guard !isClosed else {
      return events.map { _ in .failed(TransportError(.closed, reason: "the room was closed")) }
    }
    return await room.send(events)
  }

  package func history(
    before cursor: Cursor?, limit: Int
  ) async throws(TransportError) -> HistoryPage {
    try await room.history(before: cursor, limit: limit)
  }

  package func close() async {
    isClosed = true
    await room.leave(ObjectIdentifier(self))
  }
}
