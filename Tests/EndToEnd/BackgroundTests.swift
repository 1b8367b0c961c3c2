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

    @Test func `begun in the background it waits for fg, and touches nothing before`()
      async throws
    {
      let world = World()
      let terminal = try await shell(world)
      terminal.enter("clear; stty -a >before; $banter &")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter("sleep 1; clear; jobs; stty -a | cmp - before && echo SAME")
      try await terminal.expect {
        $0.first?.contains("Stopped") == true && $0.suffix(2) == ["SAME", "sh> ▮"]
      }
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
      terminal.enter("sleep 1; clear; jobs")
      try await terminal.expect {
        $0.first?.contains("Stopped") == true && $0.count == 2 && $0.last == "sh> ▮"
      }
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
      terminal.enter("clear; $banter & sleep 1; jobs")
      try await terminal.expect {
        $0.contains { $0.contains("Stopped") } && $0.last == "sh> ▮"
      }
      terminal.enter("clear; kill %1; sleep 1; jobs")
      try await terminal.expect { $0.first?.contains("Exit 143") == true && $0.count == 2 }
    }
  }
}
