import ChatModel
import Glibc
import Testing

@testable import Transport

/// What a plugin may do wrong, and what its rooms make of it.
@Suite(.timeLimit(.minutes(5))) struct PluginLinkTests {
  private func send(_ contents: [String], to room: LinkRoom) async -> [Receipt] {
    await room.send(contents.map { OutgoingEvent(event: message($0, $0)) })
  }

  /// Enters, and returns what was told until something came that is enough.
  private func enter(
    _ room: LinkRoom, until isEnough: @escaping (RoomUpdate) -> Bool
  ) async -> [RoomUpdate] {
    await room.join(tail: 5)
    return await updates(of: room, until: isEnough)
  }

  private func isFatal(_ update: RoomUpdate) -> Bool {
    if case .state(.fatal) = update { true } else { false }
  }

  private func reasons(_ updates: [RoomUpdate]) -> [String] {
    updates.compactMap { update in
      switch update {
      case .state(.reconnecting(_, let reason)), .state(.fatal(let reason)): reason.reason
      default: nil
      }
    }
  }

  @Test(arguments: ["good", "banner", "stderr", "twice", "reorders"])
  func `is talked to`(name: String) async throws {
    let plugin = FakePlugin(name)
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    let told = await enter(room, until: isLive)
    #expect(told.contains { if case .title("about team") = $0 { true } else { false } })
    let notices = told.compactMap { if case .notice(let text) = $0 { text } else { nil } }
    #expect(notices.contains { $0.contains("printed what is none") } == (name == "banner"))
    #expect(
      told.contains {
        if case .commands(let list) = $0 { list.first?.name == "topic" } else { false }
      })
    let receipts = await send(["1", "2", "3"], to: room)
    #expect(receipts.allSatisfy { if case .sent = $0 { true } else { false } })
    #expect(try await room.perform("topic", "news") == "topic: news")
    await #expect(throws: TransportError.self) { try await room.perform("topic", "bad") }
    await room.close()
    for id in plugin.processes { try await plugin.waitUntilGone(id) }
    #expect(plugin.processes.count == 1)
  }

  @Test func `gets the language and where programs are, and nothing else`() async throws {
    let plugin = FakePlugin("environment")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room(settings: ["nick": "jane"])
    let told = await enter(room, until: isLive)
    #expect(told.contains { if case .identity(let me) = $0 { me.name == "jane" } else { false } })
    let log = try #require(await (room as any Transport).connectionFacts()?.log)
    #expect(log.contains("BANTER_PLUGIN") && log.contains("LANG") && !log.contains("SECRET"))
    await room.close()
  }

  @Test func `its half lines are put together, and its junk is told and passed over`()
    async throws
  {
    for (name, wanted) in [("halves", ["h"]), ("junk", ["team-1", "bytes", "team-2"])] {
      let plugin = FakePlugin(name)
      defer { withExtendedLifetime(plugin) {} }
      let room = plugin.room()
      var arrived: [String] = []
      let told = await enter(room) { update in
        arrived += ids([update]).arrived
        return arrived == wanted
      }
      #expect(arrived == wanted)
      if name == "junk" {
        #expect(told.contains { if case .notice = $0 { true } else { false } })
      }
      await room.close()
    }
  }

  @Test(arguments: [
    ("exits", "status 3; it said: no configuration"), ("babble", "does not speak"),
    ("long", "a line of more than"), ("version", "version 2"), ("deaf", "has not let anybody in"),
    ("silent", "nothing was heard"),
  ])
  func `what is wrong with it is told`(name: String, reason: String) async throws {
    let plugin = FakePlugin(name)
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room(patience: .milliseconds(name == "deaf" ? 300 : 60_000)) { timing in
      if name == "silent" {
        (timing.ping, timing.silence) = (.milliseconds(50), .milliseconds(200))
      }
    }
    let told = await enter(room) { !self.reasons([$0]).isEmpty }
    #expect(reasons(told).last?.contains(reason) == true, "\(reasons(told))")
    await room.close()
    await plugin.link.settle()
    for id in plugin.processes { try await plugin.waitUntilGone(id) }
  }

  @Test func `one that reads no more is given up, and what is said waits within bounds`()
    async throws
  {
    let plugin = FakePlugin("sated")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room { timing in
      (timing.ping, timing.silence) = (.milliseconds(200), .seconds(2))
    }
    _ = await enter(room, until: isLive)
    let process = try #require(plugin.processes.first)
    let long = String(repeating: "x", count: 100_000)
    let sending = Task { await send((0..<100).map { "\($0) \(long)" }, to: room) }
    while await plugin.link.pendingBytes == 0 { await Task.yield() }
    #expect(await plugin.link.pendingBytes < 1_000_000)
    let told = await updates(of: room) { !self.reasons([$0]).isEmpty }
    #expect(reasons(told).last?.contains("nothing was heard") == true, "\(reasons(told))")
    try await plugin.waitUntilGone(process)
    await room.close()
    #expect(await sending.value.allSatisfy { $0.failure != nil })
  }

  @Test func `one that may not be run says so`() async throws {
    let plugin = FakePlugin("good", mode: 0o644)
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    let told = await enter(room, until: isFatal)
    #expect(reasons(told).last?.contains("chmod +x") == true)
    await room.close()
  }

  @Test func `is started anew when it ends, and what it had not acknowledged is repeated`()
    async throws
  {
    let plugin = FakePlugin("good")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    _ = await enter(room, until: isLive)
    let reading = Task { while await room.next() != nil {} }
    let receipts = await send(["crash", "after"], to: room)
    #expect(receipts.allSatisfy { if case .sent = $0 { true } else { false } })
    #expect(plugin.processes.count == 2)
    await room.close()
    await reading.value
  }

  @Test func `what may have arrived is not repeated where a repeat would be another`()
    async throws
  {
    let plugin = FakePlugin("doubtful")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    _ = await enter(room, until: isLive)
    let receipts = await send(["crash"], to: room)
    #expect(receipts.first?.failure?.code == .uncertain)
    await room.close()
  }

  @Test func `is ended although it does not want to`() async throws {
    let plugin = FakePlugin("stubborn")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    _ = await enter(room, until: isLive)
    await room.close()
    let id = try #require(plugin.processes.first)
    try await plugin.waitUntilGone(id)
  }

  @Test func `leaves nobody behind`() async throws {
    let plugin = FakePlugin("parent")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    _ = await enter(room, until: isLive)
    await room.close()
    let grandchild = try #require(pid_t(plugin.text("grandchild")))
    try await plugin.waitUntilGone(grandchild)
  }

  // MARK: - Several rooms

  @Test func `serves several rooms, and each hears its own`() async throws {
    let plugin = FakePlugin("twice")
    defer { withExtendedLifetime(plugin) {} }
    let rooms = ["a", "b", "c"].map { plugin.room($0) }
    for room in rooms {
      let name = await room.room
      var arrived: [String] = []
      _ = await enter(room) { update in
        arrived += ids([update]).arrived
        return arrived.count == 4
      }
      #expect(arrived == [1, 2, 1, 3].map { "\(name)-\($0)" })
    }
    for room in rooms {
      let receipts = await send(["x"], to: room)
      #expect(receipts.allSatisfy { if case .sent = $0 { true } else { false } })
    }
    await rooms[0].close()
    let receipts = await send(["y"], to: rooms[1])
    #expect(receipts.allSatisfy { if case .sent = $0 { true } else { false } })
    #expect(plugin.processes.count == 1)
    for room in rooms { await room.close() }
    #expect(plugin.text("left").split(separator: "\n").first == "a")
    for id in plugin.processes { try await plugin.waitUntilGone(id) }
  }

  @Test func `a room that refuses leaves the others where they are`() async throws {
    let plugin = FakePlugin("good")
    defer { withExtendedLifetime(plugin) {} }
    let (good, bad) = (plugin.room("a"), plugin.room("forbidden"))
    _ = await enter(good, until: isLive)
    let told = await enter(bad, until: isFatal)
    #expect(reasons(told) == ["you are banned here"])
    let receipts = await send(["x"], to: good)
    #expect(receipts.allSatisfy { if case .sent = $0 { true } else { false } })
    #expect(plugin.processes.count == 1)
    await bad.close()
    await good.close()
  }

  @Test func `asks for a secret, again when it was wrong`() async throws {
    let answers = Answers(["wrong", "sesame"])
    let plugin = FakePlugin("asks")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room(questioner: answers)
    _ = await enter(room, until: isLive)
    #expect(await answers.questions.map(\.kind) == [.secret, .secret])
    #expect(await answers.questions.map(\.isRepeated) == [false, true])
    await room.close()
  }
}

/// Gives one answer after the other.
private actor Answers: Questioner {
  private var answers: [String]
  private(set) var questions: [Question] = []

  init(_ answers: [String]) { self.answers = answers }

  func answer(to question: Question) -> String? {
    questions.append(question)
    return answers.isEmpty ? nil : answers.removeFirst()
  }
}
