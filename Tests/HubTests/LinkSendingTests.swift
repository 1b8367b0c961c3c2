import ChatModel
import TestSupport
import Testing
import Transport

/// What a prompt sends to a hub.
@Suite(.timeLimit(.minutes(5))) struct LinkSendingTests {
  @Test func `a hub that takes a few a second has all of them in order, each once`() async throws {
    let hub = try await FileHub { $0.limits.eventsPerSecond = 5 }
    let room = hub.room()
    await room.join(tail: 0)
    let reader = Task { while await room.next() != nil {} }
    defer { reader.cancel() }
    let ids = (1...18).map(String.init)
    let receipts = await room.send(
      ids.map { id in
        OutgoingEvent(event: .message(Message(id: id, profileID: "minsu", content: "word \(id)")))
      })
    #expect(receipts.count == ids.count)
    for receipt in receipts {
      guard case .failed(let error) = receipt else { continue }
      Issue.record("\(error)")
    }
    let lines = try #require(hub.folder.read("rooms/lobby.jsonl")).split(separator: 10)
    let kept = try lines.map { try EventCodec.decode(String(decoding: $0, as: UTF8.self))?.id }
    #expect(kept == ids)
    await room.close()
  }
}
