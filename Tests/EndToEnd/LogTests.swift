import ChatModel
import Glibc
import TestSupport
import Testing

extension Promises {
  /// What the session log keeps when programs end as they should not.
  @Suite struct Log {
    @Test func `a half line comes back after kill -9`() async throws {
      let world = World()
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: "half a 줄")
      #expect(await eventually { await world.ask("SELECT draft FROM room") == ["half a 줄"] })
      kill(terminal.process, SIGKILL)
      try await terminal.expectEnd(status: 137)
      let again = try Terminal(world)
      try await again.expect(last: "lobby> half a 줄▮")
      // Nobody else gets it meanwhile.
      let other = try Terminal(world)
      try await other.expect(last: "lobby> ▮")
      again.type("Enter", "C-d")
      try await again.expectEnd(status: 0)
      #expect(world.contents() == ["half a 줄"])
      #expect(await world.ask("SELECT draft FROM room") == [])
    }

    @Test func `a line that was sent does not come back after kill -9`() async throws {
      let world = World()
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.type(text: "said")
      #expect(await eventually { await world.ask("SELECT draft FROM room") == ["said"] })
      terminal.type("Enter")
      #expect(await eventually { world.contents() == ["said"] })
      #expect(await eventually { await world.ask("SELECT draft FROM room") == [] })
      kill(terminal.process, SIGKILL)
      try await terminal.expectEnd(status: 137)
    }

    @Test func `events of all rooms name theirs`() async throws {
      let world = World()
      world.say("needle", to: "team")
      #expect(await world.run(world.refusing("$banter send lobby stuck")).status == 75)
      let found = await world.run("$banter log index team && $banter log search --json needle")
      #expect(found.text.contains(#""content":"needle","room":"team"}"#))
      let waiting = await world.run("$banter outbox list --json")
      let place = #""content":"stuck","room":"lobby","address":"file://\#(world.path())"}"#
      #expect(waiting.text.contains(place), "\(waiting.text)")
    }

    @Test func `what was shown in one session is found in the next, and by sqlite3`() async throws {
      let world = World()
      world.say("오늘점심뭐")
      let terminal = try Terminal(world)
      try await terminal.expect("오늘점심뭐")
      world.append(
        #"{"type":"edit","eventID":"e","messageID":"오늘점심뭐","profileID":"Jane","content":"저녁은?"}"#
          + "\n")
      terminal.enter("don't know")
      #expect(await eventually { await world.logged() == ["저녁은?", "don't know"] })
      terminal.enter("/search 녁은")
      try await terminal.expect { $0.contains { $0.contains("저녁은?") && $0.contains("Jane") } }
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(await world.run("$banter log search 점심").text.isEmpty)
      #expect(await world.run("$banter log search \"don't\"").text.contains("don't know"))
      let sessions = await world.run("$banter log sessions")
      #expect(sessions.lines.count == 1 && sessions.text.contains("lobby"))
      #expect(await world.ask("SELECT count(*) FROM sessions WHERE ended IS NOT NULL") == ["1"])
    }

    @Test func `an export into a file that cannot be made says so with its status`() async throws {
      let world = World()
      world.say("old words")
      #expect(await world.run("$banter log index lobby; $banter log export -o talk.md").status == 0)
      for path in ["talk.md", "missing/talk.md"] {
        let run = await world.run("$banter log export -o \(path)")
        #expect(run.status == 73)
        #expect(run.errorText.hasPrefix("banter: \(path): "), "\(run.errorText)")
      }
      let full = await world.run(
        "strace -f -qq -o /dev/null -P \(world.folder.path)/half.md --inject=write:error=ENOSPC "
          + "$banter log export -o half.md")
      #expect(full.status == 74 && full.errorText.contains("No space"))
      #expect(world.folder.read("half.md") == nil)
    }

