import ChatModel
import Testing

extension Promises {
  /// Odd lines, dates, names and keys: told plainly, nothing lost, no crash.
  @Suite struct Odd {
    @Test func `a room that is full of strange lines is opened, printed and checked`()
      async throws
    {
      let world = World()
      for (number, line) in RoomFile.lines.enumerated() {
        let id = Array(#""messageID":"a"#.utf8)
        world.append(bytes: line.bytes.replacing(id, with: id + Array("\(number)".utf8)))
      }
      world.say("the last one")
      world.append("{\"messageID\":\"torn")
      let terminal = try Terminal(world, "--style compact", columns: 100, rows: 40)
      try await terminal.expect {
        $0.last == "lobby> ▮" && $0.contains { $0.contains("the last one") }
      }
      let tail = await world.run("$banter tail lobby")
      #expect(tail.status == 0)
      for text in ["crlf", "bom", "ids", "who", "marks", "long", "the last one"] {
        #expect(tail.text.contains(text), "\(text)")
      }
      #expect(tail.errorText.contains("not finished"))
      let check = await world.run("$banter log check data/banter/rooms/lobby.jsonl")
      #expect(check.status == 65)
      #expect(check.lines.count >= 6)
    }

    @Test(arguments: [
      (#""1970-01-01T00:00:00Z""#, "1 January 1970"),
      (#""2038-01-19T03:14:08Z""#, "19 January 2038"),
      (#""0000-01-01T00:00:00Z""#, "dated"), (#""9999-12-31T23:59:59Z""#, "dated"),
      (#""not a date""#, "dated"), (#""""#, "dated"), ("null", "dated"), ("12", "dated"),
      ("9e999", "dated"), ("{}", "dated"), (#""2026-02-30T25:61:61Z""#, "dated"),
    ])
    func `a message is shown whatever its date is`(date: String, shows: String) async throws {
      let world = World(["FAKETIME_DONT_FAKE_MONOTONIC": "1"])
      world.append(
        #"{"messageID":"a","profileID":"j","content":"dated","createdAt":\#(date)}"# + "\n")
      world.say("the next one", at: "2025-11-30T08:16:00Z")
      let tail = await world.run(
        "faketime '2039-01-01' $banter tail lobby --style compact", seconds: 20)
      #expect(tail.status == 0)
      #expect(tail.text.contains("dated") && tail.text.contains("the next one"))
      #expect(tail.text.contains(shows), "\(tail.text)")
    }

    /// Names as nobody should have them, and what is left of them.
    static let names = [
      "\u{301}\u{302}\u{200B}", String(repeating: "n", count: 10_000), "\u{1B}[2J\u{1B}]0;x\u{7}",
      "a\nb\tc", "\u{202E}desrever", "\u{200B}", "'; touch pwned; '", "-x", "$(touch pwned)",
    ]

    @Test(arguments: names)
    func `any name can be taken, by option and by command`(name: String) async throws {
      let world = World(settings: "{ style: 'compact', bell: 'off' }")
      world.folder.write("name", name)
      let terminal = try Terminal(
        world, columns: 100, rows: 40, script: "exec $banter --as=\"$(cat name)\"")
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("spoken")
      try await terminal.expect("spoken")
      #expect(await eventually { world.messages().map(\.profileName) == [name] })
      terminal.enter("/profile")
      terminal.enter("/who")
      try await terminal.expect("last seen")
      terminal.enter("/name Kim")
      try await terminal.expect("Kim")
      let tail = await world.run("$banter tail lobby")
      #expect(tail.status == 0 && tail.text.contains("spoken"))
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
      #expect(Hostile.fault(in: tail.output, atPrompt: false) == nil)
      #expect(world.folder.read("pwned") == nil)
    }

    @Test func `a paste that begins with a command is one line that comes back`() async throws {
      let world = World()
      let terminal = try Terminal(world, columns: 80, rows: 24)
      try await terminal.expect(last: "lobby> ▮")
      terminal.paste("/quit\nsecret one\nsecret two")
      try await terminal.expect("3 lines pasted as one message")
      terminal.type("Enter")
      try await terminal.expect { $0.last == "secret two▮" && $0.contains("lobby> /quit") }
      #expect(terminal.status == nil)
      #expect(world.contents().isEmpty)
    }

    @Test func `a pasted tab is a tab, before, within and after the line`() async throws {
      let world = World()
      world.say("hi", by: "Jane")
      let terminal = try Terminal(world, columns: 80)
      try await terminal.expect(last: "lobby> ▮")
      terminal.paste("\tJ\ta\t")
      terminal.type("x", "Enter")
      #expect(await eventually { world.contents().last == "\tJ\ta\tx" })
    }

    @Test(arguments: ["/nowhere/editor", "false", "sh -c 'kill -9 $$'", "/"])
    func `an editor that is not there or dies leaves the line`(editor: String) async throws {
      let world = World(["EDITOR": editor])
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("my line", "M-e")
      try await terminal.expect {
        $0.last == "lobby> my line▮" && $0.joined().contains("ended with status")
      }
      terminal.type("!", "Enter")
      #expect(await eventually { world.contents() == ["my line!"] })
    }

    @Test(arguments: [
      ("/images 1 9", "9"), ("/images 1 0", "0"), ("/images 1 x", "x"), ("/images -1", "-1"),
      ("/images 99999999999999999999", "99999999999999999999"), ("/profile \u{301}", ""),
      ("/profile 99", "99"), ("/reply", "message"), ("/edit 99999999999999999999 x", "no message"),
      ("/history 2026-02-30", "day"),
    ])
    func `a number or a name that is not there comes back`(line: String, says: String)
      async throws
    {
      let world = World(settings: "{ style: 'compact' }")
      world.append(
        #"{"messageID":"a","profileID":"j","content":"seen","images":["p.png"]}"# + "\n")
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter(line)
      try await terminal.expect {
        $0.last == "lobby> \(line)▮" && $0.dropLast().last?.contains(says) == true
      }
      #expect(world.contents() == ["seen"])
    }

    @Test(arguments: [
      ("send $(printf 'n%.0s' {1..300}) x", 64), ("send ./$(printf 'n%.0s' {1..300}).jsonl x", 65),
      ("send ./loop.jsonl x", 65),
      ("tail ./loop.jsonl", 65), ("send /dev/null/room.jsonl x", 73),
      ("send ./fifo.jsonl x", 65), ("tail ./fifo.jsonl", 65), ("log check fifo.jsonl", 65),
      ("send /dev/full x", 65),
    ])
    func `a room that cannot be is an error, and nothing hangs`(
      arguments: String, status: Int32
    ) async throws {
      let result = await World().run(
        "ln -s loop.jsonl loop.jsonl; mkfifo fifo.jsonl; $banter \(arguments)", seconds: 10)
      #expect(result.status == status, "\(result.errorText)")
      #expect(result.errorText.hasPrefix("banter: "))
      #expect(result.errorText.count { $0 == "\n" } == 1)
    }

    @Test func `settings that are a folder, or must not be read, do not stop the chat`()
      async throws
    {
      let world = World()
      let sent = await world.run("mkdir -p config/banter/config.json; $banter send lobby works")
      #expect(sent.status == 0)
      #expect(world.contents() == ["works"])
    }
  }
}
