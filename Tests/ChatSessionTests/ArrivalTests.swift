import ChatModel
import LinePrompt
import TerminalText
import Testing
import Transport

@testable import ChatSession

/// What arrives from others.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ArrivalTests {
  @Test func `names the room, then shows its last messages`() async throws {
    try await Chat.run(in: [.said("earlier")]) {
      $0.settings.tail = 1
    } body: { chat in
      await chat.prompt.wait(for: "earlier")
      #expect(chat.prompt.rows.first == "-- lobby · you are Kim · /help")
    }
  }

  @Test func `shows the past as it has become`() async throws {
    let answer = Message(id: "3", profileID: "bob", content: "quiet", replyTo: "1")
    let past: [Event] = [
      .said("secret", id: "1"), .said("old", id: "2"), .message(answer),
      .deletion(Deletion(eventID: "d", messageID: "1", profileID: "jane")),
      .edit(Edit(eventID: "e", messageID: "2", profileID: "jane", content: "new")),
    ]
    try await Chat.run(in: past) { chat in
      await chat.prompt.wait(for: "quiet")
      #expect(chat.prompt.count("secret") == 0)
      #expect(chat.prompt.count("(deleted)") == 2)
      #expect(chat.prompt.count("old") == 0 && chat.prompt.count("new (edited)") == 1)
    }
  }

  @Test func `does not touch the typed line`() async throws {
    try await Chat.run { chat in
      chat.prompt.type("half a sen")
      await chat.arrives("hello")
      await chat.prompt.wait(for: "hello")
      #expect(chat.prompt.line == "half a sen")
    }
  }

  // MARK: - The bell

  @Test(arguments: [
    (Settings.Bell.mentions, "hello Kim", 1), (.mentions, "hello", 0), (.mentions, "Kimono", 0),
    (.all, "hello", 1), (.off, "hello Kim", 0),
  ])
  func `rings as the setting says`(_ bell: Settings.Bell, _ text: String, _ count: Int) async throws
  {
    try await Chat.run {
      $0.settings.bell = bell
    } body: { chat in
      await chat.arrives(text)
      await chat.prompt.wait(for: text)
      #expect(chat.prompt.ringCount == count)
    }
  }

  @Test func `does not ring for the past, for oneself or for those who are hidden`() async throws {
    try await Chat.run(in: [.said("Kim, before")]) {
      $0.settings.bell = .all
      $0.settings.ignored = ["troll"]
    } body: { chat in
      await chat.prompt.wait(for: "Kim, before")
      chat.prompt.enter("I am Kim")
      await chat.prompt.wait(for: "I am Kim")
      await chat.arrives("Kim!", from: "troll")
      await chat.room.append(
        .profile(ProfileChange(eventID: "e", profileID: "troll", profileName: "T")))
      await chat.room.append(.notice(Notice(eventID: "n", content: "marker")))
      await chat.prompt.wait(for: "marker")
      #expect(chat.prompt.ringCount == 0)
    }
  }

  // MARK: - Who may do what

  @Test func `shows nothing of those who are hidden`() async throws {
    try await Chat.run {
      $0.settings.ignored = ["troll"]
    } body: { chat in
      await chat.arrives("bait", from: "troll", name: "Troll")
      await chat.arrives("good", id: "m")
      await chat.room.append(
        .reaction(Reaction(eventID: "r", messageID: "m", profileID: "troll", reaction: "💩")))
      await chat.room.append(
        .profile(ProfileChange(eventID: "p", profileID: "troll", profileName: "Goblin")))
      await chat.room.append(.notice(Notice(eventID: "n", content: "marker")))
      await chat.prompt.wait(for: "marker")
      for text in ["bait", "💩", "Goblin", "Troll"] { #expect(chat.prompt.count(text) == 0) }
    }
  }

  @Test func `shows an author's edit and deletion, and nobody else's`() async throws {
    try await Chat.run { chat in
      await chat.arrives("frist", id: "m")
      for (id, author, text) in [("e1", "eve", "pwned"), ("e2", "jane", "first")] {
        await chat.room.append(
          .edit(Edit(eventID: id, messageID: "m", profileID: author, content: text)))
      }
      await chat.prompt.wait(for: "first")
      #expect(chat.prompt.count("pwned") == 0)
      await chat.room.append(.deletion(Deletion(eventID: "d1", messageID: "m", profileID: "eve")))
      await chat.room.append(.deletion(Deletion(eventID: "d2", messageID: "m", profileID: "jane")))
      await chat.prompt.wait(for: "deleted")
      #expect(chat.prompt.count("deleted") == 1)
    }
  }

  @Test func `tells a new name once it is known`() async throws {
    try await Chat.run { chat in
      await chat.arrives("hello")
      await chat.room.append(
        .profile(ProfileChange(eventID: "p", profileID: "jane", profileName: "Janet")))
      await chat.prompt.wait(for: "Jane is now called Janet")
      await chat.room.append(
        .profile(ProfileChange(eventID: "q", profileID: "stranger", profileName: "X")))
      await chat.room.append(.notice(Notice(eventID: "n", content: "marker")))
      await chat.prompt.wait(for: "marker")
      #expect(chat.prompt.count("is now called") == 1)
    }
  }

  @Test func `quotes what a reply answers`() async throws {
    try await Chat.run(in: [.said("a question", id: "m")]) { chat in
      await chat.prompt.wait(for: "a question")
      chat.prompt.enter("/reply \(chat.number(of: "m")) an answer")
      await chat.prompt.wait(for: "an answer")
      #expect(chat.prompt.count("a question") == 2)
    }
  }

  @Test func `hostile text does not act`() async throws {
    try await Chat.run { chat in
      await chat.arrives("\u{1b}[2Jboo\u{9b}", from: "\u{1b}c", name: "\u{1b}]0;x\u{7}")
      await chat.prompt.wait(for: "boo")
      chat.prompt.enter("/who")
      chat.prompt.enter("/profile \"\\u001bc\"")
      let scalars = chat.prompt.rows.joined().unicodeScalars
      #expect(!scalars.contains { $0.properties.generalCategory == .control })
    }
  }

  // MARK: - Troubles

  @Test func `tells problems and the state of the connection, in the user's language`() async throws
  {
    try await Chat.run {
      $0.transcript.language = .korean
    } body: { chat in
      await chat.room.report(
        RoomProblem(source: "lobby", byteOffset: 7, lineNumber: 2, reason: "x"))
      await chat.prompt.wait(for: "2번째 줄")
      await chat.room.change(to: .offline(reason: .full))
      await chat.prompt.wait { chat.prompt.prompt == "lobby [연결 끊김]> " }
      #expect(chat.prompt.count("디스크 공간") == 1)
      await chat.room.change(to: .online)
      await chat.prompt.wait { chat.prompt.prompt == "lobby> " }
    }
  }

  @Test func `tells once what was there when the room is replaced`() async throws {
    try await Chat.run(in: [.said("kept")]) { chat in
      await chat.prompt.wait(for: "kept")
      await chat.room.reset(to: [.said("kept"), .said("new")])
      await chat.prompt.wait(for: "new")
      #expect(chat.prompt.count("kept") == 1)
      #expect(chat.prompt.count("truncated or replaced") == 1)
    }
  }
}