    @Test func `a page has the images of each room, and tells of those that it has not`()
      async throws
    {
      let world = World()
      // Two rooms of one name, with files of one name.
      let made = await world.run(
        """
        for room in a b; do
          mkdir -p $room/lobby.files
          { printf '\\211PNG\\r\\n\\032\\n'; echo $room; } >$room/lobby.files/pic.png
          base64 -w0 $room/lobby.files/pic.png; echo
          for name in pic none; do
            echo '{"messageID":"'$room$name'","profileID":"jane","content":"from '$room'",' \
              '"images":["'$name'.png"],"createdAt":"2025-11-30T08:16:00Z"}' >>$room/lobby.jsonl
          done
          $banter log index ./$room/lobby.jsonl >&2
        done
        $banter log export -o all.html
        """)
      #expect(made.lines.count == 2, "\(made)")
      let page = String(decoding: world.folder.read("all.html") ?? [], as: UTF8.self)
      for (room, image) in zip(["a", "b"], made.lines) {
        let bubble = page.split(separator: "<article").first {
          $0.contains("from \(room)<") && $0.contains("<img")
        }
        #expect(bubble?.contains("src=\"data:image/png;base64,\(image)\"") == true, "\(page)")
      }
      #expect(page.contains("<bdi>none.png</bdi> <small>left out: not on this machine</small>"))
      #expect(
        made.errorText.contains("2 images left out, such as none.png (not on this machine)"),
        "\(made)")
    }

    @Test func `taking in a room tells how far it is, without escapes`() async throws {
      let world = World(["TERM": "dumb"])
      world.say("old words")
      let terminal = try Terminal(world, "log index lobby")
      try await terminal.expectEnd(status: 0)
      let shown = String(decoding: terminal.bytes, as: UTF8.self)
      #expect(shown.contains("100%") && !shown.contains("\u{1B}"))
      #expect(await world.logged() == ["old words"])
    }

    @Test func `without a pager that runs a session is shown all the same`() async throws {
      let world = World(["PAGER": "no-such-pager"])
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("my words")
      #expect(await eventually { await world.logged() == ["my words"] })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      let shown = try Terminal(world, "log show")
      try await shown.expect("my words")
      try await shown.expectEnd(status: 0)
    }

    @Test func `what comes to nothing says so`() async throws {
      let world = World()
      world.say("오늘점심뭐", id: "1")
      let indexed = await world.run("$banter log index lobby")
      #expect(indexed.status == 0 && indexed.text.contains("1 message of lobby"))
      let exported = await world.run("$banter log export --room loby -o loby.html")
      #expect(exported.status == 66 && exported.errorText.contains("nothing of loby"))
      #expect(world.folder.read("loby.html") == nil)
      for status in [0, 73] {
        #expect(await world.run("$banter log export -o all.html").status == status)
      }
      let found = await world.run("$banter log search 점심 after:today")
      #expect(found.status == 0 && found.text.isEmpty)
      #expect(found.errorText.contains("after:today"))
      #expect(await world.run("$banter log check lobby").text.contains("1 event,"))
    }

    @Test func `what is written into the log by hand acts on no terminal`() async throws {
      let world = World(["PAGER": "cat"], settings: "{ bell: \"off\" }")
      let terminal = try Terminal(world)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("needle")
      #expect(await eventually { await world.logged() == ["needle"] })
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      _ = await world.run(world.refusing("$banter send lobby stuck"))
      // Every text that people choose, as it comes out of no program of ours.
      let text = "CAST(x'\(Hostile.all.utf8.map(hex).joined())' AS TEXT)"
      _ = await world.ask(
        """
        UPDATE message SET content = 'needle ' || \(text), name = \(text),
          message_id = \(text), state = 1;
        UPDATE profile SET name = \(text), profile_id = \(text), image = \(text);
        UPDATE room SET name = \(text), draft = \(text);
        UPDATE session SET profile_name = \(text), profile_id = \(text), transport = \(text);
        UPDATE outbox SET failure = \(text), event = json_set(event, '$.content', \(text),
          '$.profileName', \(text));
        INSERT INTO change (room, event_id, message_id, profile_id, kind, content, time)
          VALUES (1, \(text), \(text), \(text), 'reaction', \(text), 1)
        """)
      for command in [
        "log search needle", "log search from:safe", "log search in:safe needle", "log show",
        "log sessions", "log export", "log export --format markdown", "log export --format html",
        "log search needle --style compact", "log search needle --style bubble", "log show --json",
        "log sessions --json", "log search needle --json", "outbox list", "outbox list --json",
        "log export --format jsonl", "log check",
      ] {
        let run = await world.run("$banter \(command)")
        #expect(run.status == 0, "\(command): \(run.errorText)")
        #expect(Hostile.fault(in: run.output, atPrompt: false) == nil, "\(command)")
        #expect(Hostile.fault(in: run.errors, atPrompt: false) == nil, "\(command)")
      }
      let again = try Terminal(world, columns: 100, rows: 50)
      try await again.expect { $0.joined().contains("pwned ring") }
      again.type("C-e", "C-u")
      again.enter("/search needle")
      try await again.expect("reads on around")
      again.enter("/history 1")
      again.enter("/log status")
      try await again.expect("in it; /search")
      #expect(Hostile.fault(in: again.bytes, atPrompt: true) == nil)
      #expect(again.ask("#{pane_title}") != "pwned")
    }

    private func hex(_ byte: UInt8) -> String {
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
