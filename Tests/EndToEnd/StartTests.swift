import Testing

extension Promises {
  /// Starting where something is not as it should be.
  @Suite struct Start {
    @Test(arguments: [
      ("{ style: 'round' }", "config.json: line 1, column "),
      ("{\n  tail: 10,\n  bell: [}\n}", "config.json: line 3, column "),
      ("not JSON", "config.json: line 1, column 1"),
      ("{ tail: \"many\" }", "config.json: line 1, column "),
      ("{ \"\u{1B}[2J\": 1 }", "config.json: line 1, column "),
    ])
    func `a bad settings file is told by line and column, and the chat starts`(
      settings: String, place: String
    ) async throws {
      let world = World(settings: settings)
      let terminal = try Terminal(world, columns: 200)
      try await terminal.expect {
        $0.last == "lobby> ▮" && $0.contains { $0.contains(place) }
      }
      terminal.enter("works")
      #expect(await eventually { world.contents() == ["works"] })
      #expect(Hostile.fault(in: terminal.bytes, atPrompt: true) == nil)
      let sent = await world.run("$banter send lobby too")
      #expect(sent.status == 0 && sent.errorText.contains(place))
    }

    @Test func `settings count, and options win over them`() async throws {
      let world = World(
        settings: """
          // Comments are allowed.
          { profile: { id: "minji", name: "민지" }, style: "compact", aliases: { brb: "/me is back soon" }, }
          """)
      world.say("hello")
      let terminal = try Terminal(world, columns: 80)
      try await terminal.expect("1 08:16 Jane: hello")
      try await terminal.expect("you are 민지")
      terminal.enter("/brb")
      try await terminal.expect("민지 is back soon")
      let other = try Terminal(world, "--style bubble --as Ann", columns: 80)
      try await other.expect("you are Ann")
      try await other.expect("│ hello      │")
    }

    @Test(arguments: [
      ["LANG": "xx_XX.UTF-8"], ["LANG": "C"], ["LANG": ""], ["LC_ALL": "POSIX"],
      ["LANG": "ko_KR.eucKR"],
    ])
    func `a locale that is missing changes no letter`(environment: [String: String]) async throws {
      let world = World(environment)
      world.say("안녕하세요", by: "민수")
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect("안녕하세요")
      terminal.type(text: "네 👍")
      terminal.type("C-b")
      try await terminal.expect(last: "lobby> 네 ▮👍")
      terminal.type("!", "Enter")
      #expect(await eventually { world.contents().last == "네 !👍" })
    }

    @Test func `Korean is spoken where the locale says so`() async throws {
      let world = World(["LC_MESSAGES": "ko_KR.UTF-8", "TZ": "Asia/Seoul"])
      world.say("좋은 아침", at: "2025-11-29T23:16:00Z")
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect("08:16 오전")
      try await terminal.expect("2025년 11월 30일")
      terminal.type("C-c")
      try await terminal.expect("나갑니다")
    }

    @Test(arguments: [
      ("mkdir -p data/banter/rooms/lobby.jsonl", 65), ("rm -r data; echo x >data", 65),
      ("mkdir -p data/banter/rooms/lobby.jsonl/x", 65),
    ])
    func `a room that cannot be opened is an error, and the terminal is whole`(
      script: String, status: Int
    ) async throws {
      let terminal = try Terminal(
        World(), columns: 120,
        script: "\(script); stty -a >a; $banter; s=$?; stty -a | cmp - a && echo SAME; exit $s")
      try await terminal.expectEnd(status: status)
      let shown = terminal.scrollback
      #expect(shown.contains("SAME"))
      #expect(shown.count { $0.hasPrefix("banter: ") } == 1)
    }

    @Test func `a folder for state that cannot be written leaves the chat whole`() async throws {
      let world = World(["XDG_STATE_HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing"])
      let terminal = try Terminal(world, columns: 80)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("works")
      #expect(await eventually { world.contents() == ["works"] })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test func `the newest fifty of a hundred thousand are there at once`() async throws {
      let world = World()
      let lines = (1...100_000).map { number in
        #"{"messageID":"\#(number)","profileID":"j","content":"no.\#(number)."}"#
      }
      world.append(lines.joined(separator: "\n") + "\n")
      let terminal = try Terminal(world, "--style compact --tail 3", columns: 60)
      try await terminal.expect(within: .seconds(2)) { screen in
        screen.filter { $0.contains("no.") }.map { $0.suffix(10) }
          == ["no.99998.", "no.99999.", "no.100000."].map { (" " + $0).suffix(10) }
      }
    }
  }
}
