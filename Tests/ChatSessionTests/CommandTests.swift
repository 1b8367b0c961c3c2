import ChatModel
import LinePrompt
import TerminalText
import Testing
import Transport

@testable import ChatSession

/// What the commands do, and what they say when they cannot.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct CommandTests {
  private nonisolated static let past: [Event] = [
    .said("hello", id: "m1"), .said("mine", from: "me", name: "Kim", id: "m2"),
    .said("gone", id: "m3"),
    .deletion(Deletion(eventID: "d", messageID: "m3", profileID: "jane")),
    .said("look", id: "m4", images: ["https://x.example/a.png", "b.png"]),
    .said("hi", from: "j2", name: "Jane", id: "m5"),
  ]

  private func run(body: (Chat) async throws -> Void) async throws {
    try await Chat.run(in: Self.past) { chat in
      await chat.prompt.wait(for: "hi")
      try await body(chat)
    }
  }

  @Test func `the settings of a group are listed by its name`() async throws {
    try await Chat.run { chat in
      chat.prompt.enter("/set images")
      await chat.prompt.wait(for: "images.keepPlace = false")
      #expect(chat.prompt.count("-- images.inline = ask") == 1 && chat.prompt.count("bell =") == 0)
    }
  }

  @Test(arguments: [
    (
      Language.english, "/images [message] [n] [open, save FOLDER, copy] | all [page]",
      "show the images"
    ),
    (.korean, "/images [메시지] [번호] [open, save 폴더, copy] | all [쪽]", "이미지가 있는"),
  ])
  func `a usage that is long stands apart from its meaning`(
    language: Language, usage: String, meaning: String
  ) async throws {
    try await Chat.run {
      $0.transcript.language = language
    } body: { chat in
      chat.prompt.enter("/help")
      await chat.prompt.wait(for: "Ctrl-D")
      let row = try #require(chat.prompt.rows.firstIndex { $0.contains(usage) })
      let indent = String(repeating: " ", count: 30)
      #expect(chat.prompt.rows[row] == "-- \(usage)")
      #expect(chat.prompt.rows[row + 1].hasPrefix("   \(indent)\(meaning)"))
      #expect(chat.prompt.rows.contains { $0.hasPrefix("-- /who   ") })
    }
  }

  @Test func `every word of a usage that stands for something is Korean in Korean`() {
    let literals: Set<String> = [
      "open", "save", "copy", "all", "on", "off", "status", "export", "bubble", "compact", "plain",
    ]
    for command in Command.all {
      let words = command.synopsis(.korean).split { !$0.isLetter && $0 != "/" }.dropFirst()
      let rest = words.filter { $0.allSatisfy(\.isASCII) && !literals.contains(String($0)) }
      #expect(rest.isEmpty, "\(command.synopsis(.korean))")
    }
  }

  @Test func `a setting that is a list is sent to the file`() async throws {
    try await Chat.run { chat in
      chat.prompt.enter("/set notify x")
      await chat.prompt.wait(for: "notify is a list: write it into config.json")
      #expect(chat.prompt.line == "/set notify x")
    }
  }

  @Test(arguments: [
    ("/profle bob", "Did you mean /profile?"), ("/xyzzy", "there is no command /xyzzy."),
    (" /quit", "begins at the line's start"), ("/quit\n/quit", "begin on one line"),
    ("/quit now", "takes nothing after its name"), ("/leave x", "no room of that name"),
    ("/who x", "takes nothing"), ("/clear x", "takes nothing"), ("/hide x", "takes nothing"),
    ("/retry x", "takes nothing"), ("/discard x", "takes nothing"), ("/rooms x", "takes nothing"),
    ("/status x", "takes nothing"),
    ("/reply", "say which message"), ("/reply 99 x", "no message 99"),
    ("/reply x y", "no message x"),
    ("/reply -1 y", "no message -1"), ("/reply 99999999999999999999 y", "no message 9999"),
    ("/reply 1", "write an answer"), ("/reply 3 x", "message 3 was deleted"),
    ("/react 1", "name an emoji"), ("/react", "say which message"),
    ("/react 77 x", "no message 77"), ("/react 1 nonsense", "is no emoji"),
    ("/react 1 7", "is no emoji"), ("/react 1 👍👍", "is no emoji"),
    ("/set tail 10", "counts when Banter starts"), ("/set emojiWidth narrow", "counts when"),
    ("/edit 1 x", "message 1 is not yours"), ("/edit 99 x", "no message 99"),
    ("/delete 1", "not yours"), ("/delete 99", "no message 99"),
    ("/delete nothing", "no message nothing"),
    ("/me", "say what you do"), ("/name", "say which"), ("/name a\nb", "a name is one line"),
    ("/profile nobody", "nobody here is called nobody"),
    ("/profile Jane", "several are called Jane; by id: j2, jane"),
    ("/ignore nobody", "nobody here is called"), ("/ignore me", "that is you"),
    ("/images 1", "message 1 has no images"), ("/images 4 3", "there is no image 3; it has 2"),
    ("/images 4 0", "there is no image 0"), ("/images 99", "no message 99"),
    ("/images 4 1 1", "not 1: /images [message]"),
    ("/images save", "name a folder: /images save"), ("/images 4 1 save", "name a folder"),
    ("/images save a b", "not b: /images [message]"), ("/images open x", "not x: /images"),
    ("/images 4 copy x y", "not x y: /images"), ("/images show x", "not show: /images"),
    ("/set images x", "images is a group of settings; /set images lists them"),
    ("/set images.map", "images.map is a list"), ("/set image", "there is no setting image"),
    ("/attach", "name a file"), ("/attach x.png", "takes no files"),
    ("/attach -- x", "name a file"),
    ("/history yesterday", "name a message's number or a day"), ("/history 99", "no message 99"),
    ("/history 2026-13-40", "or a day"),
    ("/help nothing", "no command /nothing"), ("/set nothing", "no setting nothing"),
    ("/set tail many", "tail: a whole number"), ("/set style round", "one of bubble"),
    ("/style round", "one of bubble"), ("/alias quit x", "is a command already"),
    ("/alias none", "no alias none"),
  ])
  func `gives the line back and says why`(_ line: String, _ reason: String) async throws {
    try await run { chat in
      chat.prompt.enter(line)
      #expect(chat.prompt.line == line)
      #expect(chat.prompt.count(reason) == 1, "\(chat.prompt.rows)")
      #expect(chat.prompt.history == [line])
      #expect(chat.session.current.outbox.isEmpty && chat.prompt.isRunning)
    }
  }

  @Test func `sends a paste of many lines as one message`() async throws {
    try await run { chat in
      let paste = (["one"] + Array(repeating: "/quit", count: 49)).joined(separator: "\n")
      chat.prompt.events.onPaste(LinePrompt.Paste(text: paste))
      chat.prompt.enter(paste)
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
      #expect(chat.prompt.count("50 lines pasted as one message") == 1)
      #expect(await chat.said.last == paste)
    }
  }

  @Test(arguments: [
    ("//x", "/x"), ("///", "//"), ("/me waves", "waves"), ("/reply 1 yes\nno", "yes\nno"),
  ])
  func `says`(_ line: String, _ text: String) async throws {
    try await run { chat in
      chat.prompt.enter(line)
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
      #expect(await chat.said.last == text)
      #expect(chat.prompt.line.isEmpty)
    }
  }

  @Test func `puts a message of several lines into the line, and its edit into the room`()
    async throws
  {
    try await run { chat in
      chat.prompt.enter("first\nsecond")
      await chat.prompt.wait(for: "second")
      chat.prompt.enter("/edit")
      #expect(chat.prompt.line == "/edit 6 first\nsecond")
      chat.prompt.enter("/edit 6 first\nthird")
      await chat.prompt.wait(for: "third")
      let id = try #require(chat.session.numbers[6]?.id)
      #expect(chat.session.current.timeline.entry(id)?.message.content == "first\nthird")
    }
  }

  @Test func `deletes one's own newest message, or the one named`() async throws {
    try await run { chat in
      chat.prompt.enter("/delete")
      await chat.prompt.wait { chat.session.current.timeline.entry("m2")?.isDeleted == true }
      chat.prompt.enter("/delete")
      #expect(chat.prompt.count("there is no message of yours here") == 1)
    }
  }

  @Test func `puts a reaction on a message and takes it away`() async throws {
    try await run { chat in
      chat.prompt.enter("/react 1 :tada:")
      await chat.prompt.wait {
        chat.session.current.timeline.entry("m1")?.reactions.first?.reaction == "🎉"
      }
      chat.prompt.enter("/react 1 🎉")
      await chat.prompt.wait {
        chat.session.current.timeline.entry("m1")?.reactions.isEmpty == true
      }
    }
  }

  @Test func `shows the newest images, or those named`() async throws {
    try await run { chat in
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "image 2 of 2: b.png")
      #expect(chat.prompt.count("image 1 of 2: a.png, ") == 1)
      #expect(chat.prompt.count("https://x.example/a.png") >= 1)
      chat.prompt.enter("/images 4 2")
      await chat.prompt.wait { chat.prompt.count("image 2 of 2") == 2 }
      #expect(chat.prompt.count("image 1 of 2") == 1)
    }
  }

  @Test func `maps images to addresses, and shows little of one that is its own`() async throws {
    let data = "data:image/png;base64," + String(repeating: "A", count: 100_000)
    try await Chat.run(in: [.said("look", images: ["b.png", data])]) {
      $0.settings.imageMap = [("b", "https://b.example/b")]
    } body: { chat in
      await chat.prompt.wait(for: "look")
      let before = chat.prompt.rows.count
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "image 2 of 2")
      #expect(chat.prompt.count("https://b.example/b.png") == 1)
      #expect(chat.prompt.rows.count < before + 5)
    }
  }

  @Test func `lists as many images as are looked at, and says how many more there are`()
    async throws
  {
    try await Chat.run(in: [.said("look", images: (1...60).map { "\($0).png" })]) { chat in
      await chat.prompt.wait(for: "look")
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "and 10 more")
      #expect(chat.prompt.count(" of 60: ") == 50)
    }
  }

  @Test func `names an image by the name that its file had`() async throws {
    let image = FileReference(
      path: "lobby.files/0f.png", name: "cat.png", mediaType: "image/png", sizeInBytes: 83_000)
    var message = Message(
      id: "1", profileID: "jane", content: "look", images: [image.path], files: [image])
    message.createdAt = Timestamp(milliseconds: 1_795_999_000_000)
    try await Chat.run(in: [.message(message)]) { chat in
      await chat.prompt.wait(for: "[image 1: cat.png, 83.0 KB]")
      #expect(chat.prompt.count("[file: ") == 0)
      chat.prompt.enter("/images")
      await chat.prompt.wait(for: "image 1 of 1: cat.png, the room does not hand it out")
    }
  }

  // MARK: - People

  @Test func `shows the card of others and of oneself`() async throws {
    try await run { chat in
      chat.prompt.enter("/profile jane")
      #expect(chat.prompt.count("id: jane") == 1)
      #expect(chat.prompt.count("messages here: 3") == 1)
      #expect(chat.prompt.count("a name is what the writer claims") == 1)
      chat.prompt.enter("/profile")
      #expect(chat.prompt.count("id: me") == 1)
      chat.prompt.enter("/who")
      await chat.prompt.wait(for: "Jane (j2)")
      #expect(chat.prompt.count("Jane (j2): 1 message here") == 1)
    }
  }

  @Test func `hides somebody and shows them again`() async throws {
    try await run { chat in
      chat.prompt.enter("/ignore j2")
      await chat.arrives("unseen", from: "j2")
      chat.prompt.enter("/ignore")
      #expect(chat.prompt.count("Jane (j2)") == 1)
      chat.prompt.enter("/ignore j2")
      await chat.arrives("seen", from: "j2")
      await chat.prompt.wait(for: "seen")
      chat.prompt.enter("/ignore")
      #expect(chat.prompt.count("nobody is hidden") == 1)
    }
  }

  @Test func `changes one's name, for messages and mentions`() async throws {
    try await run { chat in
      chat.prompt.enter("/name 김민수")
      await chat.arrives("안녕 김민수")
      await chat.prompt.wait(for: "안녕")
      #expect(chat.prompt.ringCount == 1)
      chat.prompt.enter("me again")
      await chat.prompt.wait(for: "me again")
      let last = await chat.room.contents.last
      guard case .message(let message) = last else {
        Issue.record("no message")
        return
      }
      #expect(message.profileName == "김민수")
    }
  }

  // MARK: - The view

  @Test func `explains commands and lists settings`() async throws {
    try await run { chat in
      chat.prompt.enter("/help /quit")
      #expect(chat.prompt.count("/quit: leave Banter") == 1)
      chat.prompt.enter("/help")
      for command in Command.all { #expect(chat.prompt.count("/\(command.name)") > 0) }
      chat.prompt.enter("/set")
      for key in SettingKey.all { #expect(chat.prompt.count("\(key.name) = ") > 0) }
    }
  }

  @Test func `speaks the language that is set, and the first one again`() async throws {
    try await run { chat in
      chat.prompt.enter("/set language ko")
      chat.prompt.enter("/profile nobody")
      #expect(chat.prompt.count("nobody 님은 여기 없습니다") == 1)
      chat.prompt.enter("/set tail many")
      #expect(chat.prompt.count("tail: 0부터 10000까지의 정수") == 1)
      chat.prompt.enter("/set language auto")
      chat.prompt.enter("/profile nobody")
      #expect(chat.prompt.count("nobody here is called") == 1)
    }
  }

  @Test func `uses colours as they are set`() async throws {
    try await run { chat in
      chat.prompt.enter("/set color always")
      await chat.arrives("coloured")
      await chat.prompt.wait(for: "coloured")
      #expect(chat.prompt.rows.last?.contains("\u{1b}[") == true)
      chat.prompt.enter("/set color never")
      await chat.arrives("sober", from: "j2")
      await chat.prompt.wait(for: "sober")
      #expect(chat.prompt.rows.last?.contains("\u{1b}[") == false)
    }
  }

  @Test func `clears and hides`() async throws {
    try await run { chat in
      chat.prompt.enter("/clear")
      chat.prompt.enter("/hide")
      chat.prompt.events.onHideRequested()
      #expect(chat.prompt.clearCount == 1 && chat.prompt.hideCount == 2)
    }
  }

  @Test func `makes commands of one's own, which cannot go round for ever`() async throws {
    try await run { chat in
      chat.prompt.enter("/alias /wave /me waves")
      chat.prompt.enter("/wave at you")
      await chat.prompt.wait(for: "waves at you")
      chat.prompt.enter("/alias loop /loop")
      chat.prompt.enter("/loop")
      #expect(chat.prompt.count("there is no command /loop") == 1)
    }
  }

  @Test func `tells how to leave, and the state of things`() async throws {
    try await run { chat in
      chat.prompt.events.onInterruptOnEmptyLine()
      #expect(chat.prompt.count("/quit or Ctrl-D leaves") == 1)
      chat.prompt.enter("/status")
      #expect(chat.prompt.count("room: lobby") == 1)
      #expect(chat.prompt.count("0 pending, 0 failed") == 1)
      chat.prompt.enter("/rooms")
      await chat.prompt.wait(for: "* lobby")
      #expect(chat.prompt.count("* lobby") == 1)
    }
  }
}
