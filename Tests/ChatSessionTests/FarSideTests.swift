import ChatModel
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// What the far side of a room knows and can do.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct FarSideTests {
  /// Runs `body` where the lobby and `chat://host/a` are open, the latter being
  /// current.
  private func run(
    _ prepare: (FarSide) async -> Void = { _ in }, body: (Chat) async throws -> Void
  ) async throws {
    try await Chat.run { chat in
      await prepare(chat.others.farSide)
      chat.prompt.enter("/join chat://host/a")
      await chat.prompt.wait(for: "welcome to a")
      try await body(chat)
    }
  }

  // MARK: - Rooms

  @Test func `a bare name is a room of the same far side`() async throws {
    try await run { chat in
      chat.prompt.enter("/join #b c")
      await chat.prompt.wait { chat.prompt.prompt == "#b c> " }
      #expect(chat.session.current.address.text == "chat://host/#b%20c")
      chat.prompt.enter("/join lobby")
      chat.prompt.enter("/join team")
      #expect(chat.session.current.address.text == "team")
    }
  }

  @Test func `lists what is open, what is new there, and what there is besides`() async throws {
    try await run {
      await $0.set(items: [
        RoomItem(room: "a", members: 2), RoomItem(room: "b/c", title: "why", members: 1),
      ])
    } body: { chat in
      await chat.arrives("hi")
      await chat.prompt.wait { chat.prompt.prompt == "a [lobby +1]> " }
      chat.prompt.enter("/rooms")
      await chat.prompt.wait(for: "b/c")
      await chat.prompt.wait(for: "new is what came")
      let rows = chat.prompt.rows.suffix(4).dropLast()
      #expect(
        rows == ["-- + lobby, open, 1 new", "-- * a, 2 here now", "--   b/c, 1 here now, why"])
      // A slash makes a path, but not of what the far side calls so.
      #expect(chat.prompt.completions(of: "/join b") == ["/join b/c"])
      #expect(chat.prompt.completions(of: "/leave l") == ["/leave lobby"])
      chat.prompt.enter("/join b/c")
      #expect(chat.session.current.address.text == "chat://host/b/c")
    }
  }

  @Test func `is asked for its rooms while a name is typed`() async throws {
    try await run {
      await $0.set(items: [RoomItem(room: "far away")])
    } body: { chat in
      #expect(chat.prompt.completions(of: "/join fa").isEmpty)
      chat.prompt.type("/join f")
      #expect(
        await eventually { chat.prompt.completions(of: "/join fa") == ["/join far away"] })
    }
  }

  // MARK: - Commands

  @Test func `its commands are completed, explained and carried out in their room`() async throws {
    try await run {
      await $0.answer("new\u{1b}[2J", .success("topic\nset\u{1b}[2J"))
    } body: { chat in
      #expect(chat.prompt.completions(of: "/top") == ["/topic "])
      #expect(chat.prompt.completions(of: "/bad").isEmpty)
      chat.prompt.enter("/help topic")
      #expect(chat.prompt.count("/topic [text]: set the topic") == 1)
      chat.prompt.enter("/help")
      #expect(chat.prompt.count("/topic [text]") == 2 && chat.prompt.count("not ours") == 0)
      chat.prompt.enter("/topic new\u{1b}[2J")
      await chat.prompt.wait(for: "[a] topic")
      #expect(await chat.others.farSide.performed == [["a", "topic", "new\u{1b}[2J"]])
      #expect(!chat.prompt.rows.joined().unicodeScalars.contains("\u{1b}"))
      #expect(chat.prompt.rows.last?.hasPrefix("  set") == true)
      chat.prompt.enter("/join lobby")
      chat.prompt.enter("/topic x")
      #expect(chat.prompt.line == "/topic x" && chat.prompt.count("no command /topic") == 1)
    }
  }

  @Test func `Banter's own commands win`() async throws {
    try await run { chat in
      chat.prompt.enter("/quit")
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(await chat.others.farSide.performed.isEmpty)
    }
  }

  @Test func `a command that makes no sense comes back, one that fails is told`() async throws {
    try await run {
      await $0.answer("odd", .failure(TransportError(.invalid, reason: "too odd")))
      await $0.answer("no", .failure(TransportError(.denied, reason: "not you")))
    } body: { chat in
      chat.prompt.enter("/topic no")
      await chat.prompt.wait(for: "[a] not you")
      #expect(chat.prompt.line.isEmpty)
      chat.prompt.enter("/topic odd")
      // It comes back where it was typed.
      chat.prompt.enter("/join lobby")
      await chat.prompt.wait(for: "[a] too odd")
      #expect(chat.prompt.line.isEmpty)
      chat.prompt.enter("/join a")
      #expect(chat.prompt.line == "/topic odd")
    }
  }

  // MARK: - Titles, people, status

  @Test func `a title is told when it changes, and in the status`() async throws {
    try await run {
      var facts = ConnectionFacts(address: "chat://host")
      facts.log = (1...20).map { "line \($0)\u{1b}[2J" }.joined(separator: "\n")
      await $0.set(facts: facts)
    } body: { chat in
      let room = chat.others["chat://host/a"]
      for title in ["a", "a", "why\nwe\u{1b}c are here", "why\nwe\u{1b}c are here"] {
        await room.tell(.title(title))
      }
      await room.append(.notice(Notice(eventID: "n", content: "marker")))
      await chat.prompt.wait(for: "marker")
      #expect(chat.prompt.count("title:") == 1 && chat.prompt.count("[a] title: why") == 1)
      chat.prompt.enter("/status")
      await chat.prompt.wait(for: "in memory")
      #expect(chat.prompt.count("title: why") == 2)
      #expect(chat.prompt.count("log: line 20") == 1 && chat.prompt.count("log: line 12") == 0)
      #expect(!chat.prompt.rows.joined().unicodeScalars.contains("\u{1b}"))
    }
  }

  @Test func `a card has what the far side knows, also of who has not spoken`() async throws {
    try await run {
      await $0.set(profile: Profile(id: "jane", name: "Jane D.", fields: ["realname": "Doe"]))
      await $0.set(profile: Profile(id: "quiet", name: "Quiet"))
    } body: { chat in
      await chat.others["chat://host/a"].append(.said("hello"))
      await chat.prompt.wait(for: "hello")
      chat.prompt.enter("/profile Jane")
      await chat.prompt.wait(for: "realname: Doe")
      #expect(chat.prompt.count("-- Jane D.") == 1 && chat.prompt.count("messages here: 1") == 1)
      chat.prompt.enter("/profile quiet")
      await chat.prompt.wait(for: "-- Quiet")
      chat.prompt.enter("/profile nobody")
      await chat.prompt.wait(for: "nobody here is called nobody")
      #expect(chat.prompt.line == "/profile nobody")
    }
  }

  @Test func `who one is there counts there only`() async throws {
    try await run {
      await $0.set(identity: Profile(id: "kim_", name: "kim_"))
    } body: { chat in
      await chat.prompt.wait(for: "[a] you are known here as kim_")
      let far = chat.others["chat://host/a"]
      await far.append(.said("by another", from: "me", name: "Kim"))
      await far.append(.said("by me elsewhere", from: "kim_", name: "Kim"))
      await chat.prompt.wait { chat.session.current.timeline.count == 2 }
      chat.prompt.enter("/edit 1 stolen")
      #expect(chat.prompt.count("message 1 is not yours") == 1)
      chat.prompt.enter("/edit 2 corrected")
      chat.prompt.enter("said")
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
      guard case .message(let message) = await far.contents.last else {
        Issue.record("a message was said")
        return
      }
      #expect(message.profileID == "kim_")
      chat.prompt.enter("/join lobby")
      chat.prompt.enter("in the lobby")
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
      guard case .message(let message) = await chat.room.contents.last else {
        Issue.record("a message was said")
        return
      }
      #expect(message.profileID == "me")
    }
  }
}
