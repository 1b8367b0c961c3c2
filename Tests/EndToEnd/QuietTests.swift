import Testing

extension Promises {
  /// Quiet; and plain where the terminal is.
  @Suite struct Quiet {
    /// The processor time of a process, in ticks (proc(5)).
    private func ticks(of process: Int32) -> Int? {
      let text = contents(of: "/proc/\(process)/stat").map { String(decoding: $0, as: UTF8.self) }
      let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
        return nil
      }
      return user + system
    }

    @Test func `idle writes nothing and takes no time`() async throws {
      let world = World()
      world.say("hello")
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("typed")
      try await terminal.expect(last: "lobby> typed▮")
      // What was typed is kept in the log a moment later.
      var spent: Int?
      repeat {
        spent = ticks(of: terminal.process)
        _ = await Program.run("sleep 1")
      } while spent != ticks(of: terminal.process)
      let before = (terminal.bytes, ticks(of: terminal.process))
      #expect(before.1 != nil)
      // Another program counts the time.
      #expect(await Program.run("sleep 2").status == 0)
      #expect(terminal.bytes == before.0)
      #expect(ticks(of: terminal.process) == before.1)
    }

    @Test func `a key writes its echo and nothing else`() async throws {
      let terminal = try Terminal(World())
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("ab")
      try await terminal.expect { _ in terminal.bytes.suffix(2) == Array("ab".utf8)[...] }
      for key in ["c", "한"] {
        let before = terminal.bytes
        terminal.type(text: key)
        try await terminal.expect { _ in terminal.bytes.count > before.count }
        try await terminal.expect { $0.last?.hasSuffix("\(key)▮") == true }
        #expect(terminal.bytes == before + Array(key.utf8))
      }
      let before = terminal.bytes.count
      terminal.type("Left")
      try await terminal.expect(last: "lobby> abc▮한")
      #expect(terminal.bytes.count - before <= 4)
    }

    @Test(arguments: [
      ["TERM": "dumb"], ["TERM": ""], ["TERM": "nobody-knows"], ["TERM": "unknown"],
    ])
    func `a dumb terminal gets no escape, and all works`(environment: [String: String])
      async throws
    {
      let world = World(environment)
      world.say("old")
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      world.say("arrived, @root")
      try await terminal.expect("arrived")
      terminal.type("hello", "C-a", "C-d", "C-d", "C-e", "!", "Enter")
      try await terminal.expect("llo!")
      #expect(world.contents().last == "llo!")
      terminal.enter("/who")
      try await terminal.expect("messages here")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(!terminal.bytes.contains(0x1B))
    }

    @Test func `plain style writes no escape on any terminal`() async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(world, "--style plain")
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("hello")
      try await terminal.expect("hello (")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(!terminal.bytes.contains(0x1B))
    }

    @Test(arguments: [(["NO_COLOR": "1"], ""), ([:], "--color never")])
    func `no colour is written where none is wanted`(
      environment: [String: String], options: String
    ) async throws {
      let world = World(environment)
      for name in ["Jane", "민수", "Ann"] { world.say("by \(name)", by: name) }
      let terminal = try Terminal(world, options)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("mine, @Jane")
      try await terminal.expect("mine")
      let text = String(decoding: terminal.bytes, as: UTF8.self)
      #expect(!text.contains(/\u{1B}\[[0-9;]*m/))
    }

    @Test func `plain style keeps arrivals until the line is empty, where that is set`()
      async throws
    {
      let world = World(settings: "{ style: \"plain\", hold: true }")
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("typing")
      try await terminal.expect(last: "lobby> typing▮")
      world.say("patient")
      try await terminal.expect {
        $0.last == "lobby> typing▮" || $0.last == "lobby [1 new]> typing▮"
      }
      #expect(!terminal.screen.joined().contains("patient"))
      terminal.type("C-u")
      try await terminal.expect("patient")
    }
  }
}
