import Testing

extension Promises {
  /// What others do to a room's file while it is open at the prompt.
  @Suite struct RoomFile {
    /// A room with the prompt in it and a typed line.
    private func typing(_ world: World) async throws -> Terminal {
      let terminal = try Terminal(world, "--style compact", columns: 100, rows: 30)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("typed", "Left")
      try await terminal.expect(last: "lobby> type▮d")
      return terminal
    }

    /// Waits until that is shown, with the line as it was.
    private func expect(
      _ text: String, _ terminal: Terminal, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      try await terminal.expect(sourceLocation: sourceLocation) {
        $0.last == "lobby> type▮d" && $0.contains { $0.contains(text) }
      }
    }

    /// What is appended, and what must be on the screen before the message
    /// that follows.
    static let lines: [(name: String, bytes: [UInt8], shows: String)] = [
      (
        "CRLF", Array("{\"messageID\":\"a\",\"profileID\":\"j\",\"content\":\"crlf\"}\r\n".utf8),
        "j: crlf"
      ),
      (
        "a byte order mark",
        [0xEF, 0xBB, 0xBF]
          + Array("{\"messageID\":\"a\",\"profileID\":\"j\",\"content\":\"bom\"}\n".utf8), "j: bom"
      ),
      ("NUL", [0x7B, 0, 0x7D, 0x0A], "byte"), ("no JSON", Array("hello\n".utf8), "byte"),
      (
        "bad UTF-8",
        Array("{\"messageID\":\"a\",\"profileID\":\"j\",\"content\":\"x".utf8) + [0xFF, 0xC0]
          + Array("y\"}\n".utf8), "lobby"
      ),
      ("deep nesting", Array(repeating: UInt8(ascii: "["), count: 100_000) + [0x0A], "byte"),
      (
        "nested fields",
        Array("{\"x\":".utf8) + Array(repeating: UInt8(ascii: "["), count: 100_000) + [0x0A], "byte"
      ),
      ("an unknown type", Array("{\"type\":\"typing\",\"who\":1}\n".utf8), "lobby"),
      (
        "numbers for ids", Array("{\"messageID\":7,\"profileID\":8,\"content\":\"ids\"}\n".utf8),
        "8: ids"
      ),
      ("no content", Array("{\"messageID\":\"a\",\"profileID\":\"j\"}\n".utf8), "byte"),
      ("empty lines", Array("\n\n\r\n\n".utf8), "lobby"),
      (
        "no name",
        Array(
          "{\"messageID\":\"a\",\"profileID\":\"j\",\"profileName\":\"\",\"content\":\"who\"}\n"
            .utf8), "j: who"
      ),
      (
        "nobody", Array("{\"messageID\":\"a\",\"profileID\":\"\",\"content\":\"who\"}\n".utf8),
        "byte"
      ),
      (
        "a name of marks",
        Array(
          "{\"messageID\":\"a\",\"profileID\":\"\u{301}\u{302}\u{200B}\",\"content\":\"marks\"}\n"
            .utf8), "marks"
      ),
      (
        "no text",
        Array("{\"messageID\":\"a\",\"profileID\":\"j\",\"content\":\"\u{200B}\u{FEFF}\"}\n".utf8),
        "j: "
      ),
      (
        "a long name",
        Array(
          "{\"messageID\":\"a\",\"profileID\":\"j\",\"profileName\":\"\(String(repeating: "n", count: 10_000))\",\"content\":\"long\"}\n"
            .utf8), "long"
      ),
    ]

    @Test(arguments: lines)
    func `a strange line harms neither the line being typed nor what follows`(
      name: String, bytes: [UInt8], shows: String
    ) async throws {
      let world = World()
      let terminal = try await typing(world)
      world.append(bytes: bytes)
      world.say("the next one")
      try await expect("the next one", terminal)
      #expect(terminal.screen.joined(separator: "\n").contains(shows))
    }

    @Test func `half a line waits until it is whole`() async throws {
      let world = World()
      let terminal = try await typing(world)
      let line = Array(world.line(["messageID": "a", "profileID": "j", "content": "안녕하세요"]).utf8)
      for part in [line[..<30], line[30..<61], line[61...]] {
        #expect(!terminal.screen.joined().contains("안녕"))
        world.append(bytes: Array(part))
      }
      try await expect("안녕하세요", terminal)
      #expect(!terminal.screen.joined().contains("byte"))
    }

