import Glibc
import Testing

extension Promises {
  /// Rooms by plugins: the notice board that is the example, and one that
  /// misbehaves.
  @Suite struct Plugins {
    static let sources = #filePath.split(separator: "/").dropLast(3)
      .reduce("") { "\($0)/\($1)" }

    /// A world with the plugins.
    func world(misbehaving name: String = "good") -> World {
      let world = World()
      let plugins = "\(world.folder.path)/data/banter/plugins"
      mkdir(plugins, 0o700)
      symlink("\(Self.sources)/plugins/example/banter-board", "\(plugins)/banter-board")
      symlink("\(Self.sources)/Tests/FakePlugin/fake-plugin.py", "\(plugins)/banter-fake")
      world.folder.write("name", name)
      return world
    }

    private func prompt(_ world: World, _ name: String, at board: String) async throws -> Terminal {
      let terminal = try Terminal(
        world, "--as \(name) --profile-id \(name) --style compact 'board://\(board)'")
      try await terminal.expect { $0.last?.hasSuffix("> ▮") == true }
      return terminal
    }

    @Test func `two talk by the plugin that is the example, and the past is there again`()
      async throws
    {
      let world = world()
      let board = "\(world.folder.path)/lunch"
      let minsu = try await prompt(world, "minsu", at: board)
      let jane = try await prompt(world, "jane", at: board)
      minsu.enter("점심 먹을 사람?")
      try await jane.expect("minsu: 점심 먹을 사람?")
      jane.type("half a sen")
      minsu.enter("I am going")
      try await jane.expect("minsu: I am going")
      try await jane.expect { $0.last?.hasSuffix("> half a sen▮") == true }
      let sent = await world.run(
        "$banter send 'board://\(board)' from a script; $banter tail 'board://\(board)'"
      )
      #expect(sent.status == 0 && sent.text.contains("from a script"), "\(sent)")
      try await jane.expect("from a script")
      let third = try await prompt(world, "third", at: board)
      try await third.expect("minsu: 점심 먹을 사람?")
    }

    @Test func `nothing is left of a plugin when Banter is killed`() async throws {
      for name in ["good", "stubborn", "parent"] {
        let world = world(misbehaving: name)
        let terminal = try Terminal(world, "'fake://host/team'")
        try await terminal.expect(last: "team> ▮")
        let processes = { () -> [pid_t] in
          ["pids", "grandchild"].flatMap { file in
            String(decoding: world.folder.read(file) ?? [], as: UTF8.self).split(separator: "\n")
              .compactMap { pid_t($0) }
          }
        }
        #expect(await eventually { processes().count == (name == "parent" ? 2 : 1) })
        kill(terminal.process, SIGKILL)
        #expect(await eventually { processes().allSatisfy { kill($0, 0) != 0 } }, "\(name)")
      }
    }

    @Test func `one that crashes is started anew, and what was said is there once`() async throws {
      let world = world()
      let terminal = try Terminal(world, "--style compact 'fake://host/team'")
      try await terminal.expect(last: "team> ▮")
      terminal.enter("crash")
      terminal.type("half a sentence")
      try await terminal.expect("the plugin ended with status 9")
      try await terminal.expect("connected again")
      try await terminal.expect(last: "team> half a sentence▮")
    }

    @Test func `what a room cannot do is refused before it is sent`() async throws {
      let world = world()
      let terminal = try Terminal(
        world, "--as me --profile-id me --style compact 'fake://host/team'")
      try await terminal.expect(last: "team> ▮")
      terminal.enter("hello")
      try await terminal.expect("me: hello")
      for (line, what) in [
        ("/edit 1 other", "edits"), ("/delete 1", "deletions"), ("/react 1 👍", "reactions"),
        ("/reply 1 yes", "replies"),
      ] {
        terminal.enter(line)
        try await terminal.expect("team knows no \(what)")
        try await terminal.expect(last: "team> \(line)▮")
        terminal.type("\u{15}")
      }
      #expect(await world.run("$banter outbox list").text.isEmpty)
    }

    @Test func `plugins are listed, and held to the protocol`() async throws {
      let world = world(misbehaving: "version")
      let list = await world.run("$banter plugins")
      #expect(list.status == 0 && list.lines.count >= 2, "\(list)")
      #expect(list.text.contains("banter-board 1  history,dedupe"))
      let good = await world.run(
        "$banter plugins check board \"board://$HOME/check\"", seconds: 60)
      #expect(good.status == 0 && good.lines.count >= 19, "\(good)")
      #expect(good.lines.allSatisfy { $0.hasPrefix("ok ") })
      let bad = await world.run("$banter plugins check fake")
      #expect(bad.status == 76, "\(bad)")
      #expect(
        bad.text.contains("BROKEN  answers hello with welcome of version 1: it says version 2"))
    }

    @Test func `the check finds one that tells nothing of what was said`() async throws {
      let checked = await world().run("$banter plugins check fake fake://host/team", seconds: 90)
      #expect(checked.status == 76, "\(checked)")
      for promise in [
        "tells one's own message under the id that it was sent with",
        "tells one who comes back with a cursor the last messages too",
      ] {
        #expect(checked.text.contains("BROKEN  \(promise)"), "\(checked)")
      }
    }

    @Test func `a password that is kept is good for a plugin that is started anew, too`()
      async throws
    {
      let world = world(misbehaving: "asks")
      world.folder.write("config/banter/passwords", "here me sesame\n", mode: 0o600)
      let terminal = try Terminal(world, "--style compact 'fake://me@here/team'")
      try await terminal.expect("about team")
      let id = String(decoding: world.folder.read("pids") ?? [], as: UTF8.self)
      kill(try #require(pid_t(id.split(separator: "\n").first ?? "")), SIGKILL)
      try await terminal.expect("connected again")
      #expect(!terminal.screen.contains { $0.contains("password") })
    }

    @Test func `what is missing or may not be run is told with what to do`() async throws {
      let world = world()
      let none = await world.run("$banter send none://host/x hello")
      #expect(none.status == 69 && none.errorText.contains("there is no plugin banter-none"))
      world.folder.write("data/banter/plugins/banter-stiff", "#!/bin/sh\n", mode: 0o644)
      let stiff = await world.run("$banter send --no-queue stiff://host/x hello")
      #expect(stiff.status == 69 && stiff.errorText.contains("chmod +x"), "\(stiff)")
      #expect(await world.run("$banter plugins").text.contains("may not be run"))
    }

    @Test func `of two of one name the first is used, and the list says so`() async throws {
      let world = world()
      mkdir("\(world.folder.path)/more", 0o700)
      world.folder.write(
        "more/banter-board", "#!/bin/sh\necho no plugin >&2; exit 1\n", mode: 0o755)
      let list = await world.run("BANTER_PLUGIN_PATH=\"$HOME/more\" $banter plugins")
      let boards = list.lines.filter { $0.hasPrefix("board://") }
      #expect(boards.count == 2, "\(list)")
      #expect(boards.first?.contains("more/banter-board  does not answer") == true)
      #expect(boards.last?.contains("not used: the one above is") == true)
    }
  }
}
