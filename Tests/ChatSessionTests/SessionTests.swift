import ChatModel
import LinePrompt
import Testing
import Transport

@testable import ChatSession

/// A session's life between a prompt and a room, without terminal or file.
@MainActor @Suite(.timeLimit(.minutes(1)), .serialized) struct SessionTests {
  private let failure = TransportError(.noSpace, path: "room", reason: "the disk is full")

  @Test func `shows what others say, and says what is typed`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.say("안녕", id: "1")
    await conversation.surface.wait(for: "안녕 (민수, 08:16, 1)")
    conversation.surface.enter("hello")
    await conversation.surface.wait(for: "hello (Jane, 08:16, 2)")
    let events = await conversation.room.contents
    guard case .message(let message)? = events.last else { return #expect(Bool(false)) }
    #expect(message.content == "hello" && message.profileID == "jane")
    conversation.surface.enter("/quit")
    #expect(try await conversation.end() == 0)
    #expect(!conversation.surface.isRunning)
  }

  @Test func `one's own bubble is drawn once, at the acknowledgement`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.room.hold()
    conversation.surface.enter("mine")
    await conversation.room.waitUntilHeld(1)
    #expect(conversation.count("mine") == 0)
    #expect(conversation.surface.prompt == "lobby [1 pending]> ")
    await conversation.room.release()
    await conversation.surface.wait(for: "mine")
    await conversation.say("after", id: "x")
    await conversation.surface.wait(for: "after")
    #expect(conversation.count("mine") == 1)
    #expect(conversation.surface.prompt == "lobby> ")
  }

  @Test func `a message that waits is shown as pending, and not again when it is sent`()
    async throws
  {
    let conversation = Conversation(patience: .zero)
    await conversation.start()
    await conversation.room.hold()
    conversation.surface.enter("slow")
    await conversation.surface.wait(for: "slow")
    #expect(conversation.surface.screen.contains("sending"))
    await conversation.room.release()
    await conversation.say("after", id: "x")
    await conversation.surface.wait(for: "after")
    #expect(conversation.count("slow") == 1)
  }

  @Test func `what failed says why, and goes out again with its first id, in order`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.room.fail(with: failure)
    conversation.surface.enter("one")
    conversation.surface.enter("two")
    await conversation.surface.wait { conversation.count("the disk is full") == 2 }
    #expect(conversation.surface.prompt == "lobby [2 failed]> ")
    let ids = conversation.session.outbox.items.map(\.id)
    await conversation.room.fail(with: nil)
    conversation.surface.enter("/retry")
    await conversation.surface.wait(for: "two (Jane")
    #expect(await conversation.room.contents.map(\.id) == ids)
  }

  @Test func `leaving with unsent messages warns once, then tells them`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.room.fail(with: failure)
    conversation.surface.enter("precious")
    await conversation.surface.wait(for: "the disk is full")
    conversation.surface.events.onEndOfInput()
    #expect(conversation.surface.screen.contains("1 not sent yet"))
    conversation.surface.events.onEndOfInput()
    #expect(try await conversation.end() == 75)
    #expect(conversation.surface.screen.contains("not sent: precious"))
  }

  @Test(arguments: [
    "/profle bob", " /quit", "/quit now", "/quit\nsecond line", "/profile nobody",
    "/images 99", "/reply 99 x", "/edit 99 x", "/delete", "/react", "/set nonsense 1",
    "/style nonsense", "/history 99", "/history 2026-13-01", "/help nonsense", "/attach", "/name",
  ])
  func `a command that cannot be done comes back, and is never said`(line: String) async throws {
    let conversation = Conversation()
    await conversation.start()
    let before = conversation.surface.rows.count
    conversation.surface.enter(line)
    #expect(conversation.surface.line == line)
    #expect(conversation.surface.rows.count > before)
    #expect(conversation.session.outbox.isEmpty)
    #expect(await conversation.room.contents.isEmpty)
  }

  @Test func `a mistyped command names the nearest one`() async throws {
    let conversation = Conversation()
    await conversation.start()
    conversation.surface.enter("/profle bob")
    #expect(conversation.surface.screen.contains("did you mean /profile?"))
  }

  @Test func `acts on messages by their numbers`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.say("question", id: "q")
    await conversation.surface.wait(for: "question")
    conversation.surface.enter("/reply 1 answer")
    await conversation.surface.wait(for: "answer (Jane")
    conversation.surface.enter("/react 1 :tada:")
    await conversation.surface.wait(for: "🎉")
    conversation.surface.enter("/edit better answer")
    await conversation.surface.wait(for: "better answer")
    conversation.surface.enter("/delete 2")
    await conversation.surface.wait(for: "deleted")
    let kinds = await conversation.room.contents.map { event in
      switch event {
      case .message(let message): "message \(message.replyTo ?? "")"
      case .reaction(let reaction): "reaction \(reaction.messageID)"
      case .edit: "edit"
      case .deletion: "deletion"
      default: "other"
      }
    }
    #expect(kinds == ["message ", "message q", "reaction q", "edit", "deletion"])
  }

  @Test func `another's message can be neither edited nor deleted`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.say("theirs", id: "1")
    await conversation.surface.wait(for: "theirs")
    for line in ["/edit 1 mine now", "/delete 1"] {
      conversation.surface.enter(line)
      #expect(conversation.surface.line == line)
    }
    #expect(await conversation.room.contents.count == 1)
  }

  @Test func `edit without a text brings the message into the line`() async throws {
    let conversation = Conversation()
    await conversation.start()
    conversation.surface.enter("first\nsecond")
    await conversation.surface.wait(for: "second")
    conversation.surface.enter("/edit")
    #expect(conversation.surface.line == "/edit 1 first\nsecond")
  }

  @Test(arguments: [(Settings.Bell.mentions, 1), (.all, 2), (.off, 0)])
  func `the bell rings for what the setting says`(bell: Settings.Bell, rings: Int) async throws {
    let conversation = Conversation { $0.bell = bell }
    await conversation.start()
    await conversation.say("hello", id: "1")
    await conversation.surface.wait(for: "hello")
    await conversation.say("Jane, come", id: "2")
    await conversation.surface.wait(for: "come")
    #expect(conversation.surface.rings == rings)
  }

  @Test func `in plain style arrivals can wait while a line is typed`() async throws {
    let conversation = Conversation { $0.holdsArrivals = true }
    await conversation.start()
    conversation.surface.line = "half a sen"
    await conversation.say("one", id: "1")
    await conversation.say("two", id: "2")
    while conversation.session.held.messageCount < 2 { await Task.yield() }
    #expect(conversation.count("one") == 0)
    #expect(conversation.surface.prompt == "lobby [2 new]> ")
    conversation.surface.enter("half a sentence")
    await conversation.surface.wait(for: "half a sentence")
    let rows = conversation.surface.rows.filter { $0.contains("(") }
    #expect(rows.map { $0.prefix(3) } == ["one", "two", "hal"])
  }

  @Test func `ignored people are not shown until they are again`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.say("visible", id: "1")
    await conversation.surface.wait(for: "visible")
    conversation.surface.enter("/ignore 민수")
    await conversation.say("unseen", id: "2")
    conversation.surface.enter("mine")
    await conversation.surface.wait(for: "mine")
    #expect(conversation.count("unseen") == 0)
    conversation.surface.enter("/ignore minsu")
    await conversation.say("back", id: "3")
    await conversation.surface.wait(for: "back")
  }

  @Test func `a problem in the room and its replacement are told`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.room.report(
      RoomProblem(source: "room", byteOffset: 7, reason: "torn\u{1b}[2J"))
    await conversation.surface.wait(for: "room: byte 7: torn")
    #expect(!conversation.surface.screen.contains("\u{1b}"))
  }

  @Test func `a name that changes is told and used`() async throws {
    let conversation = Conversation()
    await conversation.start()
    await conversation.say("hi", id: "1")
    await conversation.surface.wait(for: "hi")
    await conversation.room.append(
      .profile(ProfileChange(eventID: "p", profileID: "minsu", profileName: "김민수")))
    await conversation.surface.wait(for: "민수 is now called 김민수")
    conversation.surface.enter("/profile 김민수")
    #expect(conversation.surface.screen.contains("id: minsu"))
  }
}