    @Test func `a line of fifty megabytes is shown in part, and what follows whole`() async throws {
      let world = World()
      let terminal = try await typing(world)
      let made = await world.run(
        """
        { printf '{"messageID":"a","profileID":"j","content":"begin'
          head -c 50000000 /dev/zero | tr '\\0' x; echo '"}'; } >>data/banter/rooms/lobby.jsonl
        """)
      #expect(made.status == 0)
      world.say("the next one")
      try await expect("the next one", terminal)
      #expect(terminal.scrollback.count < 20_000)
    }

    /// What is no date, or lies in the future, is of the day on which it came.
    @Test(arguments: [
      ("1970-01-01T00:00:00Z", "1 January 1970"), ("2038-01-19T03:14:08Z", nil),
      ("2026-02-30T00:00:00Z", nil), ("", nil), ("yesterday", nil), ("9999-12-31T23:59:59Z", nil),
      ("2025-11-30T08:16:00+09:00", "29 November 2025"),
      ("2025-11-30T08:16:60.999999999-11:30", "30 November 2025"),
    ])
    func `any date does`(date: String, shows: String?) async throws {
      let world = World()
      world.say("dated", at: date)
      let terminal = try await typing(world)
      try await expect("dated", terminal)
      world.say("dated too", at: date)
      try await expect("dated too", terminal)
      let today = await world.run("date '+%-d %B %Y'").lines.first ?? ""
      #expect(terminal.scrollback.contains { $0.contains(shows ?? today) })
      #expect(await world.run("$banter tail lobby").text.contains("dated"))
    }

    @Test(arguments: [
      ("rm $file; echo \"$next\" >$file", "deleted and made anew"),
      ("echo \"$next\" >new; mv new $file", "replaced"), ("echo \"$next\" >$file", "truncated"),
      ("mv $file old; echo \"$next\" >$file", "rotated"),
    ])
    func `a file that is exchanged is followed`(script: String, name: String) async throws {
      let world = World()
      for number in 1...30 { world.say("old \(number)") }
      let terminal = try await typing(world)
      try await expect("old 30", terminal)
      let next = world.line(["messageID": "n", "profileID": "j", "content": "of the new file"])
      let done = await world.run(
        "file=\(world.path()); next=\(quoted(String(next.dropLast()))); \(script)")
      #expect(done.status == 0)
      try await expect("of the new file", terminal)
      terminal.type("Enter")
      #expect(await eventually { world.contents() == ["of the new file", "typed"] })
    }

    @Test func `a file that is deleted is made again by the next message`() async throws {
      let world = World()
      world.say("old")
      let terminal = try await typing(world)
      _ = await world.run("rm \(world.path())")
      terminal.type("Enter")
      #expect(await eventually { world.contents() == ["typed"] })
      world.say("still here")
      try await terminal.expect("still here")
    }

    @Test func `only the author changes a message, and order does not matter`() async throws {
      let world = World()
      let change = { (type: String, id: String, by: String, content: String) in
        world.line([
          "type": type, "eventID": "\(id)\(type)\(by)\(content)", "messageID": id, "profileID": by,
          "content": content, "reaction": content, "createdAt": "2025-11-30T08:17:00Z",
        ])
      }
      world.append(change("edit", "a", "Jane", "edited before it came"))
      world.append(change("reaction", "a", "민수", "👍"))
      world.append(change("delete", "b", "Jane", ""))
      world.say("original a", id: "a")
      world.say("original b", id: "b")
      world.say("original c", id: "c")
      world.append(change("edit", "c", "Mallory", "forged"))
      world.append(change("delete", "c", "Mallory", ""))
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect("original c")
      let screen = terminal.screen.joined(separator: "\n")
      #expect(screen.contains("edited before it came") && screen.contains("👍"))
      #expect(!screen.contains("original a") && !screen.contains("original b"))
      #expect(!screen.contains("forged"))
    }

    @Test func `a clock ten years ahead does not make the rest late`() async throws {
      let world = World()
      let sent = await world.run("faketime '+10 years' $banter send lobby --as Future early")
      #expect(sent.status == 0)
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect("early")
      #expect(await world.run("$banter send lobby --as Jane 'in time'").status == 0)
      try await terminal.expect("in time")
      #expect(!terminal.screen.joined().contains("late"))
    }
  }
}
