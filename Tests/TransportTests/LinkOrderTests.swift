import ChatModel
import Executors
import Testing

@testable import Transport

/// In which order what is sent goes out.
@Suite(.timeLimit(.minutes(5)))
struct LinkOrderTests {
  private let far = FarSide()

  private func send(_ ids: [String], to room: LinkRoom) -> Task<[Receipt], Never> {
    Task { await room.send(ids.map { OutgoingEvent(event: message($0)) }) }
  }

  private func putOff(_ request: String, _ fields: String = #","retryAfter":0"#) -> String {
    #"{"type":"error","ref":"\#(reference(in: request) ?? "")","class":"retry","#
      + #""message":"slowly"\#(fields)}"#
  }

  @Test(arguments: [#","retryAfter":0"#, #","retryAfter":1"#, #","certain":false"#])
  func `what is put off is said again in its order, and nothing overtakes it`(
    _ fields: String
  ) async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn(at: "c1")
    _ = await updates(of: room, until: isLive)
    let first = send(["1", "2", "3"], to: room)
    var heard: [String] = []
    for _ in 1...3 { heard.append(try #require(await call.request("send"))) }
    call.acknowledge(heard[0])
    call.say(putOff(heard[1], fields))
    #expect(await eventually { await room.unacknowledged.said == [3] })

    // One who comes now has to wait, a question has not.
    let second = send(["4"], to: room)
    #expect(await eventually { await room.unacknowledged[4] != nil })
    let asking = Task { try await room.members() }
    let question = try #require(await call.line())
    #expect(question.hasPrefix(#"{"type":"members""#))
    call.say(#"{"type":"members","ref":"\#(reference(in: question) ?? "")","items":[]}"#)
    _ = try await asking.value

    call.say(putOff(heard[2]))
    for id in ["2", "3", "4"] {
      let again = try #require(await call.line())
      #expect(messageID(in: again) == Substring(id))
      #expect(again.contains(#""since":"c1""#) == (id != "4"))
      call.acknowledge(again)
    }
    let receipts = await first.value + second.value
    #expect(receipts.count == 4 && receipts.allSatisfy { $0.failure == nil })
    await room.close()
  }

  @Test func `one who takes a few at a time has all of them in order, each once`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    let ids = (1...40).map(String.init)
    let sending = send(ids, to: room)
    var (taken, refused) = ([String](), Set<String>())
    var allowance = 5
    while taken.count < ids.count, let request = await call.request("send") {
      let id = String(try #require(messageID(in: request)))
      // Some time has passed.
      if !refused.isEmpty, refused.remove(id) != nil { allowance = 5 }
      allowance -= 1
      if allowance >= 0 {
        taken.append(id)
        call.acknowledge(request)
      } else {
        refused.insert(id)
        call.say(putOff(request))
      }
    }
    #expect(taken == ids)
    #expect(await sending.value.allSatisfy { $0.failure == nil })
    await room.close()
  }

  @Test func `what was put off goes first over the next connection`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let first = try await far.call(1)
    _ = await first.letIn(at: "c1")
    let sending = send(["1", "2"], to: room)
    let heard = [await first.request("send"), await first.request("send")]
    first.say(putOff(try #require(heard[0]), #","retryAfter":1"#))
    first.hangUp()
    let second = try await far.call(2)
    _ = await second.letIn(at: "c1")
    for id in ["1", "2"] {
      let again = try #require(await second.request("send"))
      #expect(messageID(in: again) == Substring(id))
      second.acknowledge(again)
    }
    #expect(await sending.value.allSatisfy { $0.failure == nil })
    await room.close()
  }

  @Test func `what was not said cannot be acknowledged`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    await call.welcome()
    _ = await call.request("join")
    let sending = send(["1"], to: room)
    #expect(await eventually { await room.unacknowledged[1] != nil })
    call.say(#"{"type":"ack","ref":"1","cursor":"x"}"#)
    call.say(#"{"type":"error","ref":"1","class":"retry","retryAfter":0,"message":"x"}"#)
    let again = try await far.call(2)
    _ = await again.letIn()
    again.acknowledge(try #require(await again.request("send")))
    guard case .sent(let cursor, _, _)? = await sending.value.first else {
      Issue.record("not sent")
      return
    }
    #expect(cursor.value == "c")
    await room.close()
  }

  @Test func `a longer line than the far side takes is not said`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn(welcoming: #","maxLine":200"#)
    let long = Event.message(
      Message(id: "1", profileID: "me", content: String(repeating: "x", count: 200)))
    let sending = Task {
      await room.send([OutgoingEvent(event: long), OutgoingEvent(event: message("2"))])
    }
    let request = try #require(await call.request("send"))
    #expect(messageID(in: request) == "2")
    call.acknowledge(request)
    let receipts = await sending.value
    #expect(receipts.map(\.failure?.code) == [.tooLarge, nil])
    #expect(receipts[0].failure?.reason.contains("200 bytes") == true)
    await room.close()
  }

  @Test func `one who pings and takes nothing is not answered for ever`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.letIn()
    _ = await updates(of: room, until: isLive)
    runOnOwnThread {
      for _ in 0..<200_000 { call.say(#"{"type":"ping"}"#) }
      call.say(eventLine("a", "c1"))
    }
    let told = await updates(of: room) { _ in true }
    #expect(ids(told).arrived == ["a"])
    let closing = Task { await room.close() }
    var answerCount = 0
    while let line = await call.line(), line.hasPrefix(#"{"type":"pong"#) { answerCount += 1 }
    #expect((1...100_000).contains(answerCount))
    call.hangUp()
    await closing.value
  }
}
