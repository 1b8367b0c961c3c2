import ChatModel
import Synchronization
import Testing
import TransportSecurity

@testable import Transport

/// When the far side is believed, and what it is told.
@Suite(.timeLimit(.minutes(5)))
struct LinkTrustTests {
  private let far = FarSide()

  private static let early = [
    eventLine("x", "c9"), #"{"type":"live","room":"team","cursor":"c9"}"#,
    #"{"type":"reset","room":"team"}"#, #"{"type":"gap","room":"team"}"#,
    #"{"type":"state","state":"online"}"#, #"{"type":"page","ref":"1","events":[],"more":false}"#,
    #"{"type":"members","ref":"1","items":[]}"#, #"{"type":"ack","ref":"1","cursor":"c9"}"#,
    #"{"type":"joined","ref":"join","room":"other"}"#,
  ]

  @Test(arguments: early)
  func `what comes too early is passed over`(_ line: String) async throws {
    let room = far.room()
    await room.join(tail: 3)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(line)
    call.say(#"{"type":"welcome","version":1}"#)
    let join = try #require(await call.request("join"))
    #expect(join.contains(#""tail":3"#) && !join.contains("after"))
    if !line.contains("joined") { call.say(line) }
    call.say(#"{"type":"joined","ref":"join","room":"team"}"#)
    call.say(eventLine("a", "c1"))
    call.say(#"{"type":"live","room":"team","cursor":"c1"}"#)
    let told = await updates(of: room, until: isLive)
    #expect(ids(told).replayed == ["a"] && ids(told).arrived.isEmpty)
    #expect(told.count { if case .state(.online) = $0 { true } else { false } } == 1)
    #expect(!told.contains { if case .reset = $0 { true } else { false } })
    #expect(notices(told).isEmpty)
    await room.close()
  }

  @Test func `one who lets in without a login, where there is one, gets nothing`() async throws {
    let room = far.room(expectsLogin: true)
    let sending = Task { await room.send([OutgoingEvent(event: message("1"))]) }
    let call = try await far.call(1)
    for line in [
      #"{"type":"need","ref":"1","name":"password","secret":true}"#,
      #"{"type":"log","level":"error","message":"m"}"#, #"{"type":"state","state":"offline"}"#,
      #"{"type":"welcome","version":1}"#,
    ] {
      call.say(line)
    }
    let error = try #require(await sending.value.first?.failure)
    #expect(error.code == .refused && error.reason.contains("without a password"))
    let told = await updates(of: room) { fatalReason($0) != nil }
    #expect(notices(told).isEmpty)
    #expect(await call.request("join") == nil)
    await room.close()
  }

  @Test func `one who asks for a login has to take it`() async throws {
    let questions = Asked()
    let room = far.room(login: { _ in await questions.next() })
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"auth","mechanisms":["SCRAM-SHA-256"]}"#)
    #expect(await eventually { questions.count == 1 })
    call.say(#"{"type":"welcome","version":1}"#)
    let told = await updates(of: room) { fatalReason($0) != nil }
    #expect(told.compactMap(fatalReason).first?.code == .refused)
    questions.answer(Login(user: "me", password: "secret"))
    #expect(await call.line() == nil)
    await room.close()
  }

  @Test func `one who only asks whether one is there lets nobody in, and is given up`()
    async throws
  {
    let room = far.room(change: { ($0.step, $0.ping) = (.milliseconds(60), .milliseconds(10)) })
    await room.join(tail: 0)
    let chatter = Task {
      while !Task.isCancelled {
        for number in 1...max(1, far.callCount) {
          (try? await far.call(number))?.say(#"{"type":"ping"}"#)
        }
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    _ = try await far.call(3)
    chatter.cancel()
    await room.close()
  }

  @Test func `a password that was mistyped is asked for twice more`() async throws {
    let asked = Mutex<[Bool]>([])
    let room = far.room(login: { isRefused in
      asked.withLock { $0.append(isRefused) }
      return Login(user: "me", password: "wrong", isTyped: true)
    })
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"auth","mechanisms":["SCRAM-SHA-256"]}"#)
    for _ in 1...3 {
      #expect(await call.request("auth") != nil)
      call.say(#"{"type":"error","class":"auth","message":"wrong"}"#)
    }
    let told = await updates(of: room) { if case .state(.fatal) = $0 { true } else { false } }
    #expect(asked.withLock(\.self) == [false, true, true])
    #expect(notices(told).filter { $0.contains("wrong") }.count == 2)
    #expect(far.callCount == 1)
    await room.close()
  }

  @Test func `whoever is asked for his password may take his time`() async throws {
    let questions = Asked()
    let hasty: (inout LinkTiming) -> Void = {
      ($0.step, $0.ping) = (.milliseconds(40), .milliseconds(10))
    }
    let room = far.room(change: hasty, login: { _ in await questions.next() })
    await room.join(tail: 0)
    let call = try await far.call(1)
    _ = await call.request("hello")
    call.say(#"{"type":"auth","mechanisms":["SCRAM-SHA-256"]}"#)
    // Meanwhile, one who asks nothing is given up three times.
    let silent = FarSide()
    let other = silent.room(change: hasty)
    await other.join(tail: 0)
    _ = try await silent.call(4)
    #expect(far.callCount == 1)
    questions.answer(Login(user: "me", password: "secret"))
    #expect(await call.request("auth") != nil)
    #expect(far.callCount == 1)
    await room.close()
    await other.close()
  }

  @Test func `an answer is asked for once, whoever has hung up meanwhile`() async throws {
    let questions = Asked()
    let shared = SharedLogin(isKept: true)
    let room = far.room(login: { isRefused in
      questions.note(isRefused)
      return await shared.find(isRefused: isRefused) { await questions.next() }
    })
    await room.join(tail: 0)
    let ask = #"{"type":"auth","mechanisms":["SCRAM-SHA-256"]}"#
    for number in 1...2 {
      let call = try await far.call(number)
      _ = await call.request("hello")
      call.say(ask)
      #expect(await eventually { questions.refusals.count == number })
      call.hangUp()
    }
    let third = try await far.call(3)
    _ = await third.request("hello")
    questions.answer(Login(user: "me", password: "wrong"))
    third.say(ask)
    #expect(await third.request("auth") != nil)
    third.say(#"{"type":"error","class":"auth","message":"no"}"#)
    _ = await updates(of: room) { fatalReason($0) != nil }

    // It is told once that the answer was wrong, and the next one is kept.
    await room.reconnect()
    let fourth = try await far.call(4)
    _ = await fourth.request("hello")
    fourth.say(ask)
    #expect(await eventually { questions.count == 2 })
    questions.answer(Login(user: "me", password: "right"))
    #expect(await fourth.request("auth") != nil)
    fourth.hangUp()
    let fifth = try await far.call(5)
    _ = await fifth.request("hello")
    fifth.say(ask)
    #expect(await fifth.request("auth") != nil)
    #expect(questions.count == 2)
    #expect(questions.refusals == [false, false, false, true, false])
    await room.close()
  }

  @Test func `what is unknown and required ends it for good`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    await call.welcome(#","requires":["dedupe","telepathy"]"#)
    let told = await updates(of: room) { fatalReason($0) != nil }
    let error = try #require(told.compactMap(fatalReason).first)
    #expect(error.reason.contains("telepathy") && !error.code.isTransient)
    #expect(await call.request("join") == nil)
    await room.close()
  }

  @Test func `what is known and required is no hindrance`() async throws {
    let room = far.room()
    await room.join(tail: 0)
    let call = try await far.call(1)
    #expect(await call.letIn(welcoming: #","requires":["dedupe","order"]"#) != nil)
    await room.close()
  }
}

/// Somebody who is asked, and answers when the test wants it.
final class Asked: Questioner {
  private struct State {
    var waiting: [CheckedContinuation<Login?, Never>] = []
    var questions: [Question] = []
    var refusals: [Bool] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How often there was a question.
  var count: Int { state.withLock(\.count) }
  var questions: [Question] { state.withLock(\.questions) }
  var refusals: [Bool] { state.withLock(\.refusals) }

  func note(_ isRefused: Bool) { state.withLock { $0.refusals.append(isRefused) } }

  func next() async -> Login? {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.count += 1
        state.waiting.append(continuation)
      }
    }
  }

  func answer(to question: Question) async -> String? {
    state.withLock { $0.questions.append(question) }
    return await next()?.password
  }

  /// Answers whoever has waited for longest.
  func answer(_ login: Login?) {
    state.withLock { $0.waiting.removeFirst() }.resume(returning: login)
  }
}
