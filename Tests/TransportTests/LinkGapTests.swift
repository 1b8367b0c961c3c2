import ChatModel
import Testing

@testable import Transport

/// What the far side says by itself besides events.
@Suite(.timeLimit(.minutes(5)))
struct LinkGapTests {
  private let far = FarSide()

  private func live(
    _ room: LinkRoom, _ fields: String = #","capabilities":{"history":{"depth":"full"}}"#
  ) async throws -> FarSide.Call {
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn(at: "c1", welcoming: fields)
    _ = await updates(of: room, until: isLive)
    return call
  }

  private func page(_ request: String, _ ids: [String], _ fields: String) -> String {
    let events = ids.map { id in
      #"{"cursor":"c\#(id)","event":{"messageID":"\#(id)","profileID":"you","content":"x"}}"#
    }
    return #"{"type":"page","ref":"\#(reference(in: request) ?? "")","events":"#
      + "[\(events.joined(separator: ","))]\(fields)}"
  }

  @Test func `what a gap holds is fetched in its order, and told once`() async throws {
    let room = far.room()
    let call = try await live(room)
    call.say(#"{"type":"gap","room":"team","after":"c1","before":"c5"}"#)
    call.say(eventLine("6", "c6"))
    let first = try #require(await call.request("history"))
    #expect(first.contains(#""after":"c1""#))
    call.say(page(first, ["2", "3"], #","more":true,"next":"c3""#))
    let second = try #require(await call.request("history"))
    #expect(second.contains(#""after":"c3""#))
    call.say(eventLine("7", "c7"))
    // More than is missing is told by who does not know where that ends.
    call.say(page(second, ["4", "5", "6"], #","more":true,"next":"c6""#))
    call.say(eventLine("8", "c8"))
    var told: [RoomEvent] = []
    while told.count < 7, let updates = await room.next() {
      for case .events(let events) in updates { told += events }
    }
    #expect(told.map(\.event.id).filter { $0 < "6" } == ["2", "3", "4", "5"])
    #expect(told.map(\.event.id).sorted() == ["2", "3", "4", "5", "6", "7", "8"])
    // The room was read up to the newest, whatever is told late.
    #expect(told.map(\.cursor.value).sorted() == told.map(\.cursor.value))
    await room.close()
  }

  @Test func `a gap of which only the end is known is a page`() async throws {
    let room = far.room()
    let call = try await live(room)
    call.say(#"{"type":"gap","room":"team","before":"c5"}"#)
    let request = try #require(await call.request("history"))
    #expect(request.contains(#""before":"c5""#) && !request.contains("after"))
    call.say(page(request, ["4", "5"], #","more":true,"next":"c3""#))
    let told = await updates(of: room) { _ in true }
    #expect(ids(told).arrived == ["4", "5"])
    await room.close()
  }

  @Test func `a gap that cannot be fetched is told`() async throws {
    let room = far.room()
    let call = try await live(room)
    call.say(#"{"type":"gap","room":"team","after":"c1"}"#)
    let request = try #require(await call.request("history"))
    let ref = reference(in: request) ?? ""
    call.say(#"{"type":"error","ref":"\#(ref)","class":"gone","message":"gone"}"#)
    let told = await updates(of: room) { _ in true }
    #expect(notices(told).first?.contains("could not be fetched: gone") == true)
    await room.close()
  }

  @Test func `a gap of a room without a past is told`() async throws {
    let room = far.room()
    let call = try await live(room, "")
    call.say(#"{"type":"gap","room":"team"}"#)
    let told = await updates(of: room) { _ in true }
    #expect(notices(told).first?.contains("may be missing") == true)
    await room.close()
  }

  @Test func `what the far side needs is asked for and handed on`() async throws {
    let asked = Asked()
    let room = far.room(questioner: asked)
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"need","ref":"n1","name":"token","secret":true}"#)
    #expect(await eventually { asked.count == 1 })
    #expect(asked.questions == [Question(asker: "test://far", text: "token", kind: .secret)])
    asked.answer(Login(user: "", password: "abc"))
    #expect(await call.request("given") == #"{"type":"given","ref":"n1","value":"abc"}"#)
    await room.close()
  }

  @Test(arguments: [true, false])
  func `what nobody answers ends it for good`(isSomebodyThere: Bool) async throws {
    let asked = Asked()
    let room = far.room(questioner: isSomebodyThere ? asked : nil)
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"need","ref":"n1","name":"token"}"#)
    if isSomebodyThere {
      #expect(await eventually { asked.count == 1 })
      asked.answer(nil)
    }
    let told = await updates(of: room) { fatalReason($0) != nil }
    #expect(told.compactMap(fatalReason).first?.reason.hasPrefix("it asks for token") == true)
    await room.close()
  }

  @Test func `of the far side's log, what is a warning or worse is told`() async throws {
    let room = far.room()
    let call = try await live(room)
    for level in ["debug", "info", "warn", "error"] {
      let text = level + String(repeating: "!", count: 1_000)
      call.say(#"{"type":"log","level":"\#(level)","message":"\#(text)"}"#)
    }
    call.say(eventLine("a", "c2"))
    let told = await updates(of: room) { if case .events = $0 { true } else { false } }
    let levels = notices(told).map { String($0.prefix(16)) }
    #expect(levels == ["test://far: warn", "test://far: erro"])
    #expect(notices(told).allSatisfy { $0.count < 600 })
    await room.close()
  }

  @Test func `a question ends with the way, however soon that breaks`() async throws {
    let room = far.room { $0.firstWait = .seconds(600) }
    await room.join(tail: 0)
    let call = try await far.call(1)
    await call.welcome()
    _ = await call.request("join")
    let asking = Task { try await room.history(before: nil, limit: 1) }
    #expect(await eventually { await room.arrivals.count == 1 })
    call.say(
      [
        #"{"type":"joined","ref":"join","room":"team"}"#,
        #"{"type":"live","room":"team","cursor":"c1"}"#, #"{"type":"bye"}"#,
      ].joined(separator: "\n"))
    await #expect(throws: TransportError.self) { try await asking.value }
    await room.close()
  }
}
