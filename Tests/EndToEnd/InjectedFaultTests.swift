import Glibc
import Testing

extension Promises {
  /// Failures of the system that no file can bring about: strace(1) makes
  /// calls fail.
  @Suite struct InjectedFault {
    /// A command whose calls fail as strace's `inject` says.
    private func failing(_ calls: String, _ command: String) -> String {
      "strace -f -qq -o /dev/null --inject=\(calls) \(command)"
    }

    @Test(arguments: [
      ("fdatasync:error=EIO", 74, "Input/output error"), ("fsync:error=EIO", 74, "error"),
      ("fdatasync:error=ENOSPC", 74, "No space"), ("ftruncate,fdatasync:error=EIO", 74, "error"),
    ])
    func `what cannot be synced is not acknowledged, and sent again is there once`(
      calls: String, status: Int32, says: String
    ) async throws {
      let world = World()
      let sent = await world.run(failing(calls, "$banter send fresh --no-queue 'my words'"))
      #expect(sent.status == status)
      #expect(sent.errorText.hasPrefix("banter: ") && sent.errorText.contains(says))
      #expect(sent.errorText.contains("not sent from here on: my words"))
      guard !calls.hasPrefix("ftruncate") else { return }
      #expect(world.contents(of: "fresh").isEmpty)
      #expect(await world.run("$banter send fresh 'my words'").status == 0)
      #expect(world.contents(of: "fresh") == ["my words"])
    }

    @Test func `of lines that are piped in none after the failed one is sent`() async throws {
      let world = World()
      world.folder.write("input", "one\ntwo\nthree\n")
      let sent = await world.run(
        failing("fdatasync:error=EIO", "$banter send lobby --no-queue <input"))
      #expect(sent.status == 74)
      #expect(sent.errorText.contains("from here on: one"))
      #expect(world.contents().isEmpty)
    }

    @Test func `of lines that come at once none after one that is too long is sent`() async throws {
      let world = World()
      let long = String(repeating: "긴 ", count: 150_000)
      world.folder.write("input", "one\n\(long)\nthree\n")
      let sent = await world.run("$banter send lobby <input")
      #expect(sent.status == 65)
      #expect(sent.errorText.contains("from here on: 긴"))
      #expect(world.contents() == ["one"])
    }

    @Test(arguments: ["write:error=EINTR:when=3+3", "fdatasync:error=EINTR:when=1+2"])
    func `an interrupted call is made again`(calls: String) async throws {
      let world = World()
      let sent = await world.run(failing(calls, "$banter send lobby hello"))
      #expect(sent.status == 0)
      #expect(world.contents() == ["hello"])
    }

    @Test func `without inotify it looks once a second`() async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(
        world, columns: 60,
        script: "exec \(failing("inotify_init1:error=EMFILE", "$banter --style compact"))")
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("old") }
      world.say("noticed")
      try await terminal.expect("noticed")
      _ = await world.run("rm \(world.path())")
      world.say("of the new file")
      try await terminal.expect("of the new file")
      terminal.enter("answer")
      #expect(await eventually { world.contents().last == "answer" })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test(.enabled(if: geteuid() == 0, "tracing another's child needs root"))
    func `a message that could not be synced at the prompt is sent once by retry`() async throws {
      let world = World()
      world.say("old")
      let terminal = try Terminal(world, columns: 100)
      try await terminal.expect(last: "lobby> ▮")
      async let tracing = world.run(
        "echo $$ >tracer; exec \(failing("fdatasync:error=EIO", "-p \(terminal.process)"))",
        seconds: 30)
      #expect(await eventually { isTraced(terminal.process) })
      terminal.enter("my words")
      try await terminal.expect {
        $0.last == "lobby [1 failed]> ▮" && $0.joined().contains("Input/output")
      }
      #expect(world.contents() == ["old"])
      _ = await world.run("kill $(cat tracer)")
      _ = await tracing
      terminal.enter("/retry")
      try await terminal.expect(last: "lobby> ▮")
      #expect(world.contents() == ["old", "my words"])
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    /// Whether every thread of a process is traced, proc_pid_status(5).
    private func isTraced(_ process: pid_t) -> Bool {
      let found = Program.runAndWait("cat /proc/\(process)/task/*/status", seconds: 10)
      let tracers = found.lines.filter { $0.hasPrefix("TracerPid:") }
      return !tracers.isEmpty && tracers.allSatisfy { !$0.hasSuffix("\t0") }
    }
  }
}
