import Testing

extension Promises {
  /// Remote text never acts on the terminal.
  @Suite struct HostileText {
    /// What nobody's text may bring to the screen; the bell would be Banter's.
    private let settings = "{ bell: \"off\" }"

    @Test(arguments: ["bubble", "compact", "plain"], [false, true])
    func `no field acts on the terminal, as it arrives or when it is shown again`(
      style: String, isLive: Bool
    ) async throws {
      let world = World(settings: settings)
      if !isLive { world.append(Hostile.lines(of: world)) }
      let terminal = try Terminal(world, "--style \(style)", columns: 100, rows: 40)
      try await terminal.expect(last: "lobby> ▮")
      if isLive { world.append(Hostile.lines(of: world)) }
      world.say("the end")
      try await terminal.expect("the end")
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
      #expect(style != "plain" || !terminal.bytes.contains(0x1B))
      #expect(terminal.ask("#{pane_title}") != "pwned")
    }

    @Test(arguments: [
      "/who", "/images 1", "/profile", "/history", "/reply 1 why", "/react 1 ok", "/ignore",
      "/rooms", "/status", "/help \u{9B}2J", "/profile \u{9B}2J", "/\u{9B}2J", "/set \u{9B}2J x",
      "/alias \u{9B}2J /me x", "/name \u{9B}2J\u{202E}x", "/attach \u{9B}2J", "\u{9B}2J\u{202E}",
    ])
    func `no command brings it to the terminal`(command: String) async throws {
      let world = World(["PAGER": "cat"], settings: settings)
      world.append(Hostile.lines(of: world))
      let terminal = try Terminal(world, "--style compact", columns: 100, rows: 40)
      try await terminal.expect(last: "lobby> ▮")
      terminal.paste(command)
      terminal.type("Enter")
      world.say("the end")
      try await terminal.expect("the end")
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
    }

    @Test func `completion shows and inserts names that are harmless`() async throws {
      let world = World(settings: settings)
      world.folder.write(".inputrc", "set bell-style none\n")
      world.append(Hostile.lines(of: world))
      let terminal = try Terminal(
        world, columns: 100, rows: 40, script: "unset INPUTRC; exec $banter")
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("/profile ", "Tab", "Tab", "Tab")
      try await terminal.expect { $0.last?.hasPrefix("lobby> /profile") == true }
      terminal.type("C-u", "@", "Tab", "Tab", "C-u", "/ignore ", "Tab", "Enter")
      world.say("the end")
      try await terminal.expect("the end")
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
    }

    @Test(arguments: ["", "--json", "--style bubble", "--style compact"])
    func `tail, its errors and what it hands to scripts are inert`(options: String) async throws {
      let world = World()
      world.append(Hostile.lines(of: world))
      world.say("the end")
      let tail = await world.run("$banter tail lobby --color never \(options)")
      #expect(tail.status == 0)
      #expect(tail.text.contains("the end"))
      #expect(!tail.errors.isEmpty)
      #expect(Hostile.fault(in: tail.output, atPrompt: false) == nil)
      #expect(Hostile.fault(in: tail.errors, atPrompt: false) == nil)
    }

    @Test func `tail -f is as inert, and ends with its reader`() async throws {
      let world = World()
      world.append(Hostile.lines(of: world))
      world.say("the end")
      let tail = await world.run(
        "$banter tail -f lobby 2>errors | grep -m1 -B99 'the end'; cat errors >&2", seconds: 10)
      #expect(tail.status == 0 && !tail.errors.isEmpty)
      #expect(Hostile.fault(in: tail.output + tail.errors, atPrompt: false) == nil)
    }

    @Test func `log check is inert, and says where the bad lines are`() async throws {
      let world = World()
      world.append(Hostile.lines(of: world))
      let check = await world.run("$banter log check data/banter/rooms/lobby.jsonl")
      #expect(check.status == 65)
      #expect(check.text.contains("line 12"))
      #expect(Hostile.fault(in: check.output + check.errors, atPrompt: false) == nil)
    }

    @Test(arguments: [
      "send $evil/ hi", "tail $evil", "log check $evil", "--style $evil", "--$evil",
      "-n $evil tail x", "tail lobby $evil", "tcp://$evil/x", "$evil $evil", "log $evil",
    ])
    func `no error about a command line acts on the terminal`(arguments: String) async throws {
      let world = World()
      let evil = Hostile.all.filter { $0 != "\0" }
      let bash = evil.unicodeScalars.map { "\\U" + String($0.value, radix: 16).padded(to: 8) }
      let words = arguments.replacing("$evil", with: "\"$evil\"")
      let result = await world.run("evil=$'\(bash.joined())'; $banter \(words) </dev/null")
      #expect(result.status >= 64 && result.status < 78)
      #expect(result.errorText.hasPrefix("banter: "))
      #expect(result.errorText.count { $0 == "\n" } == 1)
      #expect(Hostile.fault(in: result.output + result.errors, atPrompt: false) == nil)
    }

    @Test func `a room's name is inert in the prompt and in the title`() async throws {
      let world = World(settings: settings)
      let terminal = try Terminal(
        world, columns: 90, script: "exec $banter $'./\\e]0;pwned\\a\\u202e\\u009b2J.jsonl'")
      try await terminal.expect { $0.last?.hasSuffix("> ▮") == true }
      terminal.enter("/rooms")
      terminal.enter("/status")
      try await terminal.expect("in memory")
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
    }
  }
}

extension String {
  /// With zeros before it.
  fileprivate func padded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
