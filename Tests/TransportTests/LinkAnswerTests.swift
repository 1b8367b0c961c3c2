import ChatModel
import Testing

@testable import Transport

/// Whose answer an answer is, and what becomes of one that leads nowhere.
@Suite(.timeLimit(.minutes(5)))
struct LinkAnswerTests {
  private let far = FarSide()

  private func live(
    _ room: LinkRoom, dedupe: String = "server"
  ) async throws -> FarSide.Call {
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn(
      at: "c1", welcoming: #","capabilities":{"history":{"depth":"full"},"dedupe":"\#(dedupe)"}"#)
    _ = await updates(of: room, until: isLive)
    return call
  }

  @Test func `the room is entered by the answer to its own join`() async throws {
    let room = far.room()
    try await (room as any Transport).join(tail: 3, after: Cursor(value: "c7"))
    let call = try await far.call(1)
    await call.welcome()
    let join = try #require(await call.request("join"))
    #expect(join.contains(#""after":"c7","tail":3"#), "both are wanted at first")
    call.say(#"{"type":"joined","ref":"other","room":"kitchen","title":"another"}"#)
    call.say(#"{"type":"error","ref":"other","class":"denied","code":"x","message":"no"}"#)
    call.say(#"{"type":"joined","ref":"join","room":"team","title":"ours"}"#)
    call.say(#"{"type":"live","room":"team","cursor":"c8"}"#)
    let told = await updates(of: room) { isLive($0) || fatalReason($0) != nil }
    #expect(told.compactMap { if case .title(let title) = $0 { title } else { nil } } == ["ours"])
    #expect(told.compactMap(fatalReason).isEmpty)
    await room.close()
  }

  @Test func `a question that nobody answers has an end`() async throws {
    let room = far.room { $0.answer = .milliseconds(50) }
    _ = try await live(room)
    await #expect(throws: TransportError.self) { _ = try await room.members() }
    await room.close()
  }

  @Test func `the way that a far side has to make first is no delay of its own`() async throws {
    let room = far.room { timing in
      (timing.step, timing.ping) = (.seconds(4), .milliseconds(200))
    }
    await room.join(tail: 0)
    let call = try await far.call(1)
    await call.welcome()
    _ = await call.request("join")
    // Longer than a step may take, but it says so all the time.
    let answering = Task {
      while await call.request("ping") != nil { call.say(#"{"type":"pong"}"#) }
    }
    for _ in 0..<11 {
      call.say(#"{"type":"state","state":"connecting"}"#)
      try await Task.sleep(for: .milliseconds(400))
    }
    call.say(#"{"type":"state","state":"online"}"#)
    // So that it is looked at whether it is late.
    try await Task.sleep(for: .milliseconds(400))
    call.say(#"{"type":"joined","ref":"join","room":"team"}"#)
    call.say(#"{"type":"live","room":"team","cursor":"c1"}"#)
    let told = await updates(of: room) { isLive($0) || isReconnecting($0) }
    #expect(told.last.map(isLive) == true)
    await room.close()
    answering.cancel()
  }

  private func isReconnecting(_ update: RoomUpdate) -> Bool {
    if case .state(.reconnecting) = update { true } else { false }
  }

  @Test func `pages that are empty are turned until there is something, or an end`() async throws {
    let room = far.room()
    let call = try await live(room)
    let asking = Task { try await room.history(before: nil, limit: 5) }
    func answer(_ fields: String, events: String = "") async throws -> String {
      let request = try #require(await call.request("history"))
      let ref = try #require(reference(in: request))
      call.say(#"{"type":"page","ref":"\#(ref)","events":[\#(events)]\#(fields)}"#)
      return request
    }
    _ = try await answer(#","more":true,"next":"c5""#)
    let second = try await answer(
      #","more":true,"next":"c3""#,
      events: #"{"cursor":"c4","event":{"messageID":"4","profileID":"you","content":"x"}}"#)
    #expect(second.contains(#""before":"c5""#))
    let page = try await asking.value
    #expect(page.events.map(\.event.id) == ["4"] && page.more && page.start.value == "c3")

    // Nothing leads further back from the place that was asked for.
    let again = Task { try await room.history(before: Cursor(value: "c3"), limit: 5) }
    _ = try await answer(#","more":true,"next":"c3""#)
    #expect(try await again.value.more == false)
    let bare = Task { try await room.history(before: Cursor(value: "c3"), limit: 5) }
    _ = try await answer(#","more":true"#)
    #expect(try await bare.value.more == false)
    await room.close()
  }

  @Test func `pages that are empty for ever are given up`() async throws {
    let room = far.room()
    let call = try await live(room)
    let turning = Task {
      var number = 0
      while let request = await call.request("history"), let ref = reference(in: request) {
        number += 1
        call.say(#"{"type":"page","ref":"\#(ref)","events":[],"more":true,"next":"p\#(number)"}"#)
      }
    }
    let error = await #expect(throws: TransportError.self) {
      try await room.history(before: nil, limit: 5)
    }
    #expect(error?.code == .broken)
    await room.close()
    await turning.value
  }

  @Test func `what an earlier run may have sent is left to the user, where a repeat is another`()
    async throws
  {
    let room = far.room()
    let call = try await live(room, dedupe: "none")
    let receipts = await room.send([
      OutgoingEvent(event: message("1"), since: Cursor(value: "c0"))
    ])
    #expect(receipts.first?.failure?.code == .uncertain)
    let sending = Task { await room.send([OutgoingEvent(event: message("2"))]) }
    let request = try #require(await call.request("send"))
    #expect(messageID(in: request) == "2")
    call.acknowledge(request)
    #expect(await sending.value.first?.failure == nil)
    await room.close()
  }

  @Test func `the ids that a network gives a message are told with the receipt`() async throws {
    let room = far.room()
    let call = try await live(room)
    for (fields, wanted) in [
      (#","roomID":"n1""#, ["n1"]), (#","roomIDs":["n1","n2","",5]"#, ["n1", "n2", "5"]),
      (#","roomID":"1""#, []), ("", []),
    ] {
      let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
      let request = try #require(await call.request("send"))
      let ref = try #require(reference(in: request))
      call.say(#"{"type":"ack","ref":"\#(ref)","room":"team","id":"1","cursor":"c2"\#(fields)}"#)
      guard case .sent(_, _, let ids)? = await sending.value.first else {
        Issue.record("it was not sent")
        continue
      }
      #expect(ids == wanted)
    }
    await room.close()
  }
}
