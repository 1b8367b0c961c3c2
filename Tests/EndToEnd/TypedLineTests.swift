import Glibc
import Testing

extension Promises {
  /// The typed line is sacred.
  @Suite struct TypedLine {
    /// A sentence of several rows in a narrow window; the cursor is to stand
    /// before 세.
    private let before = "긴급! 오늘 회의는 "
    private let after = "세 시입니다 여러분"

    /// A room with the prompt in it and that sentence half typed.
    private func typing(
      in world: World, columns: Int, rows: Int = 14, style: String = "bubble"
    ) async throws -> Terminal {
      let terminal = try Terminal(world, "--style \(style)", columns: columns, rows: rows)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: before + after)
      try await terminal.expect { $0.joined().hasSuffix("여러분▮") }
      for _ in after { terminal.type("C-b") }
      try await terminal.expect { $0.joined().contains("▮세") }
      return terminal
    }

    /// What stands from the prompt on. Above it may be what the terminal made
    /// of it when the window got narrower.
    private func line(_ screen: [String]) -> [String] {
      Array(screen[(screen.lastIndex { $0.hasPrefix("lobby> ") } ?? 0)...])
    }

    /// Whether the line and the cursor are right; blanks at the ends of rows
    /// cannot be seen.
    private func isWhole(_ screen: [String]) -> Bool {
      let drawn = line(screen).joined().filter { $0 != " " }
      return drawn == "lobby> \(before)▮\(after)".filter { $0 != " " }
    }

    /// Enters the line with a mark at the cursor, and looks what was sent.
    private func finish(_ terminal: Terminal, _ world: World) async throws {
      terminal.type("◆", "Enter")
      #expect(
        await eventually { world.contents().last == before + "◆" + after },
        "sent: \(world.contents().last ?? "nothing")")
    }

    @Test(arguments: [20, 40, 80, 200], ["bubble", "plain"])
    func `thirty arrivals leave text and cursor where they are`(columns: Int, style: String)
      async throws
    {
      let world = World()
      let terminal = try await typing(in: world, columns: columns, style: style)
      // Where no cursor goes up, the row around it is all that is drawn anew.
      let drawn = { style == "plain" ? $0.filter { $0.contains("▮") } : line($0) }
      let typed = drawn(terminal.screen)
      for number in 101...130 { world.say("no.\(number)") }
      try await terminal.expect { $0.contains { $0.contains("no.130") } && drawn($0) == typed }
      let all = terminal.scrollback.joined(separator: "\n")
      for number in 101...130 {
        #expect(all.ranges(of: "no.\(number)").count == 1, "no.\(number)")
      }
      if style == "bubble" { #expect(all.ranges(of: "긴급").count == 1) }
      try await finish(terminal, world)
    }

    @Test func `arrivals leave a search through the history alone`() async throws {
      let world = World()
      mkdir(world.folder.path + "/state/banter", 0o700)
      world.folder.write("state/banter/history", "first entry\n")
      let terminal = try Terminal(world, columns: 60, rows: 12)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("kept", "C-r", "st")
      try await terminal.expect(last: "(reverse-i-search)`st': fir▮st entry")
      for number in 101...130 { world.say("no.\(number)") }
      try await terminal.expect {
        $0.contains { $0.contains("no.130") } && $0.last == "(reverse-i-search)`st': fir▮st entry"
      }
      terminal.type("C-g")
      try await terminal.expect(last: "lobby> kept▮")
    }

    @Test(arguments: [false, true])
    func `the window may change its size, in a flood too`(inFlood: Bool) async throws {
      let world = World()
      let terminal = try await typing(in: world, columns: 80)
      for (step, columns) in [30, 120, 80].enumerated() {
        if inFlood { for number in 0..<50 { world.say("no.\(step).\(number).") } }
        terminal.resize(columns, 14)
        try await terminal.expect(isWhole)
      }
      if inFlood {
        try await terminal.expect("no.2.49.")
        let all = terminal.joinedScrollback.joined(separator: "\n")
        for step in 0..<3 {
          for number in 0..<50 {
            #expect(all.ranges(of: "no.\(step).\(number).").count == 1, "no.\(step).\(number).")
          }
        }
      }
      try await finish(terminal, world)
    }

    @Test func `the smallest window does no harm`() async throws {
      let world = World()
      let terminal = try await typing(in: world, columns: 80)
      terminal.resize(1, 3)
      world.say("tiny")
      try await terminal.expect { _ in terminal.ask("#{window_width}") == "1" }
      terminal.resize(80, 14)
      try await terminal.expect(isWhole)
      try await finish(terminal, world)
    }

    @Test func `a window of one column and three rows can be begun in`() async throws {
      let world = World()
      let terminal = try Terminal(world, columns: 1, rows: 3)
      try await terminal.expect { $0.last?.contains("▮") == true }
      terminal.enter("hi")
      #expect(await eventually { world.contents() == ["hi"] })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test func `Ctrl-Z and fg bring all back, and what arrived`() async throws {
      let world = World()
      let terminal = try Terminal(
        world, columns: 60, rows: 14, script: "PS1='sh> ' exec bash --norc --noprofile -i")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter("clear; $banter")
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("half a line", "M-b")
      try await terminal.expect(last: "lobby> half a ▮line")
      terminal.type("C-z")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter("stty -a | grep -o '.icanon'; stty -a | grep -o '.echo '")
      try await terminal.expect { $0.suffix(3) == [" icanon", " echo", "sh> ▮"] }
      world.say("while away")
      terminal.enter("fg")
      try await terminal.expect {
        $0.last == "lobby> half a ▮line" && $0.contains { $0.contains("while away") }
      }
      terminal.type("X", "Enter")
      #expect(await eventually { world.contents().last == "half a Xline" })
    }

    /// Keys that came while nobody looked are still the line's.
    @Test func `no key is lost in a flood of twenty thousand`() async throws {
      let world = World()
      let terminal = try Terminal(world, columns: 60, rows: 12)
      try await terminal.expect(last: "lobby> ▮")
      async let flood = world.run("seq 20000 | $banter send lobby --as Flood")
      let typed = String(repeating: "0123456789", count: 5)
      let clock = ContinuousClock()
      var next = clock.now
      for key in typed {
        terminal.type(text: String(key))
        next += .milliseconds(100)
        try await clock.sleep(until: next)
      }
      #expect(await flood.status == 0)
      try await terminal.expect(within: .seconds(30)) {
        $0.last == "lobby> \(typed)▮" && $0.contains { $0.contains(" 20000 ") }
      }
      terminal.type("Enter")
      #expect(await eventually { world.contents().last == typed })
      #expect(world.contents().dropLast() == (1...20_000).map(String.init)[...])
    }
  }
}
