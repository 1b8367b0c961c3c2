import ChatModel
import TestSupport
import Testing
import Transport

/// Through a bouncer, which wants a password and plays back what was missed.
@Suite(.timeLimit(.minutes(2)))
struct ZNCTests {
  private func enter(_ bouncer: RealServer, after: Cursor? = nil) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-irc")
    plugin.hello(
      "irc://jane@127.0.0.1:\(bouncer.port)/#room", settings: ["serverPassword": "yes"])
    let ref = try await plugin.wait("need") { answers in
      answers.compactMap { if case .need(let ref, _, true, _) = $0 { ref } else { nil } }.first
    }
    plugin.say(.given(ref: ref, value: "jane/test:secret"))
    _ = try await plugin.waitForWelcome()
    try await plugin.join("#room", after: after)
    return plugin
  }

  @Test func `tells what the bouncer has heard meanwhile, once and in order`() async throws {
    let server = try await RealServer.ngircd()
    let bob = try PluginProcess("banter-irc")
    bob.hello("irc://bob@127.0.0.1:\(server.port)/#room")
    _ = try await bob.waitForWelcome()
    try await bob.join("#room")
    let bouncer = try await RealServer.znc(before: server)
    try await bob.wait("jane") { $0.notices.contains("jane joined") ? true : nil }
    let jane = try await enter(bouncer)
    bob.say("one", id: "1", in: "#room")
    try await jane.wait("message") { $0.messages == ["bob: one"] ? true : nil }
    jane.say("hello bob", id: "j", in: "#room")
    let cursor = try await jane.wait("acknowledgement") { $0.acks.first?.cursor }
    try await bob.wait("hello") { $0.messages == ["jane: hello bob"] ? true : nil }
    jane.say(.bye)
    _ = try await jane.waitForEnd()
    for number in 2...4 { bob.say("\(number)", id: "\(number)", in: "#room") }
    try await bob.wait("acks") { $0.acks.count == 4 ? true : nil }
    let again = try await enter(bouncer, after: cursor)
    bob.say("last", id: "5", in: "#room")
    try await again.wait("last") { $0.messages.last == "bob: last" ? true : nil }
    // What was read, and said, is not told again.
    #expect(again.answers.messages == ["bob: 2", "bob: 3", "bob: 4", "bob: last"])
  }
}
