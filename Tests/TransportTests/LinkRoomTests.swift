import ChatModel
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct LinkRoomTests {
  private let far = FarSide()

  private func makeRoom(
    _ patience: LinkRoom.Patience = .unlimited, change: (inout LinkTiming) -> Void = { _ in }
  ) -> LinkRoom {
    far.room(patience, change: change)
  }

  @Test func `enters, tells what was there, then what comes, and sends`() async throws {
    let room = makeRoom()
    await room.join(tail: 7)
    let call = try await far.call(1)
    let join = await call.letIn(replaying: [eventLine("a", "c1"), eventLine("b", "c2")])
    #expect(join == #"{"type":"join","ref":"join","room":"team","tail":7}"#)
    let entered = await updates(of: room, until: isLive)
    #expect(ids(entered).replayed == ["a", "b"])
    call.say(eventLine("c", "c3"))
    let news = await updates(of: room) { _ in true }
    #expect(ids(news).arrived == ["c"])

    let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
    let sent = try #require(await call.request("send"))
    #expect(sent.contains(#""messageID":"1""#) && !sent.contains("since"))
    let ref = try #require(reference(in: sent))
    call.say(#"{"type":"ack","ref":"\#(ref)","room":"team","id":"1","cursor":"c4"}"#)
    guard case .sent(let cursor, duplicate: false, _)? = await sending.value.first else {
      Issue.record("not sent")
      return
    }
    #expect(cursor.value == "c4")
    await room.close()
    #expect(await room.next() == nil)
  }

  @Test func `what was not acknowledged is repeated in its order, from where it was tried first`()
    async throws
  {
    let room = makeRoom()
    await room.join(tail: 0)
    let first = try await far.call(1)
    _ = await first.letIn(at: "c9")
    _ = await updates(of: room, until: isLive)
    let sending = Task { await room.send(["1", "2"].map { OutgoingEvent(event: message($0)) }) }
    let refs = [await first.request("send"), await first.request("send")]
    #expect(refs.allSatisfy { $0?.contains("since") == false })
    first.hangUp()

    let second = try await far.call(2)
    let join = await second.letIn(at: "c9")
    #expect(join == #"{"type":"join","ref":"join","room":"team","after":"c9"}"#)
    for id in ["1", "2"] {
      let again = try #require(await second.request("send"))
      #expect(again.contains(#""since":"c9""#) && again.contains(#""messageID":"\#(id)""#))
      let ref = try #require(reference(in: again))
      second.say(
        #"{"type":"ack","ref":"\#(ref)","room":"team","id":"\#(id)","cursor":"c9","duplicate":true}"#
      )
    }
    let receipts = await sending.value
    #expect(receipts.count == 2)
    for receipt in receipts {
      guard case .sent(_, duplicate: true, _) = receipt else {
        Issue.record("\(receipt)")
        return
      }
    }
    await room.close()
  }

  @Test func `what comes after a break is news, and the break is told with its reason`()
    async throws
  {
    let room = makeRoom()
    await room.join(tail: 5)
    let first = try await far.call(1)
    _ = await first.letIn(replaying: [eventLine("a", "c1")])
    _ = await updates(of: room, until: isLive)
    first.hangUp()
    let second = try await far.call(2)
    _ = await second.letIn(at: "c2", replaying: [eventLine("b", "c2")])
    let told = await updates(of: room, until: isLive)
    #expect(ids(told).arrived == ["b"])
    let reasons = told.compactMap { update in
      if case .state(.reconnecting(_, let reason)) = update { reason.reason } else { nil }
    }
    #expect(reasons == ["the far side hung up"])
    await room.close()
  }

  @Test(arguments: ["dials", "greets", "joins", "is live"])
  func `a far side that falls silent is given up`(_ stage: String) async throws {
    let room = makeRoom {
      if stage != "is live" { $0.step = .milliseconds(50) }
      ($0.ping, $0.silence) = (.milliseconds(20), .milliseconds(60))
    }
    await room.join(tail: 0)
    let call = try await far.call(1)
    switch stage {
    case "joins":
      _ = await call.request("hello")
      call.say(#"{"type":"welcome","version":1,"server":"far"}"#)
    case "is live": _ = await call.letIn()
    default: break
    }
    _ = try await far.call(2)
    await room.close()
  }

  @Test func `one who answers pings is not given up`() async throws {
    let room = makeRoom { $0.ping = .milliseconds(20) }
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    for _ in 0..<10 {
      #expect(await call.request("ping") != nil)
      call.say(#"{"type":"pong"}"#)
    }
    #expect(far.callCount == 1)
    await room.close()
  }

  @Test func `a script learns at once that nobody can be reached`() async throws {
    far.fail(with: TransportError(.unreachable, path: "far", reason: "nobody there"))
    let room = makeRoom(.firstAttempt)
    let receipts = await room.send([OutgoingEvent(event: message("1"))])
    let error = try #require(receipts.first?.failure)
    #expect(error.code == .unreachable && error.code.isTransient)
    await #expect(throws: TransportError.self) { try await room.history(before: nil, limit: 1) }
    await room.close()
  }

  @Test func `lines that are none of the protocol are told, and three in a row are too many`()
    async throws
  {
    let room = makeRoom()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    call.say("no JSON")
    call.say(eventLine("a", "c1"))
    for _ in 0..<3 { call.say(#"{"type":7}"#) }
    _ = try await far.call(2)
    let told = await updates(of: room) { update in
      if case .state(.reconnecting) = update { true } else { false }
    }
    #expect(ids(told).arrived == ["a"])
    let notices = told.count { if case .notice = $0 { true } else { false } }
    #expect(notices == 4)
    await room.close()
  }

  @Test func `a refusal is for good, and told to whoever waits`() async throws {
    let room = makeRoom()
    let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"error","class":"denied","code":"x","message":"not you"}"#)
    let error = try #require(await sending.value.first?.failure)
    #expect(error.code == .denied && error.reason == "not you")
    #expect(far.callCount == 1)
    await room.close()
  }

  @Test func `after a refusal it calls anew when it is asked to, or something is sent`()
    async throws
  {
    let room = makeRoom()
    await room.join(tail: 0)
    let refusal = #"{"type":"error","class":"auth","code":"login","message":"no","certain":true}"#
    for number in 1...2 {
      let call = try await far.call(number)
      _ = await call.request("hello")
      call.say(refusal)
      _ = await updates(of: room) { if case .state(.fatal) = $0 { true } else { false } }
      #expect(far.callCount == number)
      if number == 1 { await room.reconnect() }
    }
    let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
    let third = try await far.call(3)
    _ = await third.letIn()
    let sent = try #require(await third.request("send"))
    let ref = try #require(reference(in: sent))
    third.say(#"{"type":"ack","ref":"\#(ref)","room":"team","id":"1","cursor":"c4"}"#)
    let receipt = try #require(await sending.value.first)
    #expect(receipt.failure == nil)
    await room.close()
  }

  @Test func `an event that was refused fails, and the others go on`() async throws {
    let room = makeRoom()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    let sending = Task { await room.send(["1", "2"].map { OutgoingEvent(event: message($0)) }) }
    for id in ["1", "2"] {
      let sent = try #require(await call.request("send"))
      let ref = try #require(reference(in: sent))
      call.say(
        id == "1"
          ? #"{"type":"error","ref":"\#(ref)","class":"denied","message":"no"}"#
          : #"{"type":"ack","ref":"\#(ref)","room":"team","id":"2","cursor":"c"}"#)
    }
    let receipts = await sending.value
    #expect(receipts.map(\.failure?.reason) == ["no", nil])
    await room.close()
  }

  @Test func `one who does not take what comes makes the far side wait, and gets all of it once`()
    async throws
  {
    let room = makeRoom()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    let count = 20_000
    let saying = Task.detached {
      for number in 0..<count { call.say(eventLine("m\(number)", "c\(number)")) }
    }
    var arrived: [String] = []
    while arrived.count < count, let updates = await room.next() {
      arrived += ids(updates).arrived
      #expect(ids(updates).arrived.count <= 1_000)
    }
    await saying.value
    #expect(arrived == (0..<count).map { "m\($0)" })
    await room.close()
  }

  @Test func `closing fails what waits, and says good-bye`() async throws {
    let room = makeRoom()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
    _ = await call.request("send")
    await room.close()
    let error = try #require(await sending.value.first?.failure)
    #expect(error.code == .closed)
    #expect(await call.request("bye") != nil)
  }
}
