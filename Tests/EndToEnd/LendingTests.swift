import Glibc
import Testing

extension Promises {
  /// The terminal is given back as it was: to the editor, to the shell.
  @Suite struct Lending {
    /// A room at the prompt, with an editor that is a script.
    private func room(_ world: World, editor script: String?) async throws -> Terminal {
      if let script {
        world.folder.write("editor", "#!/bin/sh\n\(script)\n")
        chmod(world.folder.path + "/editor", 0o700)
      }
      let editor = script == nil ? "EDITOR= PATH=/nowhere" : "EDITOR=$HOME/editor"
      let terminal = try Terminal(
        world, columns: 60, rows: 12, script: "\(editor) exec $banter")
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    @Test
    func `the line goes through the editor`() async throws {
      let world = World()
      let terminal = try await room(world, editor: "sed -i 's/teh/the/' \"$1\"; echo 둘째 >>\"$1\"")
      terminal.type("teh line", "M-e")
      try await terminal.expect { $0.suffix(2) == ["lobby> the line", "둘째▮"] }
      terminal.type("Enter")
      #expect(await eventually { world.contents() == ["the line\n둘째"] })
    }

    @Test(arguments: ["sed -i s/hello/goodbye/ \"$1\"", "exit 3", nil])
    func `keys typed right behind its key are for the line that comes back`(
      editor: String?
    ) async throws {
      let world = World()
      let terminal = try await room(world, editor: editor)
      terminal.type(text: "hello\u{1B}e, you")
      let line = editor?.hasPrefix("sed") == true ? "goodbye, you" : "hello, you"
      try await terminal.expect(last: "lobby> \(line)▮")
      terminal.type("Enter")
      #expect(await eventually { world.contents() == [line] })
    }

    @Test func `an editor that fails leaves the line, and is told`() async throws {
      let world = World()
      let terminal = try await room(world, editor: "echo other >\"$1\"; exit 3")
      terminal.type("my line", "M-e")
      try await terminal.expect {
        $0.last == "lobby> my line▮" && $0.joined().contains("ended with status 3")
      }
    }

    @Test func `without any editor the line stays, and what to do is told`() async throws {
      let terminal = try await room(World(), editor: nil)
      terminal.type("my line", "M-e")
      try await terminal.expect {
        $0.last == "lobby> my line▮" && $0.joined().contains("set EDITOR")
      }
    }

    @Test func `messages wait while the editor has the terminal, and the window may change`()
      async throws
    {
      let world = World()
      let terminal = try await room(
        world, editor: "echo EDITING; read line <$HOME/go")
      #expect(mkfifo(world.folder.path + "/go", 0o600) == 0)
      terminal.type("mine", "M-e")
      try await terminal.expect("EDITING")
      world.say("patience")
      terminal.resize(40, 12)
      try await terminal.expect { _ in terminal.ask("#{window_width}") == "40" }
      #expect(!terminal.screen.joined().contains("patience"))
      world.folder.write("go", "on\n")
      try await terminal.expect {
        $0.last == "lobby> mine▮" && $0.contains { $0.contains("patience") }
      }
    }

    /// A shell that compares the terminal before with the terminal after.
    private func shell(_ world: World, _ command: String) async throws -> Terminal {
      let terminal = try Terminal(
        world, columns: 60, rows: 12, script: "PS1='sh> ' exec bash --norc --noprofile -i")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter(
        "clear; stty -a >before; \(command); echo STATUS $?; stty -a | cmp - before && echo SAME")
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    /// The process of the program under test below a shell.
    private func program(below terminal: Terminal) async -> String {
      let found = await Program.run("pgrep -P \(terminal.process) -x banter")
      return found.lines.first ?? "0"
    }

    @Test(arguments: [("TERM", 143), ("HUP", 129), ("KILL", 137)])
    func `a signal ends it and leaves the terminal sane`(signal: String, status: Int) async throws {
      let world = World()
      let terminal = try await shell(world, "$banter")
      terminal.type("typed")
      try await terminal.expect(last: "lobby> typed▮")
      _ = await Program.run("kill -\(signal) \(await program(below: terminal))")
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS \(status)") } && screen.contains("SAME")
          && screen.last == "sh> ▮"
      }
    }

    @Test(arguments: ["C-d", "/quit"])
    func `leaving gives the terminal back`(ending: String) async throws {
      let terminal = try await shell(World(), "$banter")
      if ending == "C-d" { terminal.type(ending) } else { terminal.enter(ending) }
      try await terminal.expect {
        $0.contains("STATUS 0") && $0.contains("SAME") && $0.last == "sh> ▮"
      }
    }

    @Test func `it is gone with its terminal`() async throws {
      let terminal = try Terminal(World())
      try await terminal.expect(last: "lobby> ▮")
      let process = terminal.process
      #expect(kill(process, 0) == 0)
      terminal.end()
      #expect(await eventually { kill(process, 0) != 0 && errno == ESRCH })
    }
  }
}
