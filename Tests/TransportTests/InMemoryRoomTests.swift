import ChatModel
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct InMemoryRoomTests {
  let room = InMemoryRoom(events: [message("a"), message("b"), message("c")])

  @Test func `is one room for all endpoints`() async throws {
    let (one, other) = (room.endpoint(), room.endpoint())
    try await one.join(tail: 2)
    try await other.join(tail: 0)
    #expect(try await !sendOne(outgoing("d"), to: one).isDuplicate)
    #expect(await one.told(until: "event d").words == ["replay b", "replay c", "live", "event d"])
    #expect(await other.told(until: "event d").words == ["live", "event d"])
    #expect(try await sendOne(outgoing("d"), to: other).isDuplicate)
    #expect(await room.contents.count == 4)
  }

  @Test func `fails when it is told to`() async throws {
    let endpoint = room.endpoint()
    let error = TransportError(.noSpace, reason: "full")
    await room.failJoining(with: error)
    await #expect(throws: error) { try await endpoint.join(tail: 0) }
    await room.fail(with: error)
    #expect(await endpoint.send([outgoing("d")]).first?.error == error)
    await room.fail(with: nil)
    #expect(try await !sendOne(outgoing("d"), to: endpoint).isDuplicate)
  }

  @Test func `holds sends until they are released`() async throws {
    let endpoint = room.endpoint()
    await room.hold()
    async let receipts = endpoint.send([outgoing("d")])
    await room.waitUntilHeld(1)
    #expect(await room.contents.count == 3)
    await room.release()
    #expect(await receipts.map(\.isDuplicate) == [false])
  }

  @Test func `tells problems, states and resets`() async throws {
    let endpoint = room.endpoint()
    try await endpoint.join(tail: 0)
    let before = try await endpoint.history(before: nil, limit: 1).start
    await room.report(RoomProblem(source: "memory", byteOffset: 7, reason: "bad"))
    await room.change(to: .offline(reason: TransportError(.busy, reason: "away")))
    await room.reset(to: [message("x")])
    #expect(
      await endpoint.told(until: "event x").words
        == ["live", "problem 7", "offline busy", "reset", "event x"])
    let error = await #expect(throws: TransportError.self) {
      try await endpoint.history(before: before, limit: 1)
    }
    #expect(error?.code == .gone)
  }

  @Test func `pages back`() async throws {
    let endpoint = room.endpoint()
    let last = try await endpoint.history(before: nil, limit: 2)
    #expect(last.events.map(\.event.id) == ["b", "c"] && last.more)
    let first = try await endpoint.history(before: last.start, limit: 2)
    #expect(first.events.map(\.event.id) == ["a"] && !first.more)
  }

  @Test func `ends when it is closed or its task is cancelled`() async throws {
    let endpoint = room.endpoint()
    try await endpoint.join(tail: 0)
    _ = await endpoint.told(until: "live")
    let cancelled = Task { await endpoint.next() == nil }
    cancelled.cancel()
    #expect(await cancelled.value)
    let waiting = Task { await endpoint.next() == nil }
    await endpoint.close()
    #expect(await waiting.value)
  }
}
