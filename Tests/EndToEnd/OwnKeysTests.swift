import Testing

extension Promises {
  /// What the user's own inputrc makes of Banter's keys, and the words that
  /// the prompt itself has.
  @Suite struct OwnKeys {
    @Test func `keys that inputrc takes are told at the start`() async throws {
      let world = World(["INPUTRC": ""])
      world.folder.write(".inputrc", #""\ee": "mine""# + "\n" + #""\eh": "hers""# + "\n")
      let terminal = try Terminal(world)
      try await terminal.expect { screen in
        screen.last == "lobby> ▮"
          && screen.contains { $0.contains("M-e, M-h") && $0.contains("inputrc") }
      }
      terminal.type("M-e")
      try await terminal.expect(last: "lobby> mine▮")
    }

    @Test func `nothing is said where inputrc takes none`() async throws {
      let terminal = try Terminal(World())
      try await terminal.expect(last: "lobby> ▮")
      #expect(!terminal.screen.joined().contains("inputrc"))
    }

    @Test func `in Korean the prompt's own words are Korean`() async throws {
      let terminal = try Terminal(World(["LANG": "ko_KR.UTF-8"]), columns: 40, rows: 8)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: "/")
      terminal.type("Tab", "Tab")
      try await terminal.expect { $0.contains { $0.hasPrefix("… 외 ") && $0.hasSuffix("개") } }
      terminal.type(text: "\u{1B}[200~kept")
      try await terminal.expect(last: "(붙여넣는 중: Ctrl-C로 끝냄) /▮")
    }
  }
}
