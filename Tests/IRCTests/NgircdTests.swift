import ChatModel
import TestSupport
import Testing
import Transport

/// Over a real server that knows nothing but IRC of the 1990s.
@Suite(.timeLimit(.minutes(2)))
struct NgircdTests {
  @Test func `two people talk, and each sees what the other says`() async throws {
    let server = try await RealServer.ngircd()
    let jane = try PluginProcess("banter-irc")
    let bob = try PluginProcess("banter-irc")
    jane.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    bob.hello("irc://bob@127.0.0.1:\(server.port)/#room")
    let welcome = try await jane.waitForWelcome()
    #expect(welcome.profile.id == "jane")
    _ = try await bob.waitForWelcome()
    try await jane.join("#room")
    try await bob.join("#room")
    jane.say("안녕 bob", id: "m1", in: "#room")
    try await jane.wait("ack") { $0.acks.contains { $0.id == "m1" } ? true : nil }
    try await bob.wait("message") { $0.messages == ["jane: 안녕 bob"] ? true : nil }
    bob.say("hello jane", id: "m2", in: "#room")
    try await jane.wait("message") { $0.messages == ["bob: hello jane"] ? true : nil }
    try await jane.wait("notice") { $0.notices == ["bob joined"] ? true : nil }
  }

  @Test func `what is refused is told, and the talk goes on`() async throws {
    let server = try await RealServer.ngircd()
    let jane = try PluginProcess("banter-irc")
    jane.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await jane.waitForWelcome()
    try await jane.join("#room")
    jane.say(.command(ref: "c", room: "#room", name: "mode", arguments: "+m-n"))
    jane.say(.command(ref: "d", room: "#room", name: "kick", arguments: "nobody"))
    let error = try await jane.wait("error") { $0.errors.first }
    #expect(error.errorClass == .notFound)
    jane.say(.profile(ref: "p", profileID: "jane"))
    let profile = try await jane.wait("profile") { answers in
      answers.compactMap { if case .profile("p", let profile) = $0 { profile } else { nil } }.first
    }
    #expect(profile.fields["channels"] == "@#room")
    jane.say(.members(ref: "m", room: "#room"))
    let members = try await jane.wait("members") { answers in
      answers.compactMap { if case .members("m", let list, _) = $0 { list } else { nil } }.first
    }
    #expect(members.map(\.name) == ["jane"])
    jane.say(.rooms(ref: "r"))
    let rooms = try await jane.wait("rooms") { answers in
      answers.compactMap { if case .rooms("r", let list, _) = $0 { list } else { nil } }.first
    }
    #expect(rooms.map(\.room).contains("#room"))
  }

  @Test func `takes a name that is free, and says so`() async throws {
    let server = try await RealServer.ngircd()
    let first = try PluginProcess("banter-irc")
    let second = try PluginProcess("banter-irc")
    first.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    try await first.join("#other")
    second.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    try await second.join("#room")
    #expect(second.answers.warnings == ["jane is taken: you are jane_ until it is free"])
    let names = second.answers.events.compactMap { event in
      if case .profile(let change) = event { change.profileName } else { nil }
    }
    #expect(names == ["jane_"])
  }

  @Test func `comes back after the server was gone, and says what it waited with`() async throws {
    let server = try await RealServer.ngircd()
    let jane = try PluginProcess("banter-irc")
    jane.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await jane.waitForWelcome()
    try await jane.join("#room")
    server.stop()
    try await jane.wait("reconnecting") { answers in
      answers.first { if case .state(.reconnecting) = $0 { true } else { false } }
    }
    jane.say("are you there?", id: "m1", in: "#room")
    let again = try await RealServer(like: server)
    try await jane.wait("ack") { $0.acks.contains { $0.id == "m1" } ? true : nil }
    withExtendedLifetime(again) {}
  }

  @Test func `takes leave of both sides, and ends with its input`() async throws {
    let server = try await RealServer.ngircd()
    let jane = try PluginProcess("banter-irc")
    jane.hello("irc://jane@127.0.0.1:\(server.port)/#room")
    _ = try await jane.waitForWelcome()
    jane.say(.bye)
    try await jane.wait("bye") { answers in
      answers.first { if case .bye = $0 { true } else { false } }
    }
    #expect(try await jane.waitForEnd() == 0)
    let silent = try PluginProcess("banter-irc")
    silent.endInput()
    #expect(try await silent.waitForEnd() == 0)
  }
}
