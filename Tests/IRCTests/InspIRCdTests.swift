import ChatModel
import TestSupport
import Testing
import Transport

/// Over a real server with server-time, ids, batches, echo, labels and history.
@Suite(.timeLimit(.minutes(2)))
struct InspIRCdTests {
  private func enter(
    _ server: RealServer, _ nick: String, after: Cursor? = nil
  ) async throws -> PluginProcess {
    let plugin = try PluginProcess("banter-irc")
    plugin.hello("irc://\(nick)@127.0.0.1:\(server.port)/#room")
    _ = try await plugin.waitForWelcome()
    try await plugin.join("#room", after: after)
    return plugin
  }

  @Test func `both know a message by the network's id, and answer it`() async throws {
    let server = try await RealServer.inspircd()
    let jane = try await enter(server, "jane")
    let bob = try await enter(server, "bob")
    jane.say("안녕", id: "m1", in: "#room")
    let ack = try await jane.wait("ack") { $0.acks.first }
    let id = try #require(ack.roomID)
    let heard = try await bob.wait("message") { answers in
      answers.events.compactMap { if case .message(let message) = $0 { message } else { nil } }
        .first
    }
    #expect(heard.id == id)
    #expect(heard.content == "안녕")
    let reply = Message(id: "m2", profileID: "", content: "hi", replyTo: id)
    bob.say(.send(ref: "r", SendRequest(room: "#room", event: .message(reply))))
    let answer = try await jane.wait("reply") { answers in
      answers.events.compactMap { if case .message(let message) = $0 { message } else { nil } }
        .first
    }
    #expect(answer.replyTo == "m1")
    let reaction = Reaction(eventID: "e", messageID: id, profileID: "", reaction: "👍")
    bob.say(.send(ref: "e", SendRequest(room: "#room", event: .reaction(reaction))))
    try await jane.wait("reaction") { answers in
      answers.events.contains {
        if case .reaction(let seen) = $0 {
          seen.messageID == "m1" && seen.reaction == "👍"
        } else {
          false
        }
      } ? true : nil
    }
    #expect(jane.answers.messages == ["bob: hi"])
  }

  @Test func `answers what is asked, by labels`() async throws {
    let server = try await RealServer.inspircd()
    let jane = try await enter(server, "jane")
    jane.say(.profile(ref: "p", profileID: "jane"))
    let profile = try await jane.wait("profile") { answers in
      answers.compactMap { if case .profile("p", let profile) = $0 { profile } else { nil } }.first
    }
    #expect(profile.fields["channels"] == "@#room")
    jane.say(.command(ref: "t", room: "#room", name: "topic", arguments: "tea at four"))
    try await jane.wait("done") { answers in
      answers.first { if case .done("t", _) = $0 { true } else { false } }
    }
    jane.say(.command(ref: "k", room: "#room", name: "kick", arguments: "nobody"))
    #expect(try await jane.wait("error") { $0.errors.first }.errorClass == .notFound)
    jane.say(.rooms(ref: "r"))
    let rooms = try await jane.wait("rooms") { answers in
      answers.compactMap { if case .rooms("r", let list, _) = $0 { list } else { nil } }.first
    }
    #expect(rooms.map(\.title) == ["[+nt] tea at four"] || rooms.map(\.title) == ["tea at four"])
    jane.say("hello?", id: "m", in: "#nowhere")
    let errors = try await jane.wait("error") { $0.errors.count == 2 ? $0.errors : nil }
    #expect(errors[1].errorClass == .denied)
  }

  @Test func `splits what is too long, and it arrives whole`() async throws {
    let server = try await RealServer.inspircd()
    let jane = try await enter(server, "jane")
    let bob = try await enter(server, "bob")
    let text = (0..<200).map { "단어\($0)" }.joined(separator: " ")
    jane.say(text, id: "m1", in: "#room")
    try await jane.wait("ack") { $0.acks.first }
    try await bob.wait("all of it") { answers in
      answers.messages.map { $0.dropFirst("jane: ".count) }.joined(separator: " ") == text
        ? true : nil
    }
  }

  @Test func `tells what was said meanwhile, once and in order`() async throws {
    let server = try await RealServer.inspircd()
    let bob = try await enter(server, "bob")
    bob.say(.command(ref: "h", room: "#room", name: "mode", arguments: "+H 50:1h"))
    try await bob.wait("mode") { $0.notices.contains { $0.contains("+H") } ? true : nil }
    let jane = try await enter(server, "jane")
    bob.say("one", id: "1", in: "#room")
    let cursor = try await jane.wait("message") { answers in
      answers.compactMap { answer -> Cursor? in
        guard case .event(_, let event) = answer, case .message = event.event else { return nil }
        return event.cursor
      }.first
    }
    jane.say(.bye)
    _ = try await jane.waitForEnd()
    for number in 2...5 { bob.say("\(number)", id: "\(number)", in: "#room") }
    try await bob.wait("acks") { $0.acks.count == 5 ? true : nil }
    let again = try await enter(server, "jane", after: cursor)
    bob.say("six", id: "6", in: "#room")
    try await again.wait("six") { $0.messages.last == "bob: six" ? true : nil }
    // What has the time of the cursor may be told again.
    let told = again.answers.messages.filter { $0 != "bob: one" }
    #expect(told == ["bob: 2", "bob: 3", "bob: 4", "bob: 5", "bob: six"])
  }
}
