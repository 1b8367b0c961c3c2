import ChatModel
import Glibc
import Testing

extension Promises {
  /// The commands, and what is near to one.
  @Suite struct Commands {
    /// A room with one message of Jane's, at the prompt of Minji.
    private func room(
      _ changes: [String: String] = [:], settings: String = "", columns: Int = 100
    ) async throws -> (World, Terminal) {
      let world = World(
        changes,
        settings: "{ profile: { id: 'minji', name: 'Minji' }, style: 'compact', \(settings) }")
      world.say("question", id: "q")
      let terminal = try Terminal(world, columns: columns, rows: 40)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("question") }
      return (world, terminal)
    }

    @Test func `reply, react, me, edit and delete become events that others see`() async throws {
      let (world, terminal) = try await room()
      let other = try Terminal(world, "--as Jane --style compact", columns: 100, rows: 40)
      try await other.expect(last: "lobby> ▮")
      let steps = [
        ("/reply 1 an answer", "an answer"), ("/react 1 👍", "👍"), ("/me waves", "Minji waves"),
        ("first try", "first try"), ("/edit second try", "second try"),
        ("/react 1 👍", "taken back"), ("/delete", "deleted by Minji"),
      ]
      for (line, shows) in steps {
        terminal.enter(line)
        try await terminal.expect(shows)
        try await other.expect(shows)
        try await terminal.expect(last: "lobby> ▮")
      }
      #expect(world.contents() == ["question", "an answer", "waves", "first try"])
      let reply = try #require(world.messages().dropFirst().first)
      #expect(reply.replyTo == "q" && reply.profileID == "minji")
    }

    @Test(arguments: [
      ("/profle bob", "/profile"), (" /quit", "line's start"), ("/profile nobody", "nobody"),
      ("/images 99", "99"), ("/images", "no message here has images"), ("/edit 1 x", "not yours"),
      ("/delete 1", "not yours"), ("/react 1", "emoji"), ("/reply 9 x", "no message 9"),
      ("/style round", "bubble"), ("/set nonsense 1", "nonsense"), ("/help nonsense", "nonsense"),
      ("/quit now", "takes nothing"), ("/attach /nowhere/x.png", "/nowhere/x.png"),
      ("/", "no command"), ("/set tail many", "whole number"),
    ])
    func `what cannot be done comes back into the line and is not sent`(
      line: String, says: String
    ) async throws {
      let (world, terminal) = try await room()
      terminal.enter(line)
      try await terminal.expect {
        $0.last == "lobby> \(line)▮" && $0.dropLast().joined().contains(says)
      }
      #expect(world.contents() == ["question"])
    }

    @Test(arguments: [
      ("//quit", "/quit"), ("// x", "/ x"), ("a /quit", "a /quit"), ("  blanks", "  blanks"),
    ])
    func `what is no command is sent as it is`(line: String, content: String) async throws {
      let (world, terminal) = try await room()
      terminal.enter(line)
      #expect(await eventually { world.contents().last == content })
    }

    @Test(arguments: [
      ("/who", "Jane"), ("/profile Jane", "id: Jane"), ("/profile", "id: minji"),
      ("/rooms", "* lobby"), ("/status", "in memory"), ("/help", "/attach PATH"),
      ("/help react", "/react message emoji"), ("/set", "emojiWidth"), ("/set tail", "tail = 50"),
      ("/set bell off", "bell = off"), ("/alias", "no aliases"),
      ("/alias hi /me hi", "/hi = /me hi"),
      ("/ignore Jane", "Jane is hidden"), ("/ignore", "nobody is hidden"),
      ("/retry", "nothing failed"), ("/discard", "0 given up"), ("/style bubble", "style = bubble"),
      ("/name Minji Kim", "now called Minji Kim"), ("/history", "question"),
    ])
    func `a command tells what it does, and the prompt is back`(
      line: String, says: String
    ) async throws {
      let (world, terminal) = try await room(["PAGER": "cat"])
      terminal.enter("/clear")
      try await terminal.expect { $0 == ["lobby> ▮"] }
      terminal.enter(line)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.dropLast().joined().contains(says) }
      #expect(world.contents() == ["question"])
    }

    @Test func `history is read in the pager, from a message or a day`() async throws {
      let (world, terminal) = try await room(["PAGER": "sh -c 'cat >paged; echo PAGED'"])
      world.say("next day", at: "2025-12-01T09:00:00Z")
      try await terminal.expect("next day")
      terminal.enter("/history")
      try await terminal.expect("PAGED")
      let paged = { String(decoding: world.folder.read("paged") ?? [], as: UTF8.self) }
      #expect(paged().contains("question") && paged().contains("next day"))
      terminal.enter("/clear")
      terminal.enter("/history 2025-12-01")
      try await terminal.expect { $0.contains("PAGED") && $0.last == "lobby> ▮" }
      #expect(!paged().contains("question") && paged().contains("next day"))
      terminal.enter("/history yesterday?")
      try await terminal.expect(last: "lobby> /history yesterday?▮")
    }

    @Test(arguments: ["/quit", "/leave"])
    func `leaving leaves`(line: String) async throws {
      let (world, terminal) = try await room()
      terminal.enter(line)
      try await terminal.expectEnd(status: 0)
      #expect(world.contents() == ["question"])
    }

    @Test func `the hidden line comes back whole`() async throws {
      let (world, terminal) = try await room()
      terminal.enter("/hide")
      try await terminal.expect { !$0.joined().contains("lobby>") }
      world.say("while hidden")
      try await terminal.expect("while hidden")
      terminal.type("x")
      try await terminal.expect(last: "lobby> x▮")
    }

    @Test func `a picture is stored by its digest, listed with its address, and shown`()
      async throws
    {
      let (world, terminal) = try await room(
        settings: "images: { map: { '': 'https://example.org/p/' } }")
      let made = await world.run(
        """
        printf 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC' |
          base64 -d >'my photo.png'; sha256sum 'my photo.png' | cut -c1-64; echo text >notes.txt
        """)
      let digest = try #require(made.lines.first)
      terminal.enter("/attach 'my photo.png' notes.txt -- a caption")
      try await terminal.expect("a caption")
      let message = try #require(world.messages().last)
      #expect(message.images == ["\(digest).png"])
      #expect(message.files.map(\.name) == ["my photo.png", "notes.txt"])
      #expect(message.files.first?.path == message.images.first)
      let stored = "data/banter/rooms/lobby.files/\(digest).png"
      #expect(world.folder.read(stored) == world.folder.read("my photo.png"))
      terminal.enter("/images")
      try await terminal.expect("https://example.org/p/\(digest).png")
      guard access("/usr/bin/chafa", X_OK) == 0 else { return }
      try await terminal.expect { _ in
        String(decoding: terminal.bytes, as: UTF8.self).contains("38;5;196")
      }
    }
  }
}
