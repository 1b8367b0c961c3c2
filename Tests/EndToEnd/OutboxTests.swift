import ChatModel
import TestSupport
import Testing

extension Promises {
  /// What could not be sent waits, and goes out once.
  @Suite struct Outbox {
    @Test(arguments: ["send", "prompt", "flush", "pipe"])
    func `what send could not send goes out once, in order, as it was first`(
      by means: String
    ) async throws {
      let world = World()
      world.say("before")
      for text in ["one", "two"] {
        let sent = await world.run(world.refusing("$banter send lobby '\(text)'"))
        #expect(sent.status == 75, "\(sent.errorText)")
        #expect(sent.errorText.contains("waiting in the outbox"))
      }
      let piped = await world.run("printf '3\\n4\\n' | " + world.refusing("$banter send lobby"))
      #expect(piped.status == 75)
      #expect(world.contents() == ["before"])
      #expect(await world.waiting() == ["one", "two", "3", "4"])
      let first = await world.ask(
        "SELECT event_id || ' ' || json_extract(event, '$.createdAt') FROM outbox ORDER BY id")
      let listed = await world.run("$banter outbox list")
      #expect(listed.lines.count == 4 && listed.text.contains("two"))

      switch means {
      case "send": #expect(await world.run("$banter send lobby last").status == 0)
      case "pipe": #expect(await world.run("echo last | $banter send lobby").status == 0)
      case "flush":
        #expect(await world.run("$banter outbox flush && $banter send lobby last").status == 0)
      default:
        let terminal = try Terminal(world)
        try await terminal.expect("4 messages from last time")
        terminal.enter("last")
        try await terminal.expect(last: "lobby> ▮")
        terminal.type("C-d")
        try await terminal.expectEnd(status: 0)
      }
      #expect(world.contents() == ["before", "one", "two", "3", "4", "last"])
      let sent = world.messages().dropFirst().dropLast()
      #expect(sent.map { "\($0.id) \($0.createdAt?.rfc3339 ?? "")" } == first)
      #expect(await world.run("$banter outbox list").text.isEmpty)
      #expect(await world.run("$banter outbox flush").status == 0)
      #expect(world.contents().count == 6)
    }

    @Test func `however many send at once, what waits is sent once`() async throws {
      let world = World()
      for round in 0..<3 {
        let count = 40
        let kept = await world.run(
          "seq -f '\(round)-%g' \(count) | " + world.refusing("$banter send lobby"))
        #expect(kept.status == 75)
        let run = await world.run(
          """
          for n in 1 2 3; do
            $banter outbox flush & $banter send lobby "\(round) new $n" &
          done; wait; $banter outbox flush; echo $?
          """)
        #expect(run.lines.last == "0", "\(run.errorText)")
        let contents = world.contents()
        #expect(
          contents.filter { $0.hasPrefix("\(round)-") } == (1...count).map { "\(round)-\($0)" })
        #expect(contents.count { $0.hasPrefix("\(round) new") } == 3)
      }
    }

    @Test func `two prompts that begin at once send what waits once`() async throws {
      let world = World()
      let kept = await world.run("seq 30 | " + world.refusing("$banter send lobby"))
      #expect(kept.status == 75)
      let terminals = [try Terminal(world, "--as 민수"), try Terminal(world, "--as Jane")]
      #expect(await eventually { world.contents().count >= 30 })
      for terminal in terminals {
        try await terminal.expect(last: "lobby> ▮")
        terminal.type("C-d")
        try await terminal.expectEnd(status: 0)
      }
      #expect(world.contents() == (1...30).map(String.init))
      #expect(await world.waiting().isEmpty)
    }

    @Test func `a flush tells why something still waits`() async throws {
      let world = World()
      #expect(await world.run(world.refusing("$banter send lobby one")).status == 75)
      let flush = await world.run(world.refusing("$banter outbox flush"))
      #expect(flush.status == 75)
      #expect(flush.errorText.hasPrefix("banter: ") && flush.errorText.contains("lobby.jsonl"))
      #expect(await world.waiting() == ["one"])
    }

    @Test func `rooms of one name are told apart`() async throws {
      let world = World()
      let rooms = ["tcp://127.0.0.1:9/team", "tls://127.0.0.1:9/team"]
      for room in rooms { #expect(await world.run("$banter send \(room) hello").status == 75) }
      let listed = await world.run("$banter outbox list").lines
      #expect(listed.count == 2)
      for (line, room) in zip(listed, rooms) { #expect(line.contains("  \(room)  ")) }
    }

    @Test func `where nothing was ever kept, nothing waits`() async throws {
      let world = World()
      let run = await world.run(
        "$banter outbox list; echo $?; $banter outbox flush; echo $?; $banter outbox discard; "
          + "echo $?; $banter outbox discard 1; echo $?")
      #expect(run.lines == ["0", "0", "0 given up", "0", "64"])
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }

    @Test func `what is given up is not sent`() async throws {
      let world = World()
      for text in ["one", "two", "three"] {
        _ = await world.run(world.refusing("$banter send lobby \(text)"))
      }
      let ids = await world.ask("SELECT id FROM outbox ORDER BY id")
      #expect(await world.run("$banter outbox discard 99").status == 64)
      #expect(await world.run("$banter outbox discard \(ids[1])").status == 0)
      #expect(await world.run("$banter outbox flush").status == 0)
      #expect(world.contents() == ["one", "three"])
    }

    @Test func `a flush that fails tells why`() async throws {
      let world = World()
      _ = await world.run(world.refusing("$banter send lobby stuck"))
      let flushed = await world.run(world.refusing("$banter outbox flush"))
      #expect(flushed.status == 75 && flushed.text.isEmpty)
      #expect(flushed.errorText.contains("lobby.jsonl"), "\(flushed.errorText)")
      #expect(flushed.errorText.contains("1 message not sent yet"))
    }

    @Test func `what is kept is on disk before send says so`() async throws {
      let world = World()
      world.say("before")
      let sent = await world.run(
        """
        $banter log check >/dev/null
        flock \(world.path()) -c 'touch held; while [ ! -e free ]; do sleep 0.05; done' &
        while [ ! -e held ]; do sleep 0.05; done
        strace -f -y -e trace=pwrite64,fdatasync,fsync,exit_group -o trace $banter send lobby kept
        echo $?; touch free; wait
        """)
      #expect(sent.lines.last == "75")
      let calls = String(decoding: world.folder.read("trace") ?? [], as: UTF8.self)
        .split(separator: "\n").map(String.init)
      let written = try #require(
        calls.lastIndex { $0.contains("pwrite64(") && $0.contains("log.db-wal>") })
      let synced = try #require(
        calls.lastIndex { $0.contains("sync(") && $0.contains("log.db-wal>") })
      let ended = try #require(calls.firstIndex { $0.contains("exit_group(75)") })
      #expect(written < synced && synced < ended, "\(calls.joined(separator: "\n"))")
      #expect(await world.waiting() == ["kept"])
    }

    @Test func `what a killed process had claimed is sent by the next`() async throws {
      let world = World()
      #expect(await world.run(world.refusing("$banter send lobby one")).status == 75)
      _ = await world.ask("UPDATE outbox SET owner = (1 << 40) + 77")
      #expect(await world.run("$banter outbox flush").status == 0)
      #expect(world.contents() == ["one"])
    }
  }
}
