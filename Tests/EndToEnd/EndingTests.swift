import Glibc
import Testing

extension Promises {
  /// SIGTERM, SIGHUP and SIGQUIT end it whatever is going on.
  @Suite struct Ending {
    /// A shell that tells the status and compares the terminal's settings.
    private func shell(_ world: World, _ command: String) async throws -> Terminal {
      let terminal = try Terminal(
        world, columns: 60, rows: 12, script: "PS1='sh> ' exec bash --norc --noprofile -i")
      try await terminal.expect(last: "sh> ▮")
      terminal.enter(
        "clear; stty -a >before; \(command); echo STATUS $?; stty -a | cmp - before && echo SAME")
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    private func program(below terminal: Terminal) async -> pid_t {
      let found = await Program.run("pgrep -P \(terminal.process) -x banter")
      return found.lines.first.flatMap { pid_t($0) } ?? -1
    }

    private func isGone(_ process: pid_t) async -> Bool {
      await eventually { kill(process, 0) != 0 && errno == ESRCH }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)])
    func `a terminal that takes nothing does not hold it`(signal: Int32, status: Int) async throws {
      let world = World()
      let terminal = try await shell(world, "ulimit -c 0; $banter")
      terminal.type("typed")
      try await terminal.expect(last: "lobby> typed▮")
      let process = await program(below: terminal)
      let device = open(terminal.ask("#{pane_tty}"), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      defer { close(device) }
      #expect(tcflow(device, TCOOFF) == 0)
      world.say("waits")
      #expect(await eventually { waitsToWrite(process) })
      #expect(kill(process, signal) == 0)
      let hasEnded = await isGone(process)
      #expect(tcflow(device, TCOON) == 0)
      #expect(hasEnded)
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS \(status)") } && screen.contains("SAME")
      }
    }

    /// Whether a thread waits in poll(2) for its output to be taken, or in
    /// write(2) (proc_pid_syscall(5)).
    private func waitsToWrite(_ process: pid_t) -> Bool {
      let threads = Program.runAndWait("cat /proc/\(process)/task/*/syscall").lines
      return threads.contains { line in
        let words = line.split(separator: " ")
        guard words.count > 3 else { return false }
        let isPoll = words[0] == "7" && words[2] == "0x1" && words[3] == "0x64"
        return isPoll || words[0] == "1"
      }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129)])
    func `a reader of the output that has stalled does not hold it`(
      signal: Int32, status: Int
    ) async throws {
      let world = World()
      let words = String(repeating: "x", count: 40)
      for number in 1...3_000 { world.say("message \(number) \(words)") }
      let terminal = try Terminal(
        world, columns: 60, rows: 12,
        script: "mkfifo out; sleep 60 <out & exec $banter --tail 3000 >out")
      let process = terminal.process
      #expect(await eventually { waitsToWrite(process) })
      #expect(kill(process, signal) == 0)
      try await terminal.expectEnd(status: status)
    }

    @Test func `a terminal that goes without a signal ends it, whatever was not sent`()
      async throws
    {
      let world = World()
      let terminal = try Terminal(
        world, columns: 100, rows: 12,
        script: "ulimit -f 0; exec setsid -w $banter --no-log")
      try await terminal.expect(last: "lobby> ▮")
      let process = await program(below: terminal)
      terminal.enter("stuck")
      try await terminal.expect { $0.last?.contains("1 failed") == true }
      terminal.end()
      #expect(await isGone(process))
      kill(process, SIGKILL)
    }

    @Test(arguments: ["", "trap '' TERM;"])
    func `the editor ends with it, and leaves nothing`(trap: String) async throws {
      let world = World()
      world.folder.write(
        "editor", "#!/bin/sh\n\(trap) echo $$ >process; echo EDITING; sleep 60 & wait; wait\n")
      chmod(world.folder.path + "/editor", 0o700)
      mkdir(world.folder.path + "/drafts", 0o700)
      let terminal = try await shell(
        world, "TMPDIR=$HOME/drafts EDITOR=$HOME/editor $banter")
      terminal.type("typed", "M-e")
      try await terminal.expect("EDITING")
      let editor = pid_t(
        String(decoding: world.folder.read("process") ?? [], as: UTF8.self).dropLast())
      #expect(kill(await program(below: terminal), SIGTERM) == 0)
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS 143") } && screen.contains("SAME")
      }
      #expect(await isGone(try #require(editor)))
      #expect(await world.run("ls drafts").output.isEmpty)
    }

    @Test func `the pager ends with it, too, even one that does not read`() async throws {
      let world = World()
      let words = String(repeating: "x", count: 40)
      for number in 1...3_000 { world.say("message \(number) \(words)") }
      world.folder.write("pager", "#!/bin/sh\necho $$ >process; echo PAGING; exec sleep 60\n")
      chmod(world.folder.path + "/pager", 0o700)
      let terminal = try await shell(world, "PAGER=$HOME/pager $banter")
      terminal.enter("/history")
      try await terminal.expect("PAGING")
      let pager = pid_t(
        String(decoding: world.folder.read("process") ?? [], as: UTF8.self).dropLast())
      #expect(kill(await program(below: terminal), SIGHUP) == 0)
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS 129") } && screen.contains("SAME")
      }
      #expect(await isGone(try #require(pager)))
    }

    /// The id that a script has written into a file.
    private func id(_ name: String, in world: World) async throws -> pid_t {
      var id: pid_t?
      _ = await eventually {
        id = pid_t(String(decoding: world.folder.read(name) ?? [], as: UTF8.self).dropLast())
        return id != nil
      }
      return try #require(id)
    }

    @Test(arguments: ["sleep 60", "less", "sh -c 'trap \"\" TERM; sleep 60; sleep 60'"])
    func `a pager behind a pipe ends with it`(pager: String) async throws {
      let world = World()
      let words = String(repeating: "x", count: 40)
      for number in 1...3_000 { world.say("message \(number) \(words)") }
      world.folder.write("pager", "#!/bin/sh\necho $$ >process; exec \(pager)\n")
      chmod(world.folder.path + "/pager", 0o700)
      let terminal = try await shell(world, "PAGER=\"cat | $HOME/pager\" $banter")
      terminal.enter("/history")
      let process = try await id("process", in: world)
      if pager == "less" { try await terminal.expect(last: ":▮") }
      #expect(kill(await program(below: terminal), SIGTERM) == 0)
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS 143") } && screen.contains("SAME")
      }
      #expect(await isGone(process))
      kill(process, SIGKILL)
    }

    @Test func `what an editor that is a script has started ends, too`() async throws {
      let world = World()
      world.folder.write(
        "editor", "#!/bin/sh\nsh -c 'echo $$ >process; exec sleep 60'\necho after\n")
      chmod(world.folder.path + "/editor", 0o700)
      let terminal = try await shell(world, "EDITOR=$HOME/editor $banter")
      terminal.type("typed", "M-e")
      let process = try await id("process", in: world)
      #expect(kill(await program(below: terminal), SIGTERM) == 0)
      try await terminal.expect { screen in
        screen.contains { $0.hasSuffix("STATUS 143") } && screen.contains("SAME")
      }
      #expect(await isGone(process))
      kill(process, SIGKILL)
    }
  }
}
