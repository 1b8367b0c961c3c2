import ChatModel
import Testing

extension Promises {
  /// Nothing is lost or doubled.
  @Suite struct Delivery {
    @Test func `two prompts in a room hear each other, and the file has all once`() async throws {
      let world = World()
      let minsu = try Terminal(world, "--as 민수", columns: 60)
      let jane = try Terminal(world, "--as Jane", columns: 60)
      try await minsu.expect(last: "lobby> ▮")
      try await jane.expect(last: "lobby> ▮")
      for number in 1...5 {
        minsu.enter("from minsu \(number).")
        jane.enter("from jane \(number).")
      }
      let all = (1...5).flatMap { ["from minsu \($0).", "from jane \($0)."] }
      for terminal in [minsu, jane] {
        try await terminal.expect { _ in
          let text = terminal.scrollback.joined(separator: "\n")
          return all.allSatisfy { text.contains($0) }
        }
        let text = terminal.scrollback.joined(separator: "\n")
        for message in all { #expect(text.ranges(of: message).count == 1, "\(message)") }
      }
      #expect(world.contents().sorted() == all.sorted())
      #expect(Set(world.events().map(\.id)).count == all.count)
    }

    @Test func `an id that comes twice is shown once, also at the next start`() async throws {
      let world = World()
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect(last: "lobby> ▮")
      world.say("twice", id: "a")
      world.say("twice", id: "a")
      world.say("then", id: "b")
      try await terminal.expect("then")
      #expect(terminal.scrollback.count { $0.contains("twice") } == 1)
      let again = try Terminal(world, columns: 60)
      try await again.expect("then")
      #expect(again.scrollback.count { $0.contains("twice") } == 1)
      let tail = await world.run("$banter tail lobby")
      #expect(tail.lines.count { $0.contains("twice") } == 1)
    }

    @Test func `messages typed ahead go out in order`() async throws {
      let world = World()
      let terminal = try Terminal(world, columns: 60)
      try await terminal.expect(last: "lobby> ▮")
      for number in 1...20 { terminal.enter("line \(number)") }
      #expect(await eventually { world.contents() == (1...20).map { "line \($0)" } })
      try await terminal.expect(last: "lobby> ▮")
    }

    @Test func `ten thousand piped lines keep their order`() async throws {
      let world = World()
      let sent = await world.run("seq 10000 | $banter send lobby")
      #expect(sent.status == 0)
      #expect(world.contents() == (1...10_000).map(String.init))
    }

    @Test func `many who send at once leave whole lines`() async throws {
      let world = World()
      let sent = await world.run(
        "for n in 1 2 3 4 5 6; do seq -f \"$n-%g\" 200 | $banter send lobby & done; wait")
      #expect(sent.status == 0)
      let contents = world.contents()
      #expect(contents.count == 1_200)
      for sender in 1...6 {
        let own = contents.filter { $0.hasPrefix("\(sender)-") }
        #expect(own == (1...200).map { "\(sender)-\($0)" })
      }
    }

    @Test func `what is acknowledged is on disk before it is`() async throws {
      let world = World()
      let traced = await world.run(
        "strace -f -e trace=write,fdatasync,fsync,exit_group -o trace $banter send lobby hello")
      #expect(traced.status == 0)
      let trace = String(decoding: world.folder.read("trace") ?? [], as: UTF8.self)
      let calls = trace.split(separator: "\n").map(String.init)
      let written = try #require(
        calls.firstIndex { $0.contains("hello") || $0.contains("message") })
      let synced = try #require(calls.lastIndex { $0.contains("fdatasync(") })
      let ended = try #require(calls.firstIndex { $0.contains("exit_group") })
      #expect(written < synced && synced < ended)
      #expect(calls[synced].hasSuffix("= 0") || calls.contains { $0.contains("fdatasync resumed") })
    }

    @Test func `an unfinished last line is neither lost nor joined to the next message`()
      async throws
    {
      let world = World()
      world.append("{\"messageID\":\"torn")
      #expect(await world.run("$banter send lobby whole").status == 0)
      #expect(world.contents() == ["whole"])
    }
  }
}
