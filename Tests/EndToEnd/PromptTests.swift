import Testing

extension Promises {
  /// Keys at the prompt, with a session behind it.
  @Suite struct Prompt {
    private func room(_ world: World) async throws -> Terminal {
      let terminal = try Terminal(world, "--style compact", columns: 80, rows: 30)
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    @Test(arguments: [
      ("ㅁㅅ", "민수: ▮"), ("민", "민수: ▮"), ("jAn", "Jane: ▮"), ("hi @jan", "hi @Jane ▮"),
      ("/profile ㅁㅅ", "/profile 민수▮"), ("/prof", "/profile ▮"), ("/style co", "/style compact▮"),
      ("/set emojiW", "/set emojiWidth▮"), (":thumbsu", "👍▮"), ("/help rea", "/help react▮"),
      ("/attach no", "/attach notes.txt ▮"),
    ])
    func `Tab completes`(typed: String, gives: String) async throws {
      let world = World()
      world.folder.write("notes.txt", "")
      world.say("hi", by: "Jane")
      world.say("안녕", by: "민수")
      let terminal = try await room(world)
      terminal.type(text: typed)
      try await terminal.expect { $0.last?.hasSuffix("▮") == true && $0.last != "lobby> ▮" }
      terminal.type("Tab")
      try await terminal.expect {
        $0.last?.replacing(" ▮", with: "▮") == "lobby> \(gives)".replacing(" ▮", with: "▮")
      }
    }

    /// The name's argument, completed, must be read back as that profile.
    @Test(arguments: [
      "Max \"plew\" M", "O'Neil", "a b", "/admin", "#x", "back\\slash", "İstanbul", "ß", "@at",
      "12",
      "-- x", "e\u{301}",
    ])
    func `what Tab inserts is read back as that person`(name: String) async throws {
      let world = World()
      world.append(
        world.line(["messageID": "a", "profileID": "the-id", "profileName": name, "content": "x"]))
      let terminal = try await room(world)
      terminal.type(text: "/profile " + String(name.prefix(1)))
      terminal.type("Tab", "Enter")
      try await terminal.expect("id: the-id")
    }

    @Test func `two people of one name are told apart`() async throws {
      let world = World()
      for id in ["first", "second"] {
        world.append(
          world.line(["messageID": id, "profileID": id, "profileName": "Kim", "content": "x"]))
      }
      let terminal = try await room(world)
      terminal.enter("/profile Kim")
      try await terminal.expect("several are called Kim")
      terminal.type("C-u")
      terminal.enter("/profile first")
      try await terminal.expect("id: first")
    }

    @Test func `fifty pasted lines are one pending message`() async throws {
      let world = World()
      let terminal = try await room(world)
      let lines = (1...50).map { $0 % 7 == 0 ? "/quit" : "\tline \($0)" }
      terminal.paste(lines.joined(separator: "\n"))
      try await terminal.expect("50 lines pasted as one message")
      #expect(world.contents().isEmpty)
      terminal.type("Enter")
      #expect(await eventually { world.contents() == [lines.joined(separator: "\n")] })
      #expect(terminal.status == nil)
    }

    @Test func `Ctrl-C clears a line, and on an empty one says how to leave`() async throws {
      let world = World()
      let terminal = try await room(world)
      terminal.type("typed")
      try await terminal.expect(last: "lobby> typed▮")
      terminal.type("C-c")
      try await terminal.expect(last: "lobby> ▮")
      #expect(!terminal.screen.joined().contains("leaves"))
      terminal.type("C-c")
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("Ctrl-D leaves") }
      terminal.type("x", "C-a", "C-d")
      try await terminal.expect(last: "lobby> ▮")
      #expect(terminal.status == nil)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(world.contents().isEmpty)
    }

    @Test func `the history of both instances is kept, private and whole`() async throws {
      let world = World()
      let one = try await room(world)
      let other = try await room(world)
      one.enter("from one")
      other.enter("from other")
      one.type("two", "M-Enter", "rows", "Enter")
      #expect(await eventually { world.contents().count == 3 })
      one.type("C-d")
      other.type("C-d")
      try await one.expectEnd(status: 0)
      try await other.expectEnd(status: 0)
      let again = try await room(world)
      var seen: [String] = []
      for _ in 1...3 {
        let before = again.screen
        again.type("Up")
        try await again.expect { $0 != before }
        let screen = again.screen
        let start = screen.lastIndex { $0.hasPrefix("lobby> ") } ?? 0
        seen.append(screen[start...].joined(separator: "|").filter { $0 != "▮" })
      }
      #expect(
        seen.sorted() == ["lobby> from one", "lobby> from other", "lobby> two|rows"])
      #expect(await world.run("stat -c %a state/banter/history").lines == ["600"])
    }

    @Test func `leaving right after Enter waits for what was said`() async throws {
      let world = World()
      let terminal = try await room(world)
      terminal.type("bye", "Enter", "C-d")
      try await terminal.expectEnd(status: 0)
      #expect(world.contents() == ["bye"])
    }

    @Test func `a message that cannot be sent stays and goes out with retry`() async throws {
      let world = World()
      world.say("old")
      let terminal = try await room(world)
      _ = await world.run("mv \(world.path()) kept; mkdir \(world.path())")
      terminal.enter("stuck")
      try await terminal.expect {
        $0.last == "lobby [1 failed, offline]> ▮" && $0.joined().contains("/retry")
      }
      #expect(!terminal.scrollback.joined().contains("(sending)"))
      _ = await world.run("rmdir \(world.path()); mv kept \(world.path())")
      terminal.enter("/retry")
      #expect(await eventually { world.contents() == ["old", "stuck"] })
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }
  }
}
