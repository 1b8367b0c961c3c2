import ChatModel
import Glibc
import TestSupport
import Testing

private let canMount =
  getuid() == 0 && Program.runAndWait("unshare -m true", seconds: 10).status == 0

extension Promises {
  /// A log that cannot be written: chat goes on, its user is told once.
  @Suite struct LogFault {
    private let told = "the session log cannot be written"

    /// Talks in the room, and looks whether all of it arrives and is shown.
    private func talk(_ terminal: Terminal, _ world: World, _ texts: String...) async throws {
      for text in texts { terminal.enter(text) }
      #expect(await eventually { Set(texts).isSubset(of: world.contents()) })
      for text in texts { try await terminal.expect(text) }
    }

    private func toldCount(_ terminal: Terminal) -> Int {
      terminal.joinedScrollback.joined(separator: " ").ranges(of: told).count
    }

    // MARK: - Others who have the log

    @Test func `while another program locks the log one talks; then it catches up`() async throws {
      let world = World()
      #expect(await world.run("$banter send lobby --as Jane first; $banter log check").status == 0)
      let hold = """
        (echo 'BEGIN IMMEDIATE;'; echo '.shell touch held'; while [ ! -e free ]; do
          sleep 0.05; done; echo 'COMMIT;') | sqlite3 state/banter/log.db
        """
      async let holding = world.run(hold)
      #expect(await eventually { world.folder.read("held") != nil })
      let begun = ContinuousClock.now
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("first") }
      #expect(ContinuousClock.now - begun < .seconds(5))
      try await talk(terminal, world, "while locked", "still locked")
      world.folder.write("free", "")
      _ = await holding
      #expect(
        await eventually(within: .seconds(30)) {
          await world.logged() == ["first", "while locked", "still locked"]
        })
      #expect(await world.waiting().isEmpty)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test func `a lock that outlasts the wait for it does not keep the log from beginning`()
      async throws
    {
      let world = World()
      #expect(await world.run("$banter log check").status == 0)
      async let holding = world.run(
        """
        (echo 'BEGIN IMMEDIATE;'; echo '.shell touch held'; while [ ! -e free ]; do
          sleep 0.05; done; echo 'COMMIT;') | sqlite3 state/banter/log.db
        """)
      #expect(await eventually { world.folder.read("held") != nil })
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect(last: "lobby> ▮")
      try await terminal.expect(within: .seconds(30)) { $0.joined().contains(told) }
      try await talk(terminal, world, "while locked")
      world.folder.write("free", "")
      _ = await holding
      #expect(await eventually(within: .seconds(20)) { await world.logged() == ["while locked"] })
    }

