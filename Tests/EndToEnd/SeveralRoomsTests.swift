import TestSupport
import Testing

extension Promises {
  /// Several rooms in one terminal.
  @Suite struct SeveralRooms {
    private static let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private let world = World(["BANTER_PLUGIN_PATH": "/\(Self.root)/plugins/example"])

    /// The lobby and the team, the latter being current.
    private func rooms(_ style: String = "compact", columns: Int = 80) async throws -> Terminal {
      let terminal = try Terminal(
        world, "--as Kim --style \(style)", columns: columns, rows: 40)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("/join team")
      try await terminal.expect(last: "team> ▮")
      return terminal
    }

    @Test func `what is typed stays with its room, and goes where it was typed`() async throws {
      let terminal = try await rooms()
      terminal.type(text: "for the team")
      try await terminal.expect(last: "team> for the team▮")
      world.say("news")
      try await terminal.expect { rows in
        rows.contains { $0.contains("[lobby] Jane: news") }
          && rows.last == "team [lobby +1]> for the team▮"
      }
      terminal.type("M-a")
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("for the lobby")
      try await terminal.expect("[lobby] Kim: for the lobby")
      terminal.enter("/join team")
      try await terminal.expect(last: "team> for the team▮")
      terminal.type("Enter")
      try await terminal.expect("[team] Kim: for the team")
      #expect(world.contents() == ["news", "for the lobby"])
      #expect(world.contents(of: "team") == ["for the team"])
    }

    @Test func `a draft of each room outlives the program`() async throws {
      let terminal = try await rooms()
      terminal.type(text: "of the team")
      world.say("news")
      try await terminal.expect(last: "team [lobby +1]> of the team▮")
      terminal.type("M-a")
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: "of the lobby")
      try await terminal.expect(last: "lobby> of the lobby▮")
      _ = await world.run("kill \(terminal.process)")
      try await terminal.expectEnd(status: 143)
      let again = try Terminal(world, "--as Kim --style compact", columns: 80, rows: 40)
      try await again.expect(last: "lobby> of the lobby▮")
      again.type("C-u")
      again.enter("/join team")
      try await again.expect(last: "team> of the team▮")
    }

    @Test(arguments: [
      ("bubble", 80, "╭─ 1 · Jane · lobby ─╮"), ("bubble", 20, "╭ 1 · Jane · lob… ╮"),
      ("compact", 80, "[lobby] Jane: hello"), ("compact", 20, "1 [lobby] Jane:"),
      ("plain", 80, "hello (Jane, lobby, 08:16"),
    ])
    func `a message names its room at any width`(
      style: String, columns: Int, part: String
    ) async throws {
      let terminal = try await rooms(style, columns: columns)
      world.say("hello")
      try await terminal.expect(part)
      terminal.enter("/leave lobby")
      try await terminal.expect(last: "team> ▮")
      _ = await world.run("$banter send team --as Bob alone")
      try await terminal.expect("alone")
      #expect(!terminal.screen.suffix(4).joined().contains("· team"))
      #expect(!terminal.screen.suffix(4).joined().contains("[team]"))
    }

    @Test func `a plugin's rooms are open beside files, with its own commands`() async throws {
      let terminal = try await rooms()
      let folder = world.folder.path
      terminal.enter("/join board://\(folder)/one")
      try await terminal.expect(last: "one> ▮")
      terminal.enter("pinned")
      try await terminal.expect(": pinned")
      terminal.type(text: "/sho")
      terminal.type("Tab")
      try await terminal.expect { $0.last?.hasSuffix("> /shout ▮") == true }
      terminal.type(text: "lunch")
      terminal.type("Enter")
      try await terminal.expect(": LUNCH")
      terminal.enter("/help shout")
      try await terminal.expect("/shout text: pin a notice in capitals")
      terminal.enter("/join board://\(folder)/two")
      try await terminal.expect(last: "two> ▮")
      terminal.enter("/rooms")
      try await terminal.expect("* two")
      try await terminal.expect("+ lobby, open")
      // Both are talked in over one process.
      let count = await world.run("pgrep -c -P \(terminal.process) -f banter-board")
      #expect(count.lines == ["1"])
      terminal.enter("/leave")
      try await terminal.expect("left two")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }
  }
}
