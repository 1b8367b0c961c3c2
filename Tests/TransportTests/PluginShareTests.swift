import ChatModel
import Glibc
import Testing

@testable import Transport

/// What the rooms of one plugin have to do with one another, and with its end.
@Suite(.timeLimit(.minutes(5))) struct PluginShareTests {
  private func isFatal(_ update: RoomUpdate) -> Bool { fatalReason(update) != nil }

  @Test func `what answers a room that was left is no answer to the one that is left over`()
    async throws
  {
    let plugin = FakePlugin("late")
    defer { withExtendedLifetime(plugin) {} }
    let (first, second) = (plugin.room("a"), plugin.room("b"))
    await first.join(tail: 0)
    try await waitUntil { if case .joining = await first.stage { true } else { false } }
    await second.join(tail: 0)
    try await waitUntil { if case .joining = await second.stage { true } else { false } }
    await first.close()
    let told = await updates(of: second) { isLive($0) || isFatal($0) }
    #expect(told.compactMap(fatalReason).isEmpty)
    await second.close()
  }

  @Test func `a question whose room is left is put in another room`() async throws {
    let plugin = FakePlugin("asks")
    defer { withExtendedLifetime(plugin) {} }
    let (silent, answers) = (Silent(), Silent(answer: "sesame"))
    let (first, second) = (
      plugin.room("a", questioner: silent), plugin.room("b", questioner: answers)
    )
    await first.join(tail: 0)
    try await waitUntil { await silent.count == 1 }
    await second.join(tail: 0)
    try await waitUntil { if case .greeting = await second.stage { true } else { false } }
    #expect(await answers.count == 0)
    await first.close()
    _ = await updates(of: second, until: isLive)
    #expect(await answers.count == 1)
    #expect(plugin.processes.count == 1)
    await second.close()
  }

  @Test func `one that has given up is begun anew when the user says so`() async throws {
    let plugin = FakePlugin("gives-up")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    await room.join(tail: 0)
    let told = await updates(of: room, until: isFatal)
    #expect(told.compactMap(fatalReason).last?.reason == "the password is wrong")
    await room.reconnect()
    _ = await updates(of: room, until: isLive)
    #expect(plugin.processes.count == 2)
    let receipts = await room.send([OutgoingEvent(event: message("1"))])
    #expect(receipts.first?.failure == nil)
    await room.close()
  }

  @Test func `one that is to end may say what it has to say`() async throws {
    let plugin = FakePlugin("verbose")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    await room.join(tail: 0)
    _ = await updates(of: room, until: isLive)
    await room.close()
    #expect(plugin.text("said") == "all\n")
  }

  @Test func `one that says no more is not listened to until it ends`() async throws {
    let plugin = FakePlugin("lingers")
    defer { withExtendedLifetime(plugin) {} }
    let room = plugin.room()
    await room.join(tail: 0)
    _ = await updates(of: room, until: isLive)
    let closing = Task { await room.close() }
    try await waitUntil { plugin.text("closed") == "yes\n" }
    try await waitUntil { await !plugin.link.isListening }
    let process = try #require(plugin.processes.first)
    #expect(kill(process, 0) == 0, "it ended, so that nothing was tried")
    plugin.folder.write("go", "on\n")
    await closing.value
  }
}

extension PluginShareTests {
  @Test func `what nobody waits for is kept within bounds while a plugin is checked`()
    async throws
  {
    let plugin = FakePlugin("verbose")
    defer { withExtendedLifetime(plugin) {} }
    let conversation = try await PluginConversation(
      plugin.link.program, environment: ["PATH": "/usr/bin:/bin", "HOME": plugin.folder.path],
      questioner: nil, pace: PluginPace())
    await conversation.say(.hello(Hello(client: "test", profile: nil)))
    await conversation.say(.bye)
    let bye = await conversation.answer(within: .seconds(60)) {
      if case .bye = $0 { true } else { false }
    }
    #expect(bye != nil)
    #expect(await (1...1_000).contains(conversation.heardCount))
    await conversation.endWriting()
    _ = await conversation.endsByItself(within: .seconds(5))
  }
}

/// Never answers, until it is no longer asked; or always the same.
private actor Silent: Questioner {
  private let answer: String?
  private(set) var count = 0

  init(answer: String? = nil) { self.answer = answer }

  func answer(to question: Question) async -> String? {
    count += 1
    if answer == nil { try? await Task.sleep(for: .seconds(3_600)) }
    return answer
  }
}