    @Test func `a log of a newer Banter is told and left alone`() async throws {
      let world = World()
      #expect(await world.run("$banter log check").status == 0)
      _ = await world.ask("PRAGMA user_version = 99")
      let terminal = try Terminal(world, columns: 120)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("newer Banter") }
      try await talk(terminal, world, "hello", "again")
      #expect(toldCount(terminal) == 1)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      for command in ["log search hello", "log show", "outbox list"] {
        let run = await world.run("$banter \(command)")
        #expect(run.status != 0 && run.errorText.contains("newer Banter"), "\(command)")
      }
      #expect(await world.ask("PRAGMA user_version") == ["99"])
      #expect(await world.run("$banter send lobby piped").status == 0)
    }

    @Test func `a damaged log is set aside by name, and the chat goes on with its outbox`()
      async throws
    {
      let world = World()
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      try await talk(terminal, world, "old words")
      #expect(await eventually { await world.logged() == ["old words"] })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(await world.run(world.refusing("$banter send lobby stuck")).status == 75)
      _ = await world.run("dd if=/dev/zero of=\(world.log) bs=4096 count=1 conv=notrunc")
      let again = try Terminal(world, columns: 200)
      #expect(await eventually { world.contents() == ["old words", "stuck"] })
      try await again.expect("log.db.damaged-1")
      try await again.expect("carried over")
      again.enter("/search old")
      try await again.expect { $0.contains { $0.contains("old words") && $0.contains("lobby") } }
    }

    @Test(arguments: ["log search words", "send lobby new", "outbox list", "log check"])
    func `every command tells under which name it has set a damaged log aside`(
      command: String
    ) async throws {
      let world = World()
      #expect(await world.run(world.refusing("$banter send lobby stuck")).status == 75)
      _ = await world.run("dd if=/dev/zero of=\(world.log) bs=4096 count=1 conv=notrunc")
      let run = await world.run("$banter \(command)")
      #expect(run.status == 0)
      #expect(run.errorText.contains("banter: ") && run.errorText.contains("log.db.damaged-1"))
    }

    // MARK: - Calls that fail

    @Test(
      .enabled(if: geteuid() == 0, "tracing another's child needs root"),
      arguments: ["fdatasync,fsync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC"])
    func `a log that fails for a while is told once, and then catches up`(
      calls: String
    ) async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect(last: "lobby> ▮")
      #expect(await eventually { await world.logged() == ["old"] })
      async let tracing = world.run(
        """
        echo $$ >tracer
        exec strace -f -qq -o /dev/null -P \(world.log)-wal -P \(world.log) --inject=\(calls) \
        -p \(terminal.process)
        """, seconds: 60)
      #expect(await eventually { isTraced(terminal.process) })
      try await talk(terminal, world, "one", "two", "three")
      try await terminal.expect(told)
      try await talk(terminal, world, "four")
      _ = await world.run("kill $(cat tracer)")
      _ = await tracing
      #expect(
        await eventually(within: .seconds(20)) {
          await world.logged() == ["old", "one", "two", "three", "four"]
        })
      #expect(toldCount(terminal) == 1)
      try await talk(terminal, world, "five")
      #expect(await eventually { await world.logged().last == "five" })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    /// Whether every thread of a process is traced, proc_pid_status(5).
    private func isTraced(_ process: pid_t) -> Bool {
      let found = Program.runAndWait("cat /proc/\(process)/task/*/status", seconds: 10)
      let tracers = found.lines.filter { $0.hasPrefix("TracerPid:") }
      return !tracers.isEmpty && tracers.allSatisfy { !$0.hasSuffix("\t0") }
    }

    // MARK: - File systems

    private func prompt(_ world: World, after script: String) throws -> Terminal {
      let inner = "\(script) && exec $banter"
      return try Terminal(
        world, columns: 100, script: "export banter; exec unshare -m sh -c \(quoted(inner))")
    }

    @Test(.enabled(if: canMount, "mounting needs root"))
    func `a full disk is told once; with room again the log has everything`() async throws {
      let world = World()
      let terminal = try prompt(world, after: "mount -t tmpfs -o size=1m tmpfs state")
      try await terminal.expect(last: "lobby> ▮")
      try await talk(terminal, world, "before")
      let state = "/proc/\(terminal.process)/root\(world.folder.path)/state"
      let filled = await world.run("cat /dev/zero >\(state)/fill; echo full")
      #expect(filled.lines == ["full"])
      let large = String(repeating: "much ", count: 800)
      for number in 1...4 { world.say(large + "\(number)", id: "large\(number)") }
      // Above the large ones, perhaps.
      #expect(await eventually { toldCount(terminal) == 1 })
      try await talk(terminal, world, "while full", "still full")
      _ = await world.run("rm \(state)/fill")
      try await terminal.expect("is written again")
      try await talk(terminal, world, "after")
      let inside = "nsenter -t \(terminal.process) -m sqlite3 -cmd '.timeout 5000' \(world.log)"
      let texts = "SELECT content FROM messages WHERE length(content) < 100"
      #expect(
        await eventually(within: .seconds(20)) {
          await world.run("\(inside) \"\(texts)\"").lines
            == ["before", "while full", "still full", "after"]
        })
      #expect(await world.run("\(inside) 'SELECT count(*) FROM message'").lines == ["8"])
      #expect(toldCount(terminal) == 1)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test(.enabled(if: canMount, "mounting needs root"))
    func `on a read-only file system one talks and searches what is there`() async throws {
      let world = World()
      let first = try Terminal(world)
      try await first.expect(last: "lobby> ▮")
      try await talk(first, world, "old words")
      #expect(await eventually { await world.logged() == ["old words"] })
      first.type("C-d")
      try await first.expectEnd(status: 0)
      let files = await world.run("ls state/banter")
      #expect(!files.text.contains("-wal"))
      let readOnly = "mount --bind state state && mount -o remount,ro,bind state"
      let terminal = try prompt(world, after: readOnly)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains(told) }
      try await talk(terminal, world, "new words", "more")
      #expect(toldCount(terminal) == 1)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      for command in ["log search words", "log show", "log export", "log sessions"] {
        let run = await world.run(
          "export banter; unshare -m sh -c '\(readOnly) && exec $banter \(command)'")
        #expect(run.status == 0, "\(command): \(run.errorText)")
        #expect(run.text.contains(command == "log sessions" ? "lobby" : "old words"))
      }
    }

    @Test(.enabled(if: geteuid() == 0, "becoming somebody else needs root"))
    func `a log that belongs to another is told once, and left alone`() async throws {
      let world = World()
      #expect(await world.run("$banter log check").status == 0)
      let before = world.folder.read("state/banter/log.db")
      let terminal = try Terminal(
        world, columns: 100,
        script: """
          chmod -R a+rwX . && chmod 600 state/banter/* && chmod 755 state/banter
          cp $banter copy && chmod 755 copy
          exec setpriv --reuid 65534 --clear-groups ./copy
          """)
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains(told) }
      try await talk(terminal, world, "hello", "again")
      #expect(toldCount(terminal) == 1)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(world.folder.read("state/banter/log.db") == before)
    }
  }
}
