import ChatModel
import LinePrompt
import TerminalText
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// Several rooms in one session.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct RoomTests {
  /// Runs `body` where the lobby and `team` are open, `team` being current.
  private func run(
    in events: [Event] = [], _ configure: (inout Session.Parts) -> Void = { _ in },
    body: (Chat) async throws -> Void
  ) async throws {
    try await Chat.run(in: events, configure) { chat in
      #expect(await eventually { chat.session.current.hasEntered })
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "team · you are Kim")
      try await body(chat)
    }
  }

  // MARK: - What is shown

  @Test(arguments: [
    (Style.compact, "hello", ["1 00:36 [lobby] Jane: hello", "2 00:36 [team] Jane: hello"]),
    (.plain, "hello", ["hello (Jane, lobby, 00:36, 1)", "hello (Jane, team, 00:36, 2)"]),
    (.bubble, "Jane ·", ["╭─ 1 · Jane · lobby ─╮", "╭─ 2 · Jane · team ─╮"]),
  ])
  func `bubbles name their rooms, and a run does not go on in another`(
    _ style: Style, _ part: String, _ rows: [String]
  ) async throws {
    try await run {
      $0.settings.style = style
      $0.transcript.style = style
    } body: { chat in
      await chat.arrives("hello")
      await chat.prompt.wait(for: "hello")
      await chat.others["team"].append(.said("hello"))
      await chat.prompt.wait { chat.prompt.count("team") > 1 && chat.prompt.count("hello") == 2 }
      #expect(chat.prompt.rows.filter { $0.contains(part) } == rows)
    }
  }

  @Test func `nothing names a room when it is the only one, before and after`() async throws {
    try await Chat.run { chat in
      await chat.arrives("alone")
      await chat.prompt.wait(for: "alone")
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "team · you are Kim")
      chat.prompt.enter("/leave")
      await chat.arrives("alone again")
      await chat.prompt.wait(for: "alone again")
      #expect(chat.prompt.count("[lobby]") == 0)
      #expect(chat.prompt.count("left team") == 1)
    }
  }

  @Test func `what is told of a room names it, too`() async throws {
    try await run { chat in
      await chat.arrives("text", id: "m")
      await chat.room.append(.notice(Notice(eventID: "n", content: "Jane came in")))
      await chat.room.append(
        .edit(Edit(eventID: "e", messageID: "m", profileID: "jane", content: "better")))
      await chat.room.change(to: .offline(reason: .full))
      await chat.prompt.wait(for: "no space")
      #expect(chat.prompt.count("-- [lobby] Jane came in") == 1)
      #expect(chat.prompt.count("[lobby] message 1 edited by Jane: better") == 1)
      #expect(chat.prompt.count("-- [lobby] /room: no space") == 1)
      // The current room can be reached.
      #expect(chat.prompt.prompt == "team [lobby +1]> ")
    }
  }

  @Test func `a day that comes with the past of another room is told, and then today again`()
    async throws
  {
    try await Chat.run { chat in
      await chat.arrives("today")
      await chat.prompt.wait(for: "today")
      await chat.others["team"].append(.said("days ago", at: -3 * 86_400))
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "days ago")
      await chat.arrives("today as well")
      await chat.prompt.wait(for: "today as well")
      let rows = chat.prompt.rows.filter { $0.hasPrefix("── ") || $0.contains("day") }
      #expect(rows.map { String($0.prefix(8)) }.count == 6, "\(rows)")
      #expect(rows[0] == rows[4] && rows[0] != rows[2] && rows[2].hasPrefix("── "), "\(rows)")
    }
  }

  @Test func `rooms of one name are told apart by where they are`() async throws {
    try await run { chat in
      chat.prompt.enter("/join chat://host/team")
      await chat.prompt.wait(for: "team@host · you are Kim")
      #expect(chat.prompt.prompt == "team@host> ")
      // The names that are shown are those that count.
      chat.prompt.enter("/join team")
      #expect(chat.prompt.prompt == "team> ")
      chat.prompt.enter("/join team@host")
      #expect(chat.prompt.prompt == "team@host> ")
      await chat.arrives("hi")
      await chat.prompt.wait(for: "[lobby]")
      chat.prompt.enter("/leave team@host")
      #expect(chat.prompt.prompt == "team [lobby +1]> ")
    }
  }

  // MARK: - Turning

  @Test func `what is new elsewhere is counted until one turns to it`() async throws {
    try await run { chat in
      await chat.arrives("one")
      await chat.arrives("two")
      await chat.prompt.wait { chat.prompt.prompt == "team [lobby +2]> " }
      // What one says oneself, elsewhere, is nothing new.
      await chat.room.append(.said("mine", from: "me", name: "Kim"))
      await chat.prompt.wait(for: "mine")
      chat.prompt.enter("/join third")
      await chat.others["team"].append(.said("three"))
      await chat.prompt.wait { chat.prompt.prompt == "third [2 rooms +3]> " }
      chat.prompt.events.onNextRoom()
      #expect(chat.prompt.prompt == "lobby [team +1]> ")
      chat.prompt.events.onNextRoom()
      #expect(chat.prompt.prompt == "team> ")
      chat.prompt.events.onNextRoom()
      #expect(chat.prompt.prompt == "team> " && chat.prompt.count("nothing is new") == 1)
    }
  }

  @Test func `what is shown on joining is nothing new`() async throws {
    try await Chat.run { chat in
      await chat.others["team"].append(.said("before"))
      chat.prompt.enter("/join team")
      chat.prompt.enter("/join lobby")
      await chat.prompt.wait(for: "before")
      #expect(chat.prompt.prompt == "lobby> ")
    }
  }

  @Test func `joining an open room turns to it`() async throws {
    try await run { chat in
      chat.prompt.enter("/join lobby")
      #expect(chat.prompt.prompt == "lobby> ")
      chat.prompt.enter("/join team")
      #expect(chat.prompt.prompt == "team> " && chat.others.openings["team"] == 1)
    }
  }

  @Test func `a typed line stays with its room`() async throws {
    try await run { chat in
      chat.prompt.type("for the team")
      await chat.arrives("news")
      await chat.prompt.wait(for: "news")
      #expect(chat.prompt.line == "for the team")
      chat.prompt.events.onNextRoom()
      #expect(chat.prompt.line.isEmpty && chat.prompt.prompt == "lobby> ")
      chat.prompt.type("for the lobby")
      await chat.others["team"].append(.said("more"))
      await chat.prompt.wait { chat.prompt.prompt == "lobby [team +1]> " }
      chat.prompt.events.onNextRoom()
      #expect(chat.prompt.line == "for the team" && chat.prompt.prompt == "team> ")
      chat.prompt.enter("/join lobby")
      #expect(chat.prompt.line == "for the lobby")
    }
  }

  // MARK: - Where things go

  @Test func `a message goes where one is, an answer where its message is`() async throws {
    try await run(in: [.said("question", id: "m")]) { chat in
      let team = chat.others["team"]
      chat.prompt.enter("to the team")
      chat.prompt.enter("/reply 1 answer")
      chat.prompt.enter("/react 1 👍")
      await chat.waitUntilDelivered()
      #expect(await team.contents.count == 1)
      #expect(await chat.said == ["question", "answer"])
      chat.prompt.enter("/edit \(chat.number(of: await chat.room.contents[1].id)) changed")
      chat.prompt.enter("/delete")
      await chat.waitUntilDelivered()
      #expect(await chat.room.contents.count == 4)
      guard case .deletion = await team.contents.last else {
        Issue.record("one's newest message in the current room is deleted")
        return
      }
    }
  }

  @Test func `messages of the same id in two rooms are two messages`() async throws {
    try await run { chat in
      await chat.arrives("here", id: "same")
      await chat.prompt.wait(for: "here")
      await chat.others["team"].append(.said("there", id: "same"))
      await chat.prompt.wait(for: "there")
      chat.prompt.enter("/reply 1 to the lobby")
      chat.prompt.enter("/reply 2 to the team")
      await chat.waitUntilDelivered()
      #expect(await chat.said == ["here", "to the lobby"])
      #expect(await chat.others["team"].contents.count == 2)
    }
  }

  @Test func `what is settled later is settled in the room in which it was said`() async throws {
    try await run { chat in
      let team = chat.others["team"]
      await team.hold()
      chat.prompt.enter("slow")
      await team.waitUntilHeld(1)
      chat.prompt.enter("/join lobby")
      #expect(chat.prompt.prompt == "lobby> ")
      await team.fail(with: .full)
      await team.release()
      await chat.prompt.wait(for: "[team] not sent: “slow”")
      #expect(chat.session.current.outbox.isEmpty)
      chat.prompt.enter("/discard")
      await chat.prompt.wait(for: "go to team by /join first")
      await team.fail(with: nil)
      chat.prompt.enter("/retry")
      await chat.waitUntilDelivered()
      #expect(await team.contents.count == 1)
    }
  }

  @Test func `a message of a room that was left says where it is`() async throws {
    try await run { chat in
      await chat.others["team"].append(.said("gone soon"))
      await chat.prompt.wait(for: "gone soon")
      chat.prompt.enter("/leave")
      await chat.prompt.wait(for: "left team")
      chat.prompt.enter("/reply 1 what?")
      #expect(chat.prompt.count("message 1 is in a room that is not open") == 1)
      chat.prompt.enter("/join team")
      await chat.prompt.wait { chat.prompt.count("gone soon") == 2 }
      chat.prompt.enter("/reply 1 what?")
      await chat.prompt.wait(for: ": > Jane: gone soon")
    }
  }

  @Test func `history is that of the current room, or of the message's`() async throws {
    try await run(in: [.said("lobby talk")]) {
      $0.settings.style = .plain
      $0.transcript.style = .plain
    } body: { chat in
      await chat.others["team"].append(.said("team talk"))
      await chat.prompt.wait(for: "team talk")
      chat.prompt.enter("/history")
      await chat.prompt.wait { chat.prompt.count("team talk (Jane, 00:36, 2)") == 1 }
      chat.prompt.enter("/history 1")
      await chat.prompt.wait { chat.prompt.count("lobby talk (Jane, 00:36, 1)") == 2 }
    }
  }

  // MARK: - Joining and leaving

  @Test(arguments: [
    ("/join", "say which"), ("/join a\u{7}b", "cannot be a room"),
    ("/join forbidden", "not for you"),
    ("/leave nothing", "no room of that name is open"),
    ("/leave forbidden", "no room of that name"),
  ])
  func `gives the line back and says why`(_ line: String, _ reason: String) async throws {
    try await Chat.run { chat in
      chat.prompt.enter(line)
      #expect(chat.prompt.line == line)
      #expect(chat.prompt.count(reason) == 1, "\(chat.prompt.rows)")
      #expect(chat.prompt.prompt == "lobby> " && chat.session.rooms.count == 1)
    }
  }

  @Test func `a room that cannot be entered is as if it was never asked for`() async throws {
    try await Chat.run { chat in
      await chat.others["team"].failJoining(with: .full)
      chat.prompt.enter("/join team")
      chat.prompt.enter("said too soon")
      chat.prompt.type("and typ")
      await chat.prompt.wait(for: "/room: no space")
      #expect(chat.prompt.prompt == "lobby> " && chat.prompt.line == "and typ")
      #expect(chat.prompt.count("not sent: said too soon") == 1)
      await chat.others["team"].failJoining(with: nil)
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "team · you are Kim")
    }
  }

  @Test func `leaving the last room ends, as does leaving all`() async throws {
    let status = try await Chat.run { chat in
      chat.prompt.enter("/join team")
      chat.prompt.enter("/leave lobby")
      #expect(chat.prompt.isRunning && chat.prompt.prompt == "team> ")
      chat.prompt.enter("/leave")
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
    #expect(status == 0)
    try await run { chat in
      chat.prompt.events.onEndOfInput()
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
  }

  @Test func `leaving a room tells at first what is not sent in it`() async throws {
    try await run { chat in
      await chat.others["team"].fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait { chat.prompt.prompt == "team [1 failed]> " }
      chat.prompt.enter("/leave lobby")
      chat.prompt.enter("/join lobby")
      await chat.prompt.wait(for: "lobby · you are Kim")
      chat.prompt.enter("/leave team")
      #expect(chat.prompt.count("team: 1 not sent yet; /retry, /discard, or leave again") == 1)
      #expect(chat.session.rooms.count == 2)
      chat.prompt.enter("/leave team")
      #expect(chat.prompt.count("not sent: doomed") == 1 && chat.session.rooms.count == 1)
      #expect(chat.prompt.prompt == "lobby> ")
    }
  }

  @Test func `leaving all tells what is not sent in any`() async throws {
    try await run { chat in
      await chat.others["team"].fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait { chat.prompt.prompt == "team [1 failed]> " }
      chat.prompt.enter("/join lobby")
      chat.prompt.enter("/quit")
      #expect(chat.prompt.count("team: 1 not sent yet") == 1 && chat.prompt.isRunning)
      chat.prompt.enter("/quit")
      await chat.prompt.wait { !chat.prompt.isRunning }
    }
  }

  @Test func `a name that changes does so in each room`() async throws {
    try await run { chat in
      chat.prompt.enter("/name Lee")
      await chat.waitUntilDelivered()
      #expect(await chat.room.contents.count == 1)
      #expect(await chat.others["team"].contents.count == 1)
    }
  }

  @Test func `rooms that are full of what is held wait, and all go on`() async throws {
    try await run {
      $0.settings.holdsArrivals = true
      $0.settings.style = .plain
      $0.transcript.style = .plain
    } body: { chat in
      chat.prompt.type("x")
      for index in 0..<HeldRows.limit { await chat.arrives("\(index)") }
      await chat.prompt.wait { chat.session.held.isFull }
      await chat.others["team"].append(.said("from the team"))
      await chat.others["team"].append(.said("and more"))
      chat.prompt.type("")
      await chat.prompt.wait(for: "and more")
      await chat.arrives("the end")
      await chat.prompt.wait(for: "the end")
    }
  }
}
