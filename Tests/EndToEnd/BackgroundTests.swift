import Testing

extension Promises {
  /// A job among others of the shell.
  @Suite struct Background {
    private func shell(_ world: World) async throws -> Terminal {
      let terminal = try Terminal(
        world, columns: 60, rows: 16, script: "PS1='sh> ' exec bash --norc --noprofile -i")
      try await terminal.expect(last: "sh> ▮")
      return terminal
    }

    /// Asks the shell for its jobs until one is in that state.
    private func expectJob(
      _ state: String, in terminal: Terminal, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      var number = 0
      let isSo = await eventually(within: .seconds(20)) {
        number += 1
        terminal.enter("clear; jobs; echo ASKED \(number)")
        let row = "ASKED \(number)"
        guard await eventually({ terminal.screen.suffix(2) == [row, "sh> ▮"] }) else {
          return false
        }
        return terminal.screen.contains { $0.contains(state) }
      }
      #expect(isSo, "\(terminal.screen)", sourceLocation: sourceLocation)
    }

    @Test func `begun in the background it waits for fg, and touches nothing before`()
      async throws
    {
      let world = World()
      let terminal = try await shell(world)
      terminal.enter("clear; stty -a >before; $banter &")
      try await terminal.expect(last: "sh> ▮")
      await expectJob("Stopped", in: terminal)
      terminal.enter("stty -a | cmp - before && echo SAME")
      try await terminal.expect { $0.suffix(2) == ["SAME", "sh> ▮"] }
      world.say("meanwhile")
      terminal.enter("clear; fg")
      try await terminal.expect {
        $0.last == "lobby> ▮" && $0.contains { $0.contains("meanwhile") }
      }
      terminal.type("typed")
      try await terminal.expect(last: "lobby> typed▮")
      terminal.type("C-z")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter("bg")
      world.say("later")
      await expectJob("Stopped", in: terminal)
      #expect(!terminal.screen.joined().contains("later"))
      terminal.enter("clear; fg")
      try await terminal.expect {
        $0.last == "lobby> typed▮" && $0.contains { $0.contains("later") }
      }
    }

    @Test func `a request to end is heard in the background, and leaves the terminal alone`()
      async throws
    {
      let world = World()
      let terminal = try await shell(world)
      terminal.enter("clear; $banter &")
      await expectJob("Stopped", in: terminal)
      terminal.enter(
        "clear; id=$(jobs -p); kill %1; "
          + "while [ -e /proc/$id ]; do sleep 0.1; done; jobs")
      try await terminal.expect { $0.first?.contains("Exit 143") == true && $0.count == 2 }
    }
  }
}
