import ChatModel
import Glibc
import Testing

extension Promises {
  /// Images and files that are sent, at the prompt and from the shell, into room
  /// files and through a hub.
  @Suite struct Attachments {
    /// Makes `photo.jpg`, which tells where it was taken and how it was held, and
    /// other files.
    private static let make = """
      base64 -d >plain.jpg <<'END'
      /9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////
      ////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/a
      AAgBAQABPxA=
      END
      printf '\\377\\331' >>plain.jpg
      base64 -d >exif <<'END'
      /+EAS0V4aWYAAE1NACoAAAAIAAIBEgADAAAAAQAGAACIJQAEAAAAAQAAACYAAAAAAAEAAgACAAAA
      CwAAADgAAAAAU0VDUkVUUExBQ0U=
      END
      { head -c 20 plain.jpg; cat exif; tail -c +21 plain.jpg; } >photo.jpg
      printf 'II*\\0\\10\\0\\0\\0' >scan.tif
      echo text >notes.txt; mkdir folder; truncate -s 65M large.bin
      sha256sum photo.jpg | cut -c1-64
      """

    private func world(settings: String? = nil) async throws -> (World, digest: String) {
      let world = World(settings: settings)
      let made = await world.run(Self.make)
      return (world, try #require(made.lines.last, "\(made.errorText)"))
    }

    private func expectWithoutPlace(_ message: Message?, in rooms: World) async throws {
      let path = try #require(message?.images.first)
      let told = await rooms.run(
        "cd data/banter/rooms/lobby.files; grep -ac SECRETPLACE \(path); "
          + #"LC_ALL=C grep -acP '\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06' \#(path)"#)
      #expect(told.lines == ["0", "1"])
      let stored = await rooms.run(
        "sha256sum data/banter/rooms/lobby.files/\(path) | cut -c1-64; "
          + "find . -path './cache/banter/outgoing/*'")
      #expect(stored.lines == [String(path.prefix(64))])
      #expect(message?.files.first?.sha256 == String(path.prefix(64)))
      #expect(message?.files.first?.name == "photo.jpg")
    }

    // MARK: - From the shell

    @Test func `send brings a photo without its place, with a caption`() async throws {
      let (world, digest) = try await world()
      let sent = await world.run(
        "$banter send lobby --attach photo.jpg --attach notes.txt two words; "
          + "$banter send lobby --attach notes.txt </dev/null; sha256sum photo.jpg | cut -c1-64")
      #expect(sent.lines == [digest])
      #expect(
        sent.errorText
          == "banter: photo.jpg: what is told besides the picture, such as the place, is left out\n"
      )
      try await expectWithoutPlace(world.messages().first, in: world)
      #expect(world.messages().first?.content == "two words")
      #expect(world.messages().first?.files.map(\.name) == ["photo.jpg", "notes.txt"])
      #expect(world.messages().last?.content == nil)
      #expect(world.messages().last?.files.map(\.name) == ["notes.txt"])
    }

    @Test func `the setting keeps the place`() async throws {
      let (world, digest) = try await world(settings: "{ images: { keepPlace: true } }")
      #expect(await world.run("$banter send lobby --attach photo.jpg").status == 0)
      #expect(world.messages().first?.images == ["\(digest).jpg"])
    }

    @Test func `what may tell a place and cannot be cleaned is not sent`() async throws {
      let (world, _) = try await world()
      let refused = await world.run("$banter send lobby --attach photo.jpg --attach scan.tif")
      #expect(refused.status == 65 && refused.errorText.contains("scan.tif: it may tell where"))
      #expect(refused.errorText.contains("convert it"))
      #expect(refused.errorText.contains("images.keepPlace"))
      #expect(world.messages().isEmpty && !refused.errorText.dropLast().contains("\n"))
      world.folder.write("config/banter/config.json", "{ images: { keepPlace: true } }")
      #expect(await world.run("$banter send lobby --attach scan.tif").status == 0)
      #expect(world.messages().count == 1)
    }

    @Test func `a photo is sent where the cache cannot be written`() async throws {
      let (world, _) = try await world()
      let sent = await world.run("rm -rf cache; : >cache; $banter send lobby --attach photo.jpg")
      #expect(sent.status == 0, "\(sent.errorText)")
      try await expectWithoutPlace(world.messages().first, in: world)
      let unsent = await world.run("TMPDIR=$PWD/none $banter send lobby --attach photo.jpg")
      #expect(unsent.status == 73 && unsent.errorText.contains("TMPDIR names another folder"))
      #expect(world.messages().count == 1)
    }

    @Test func `what is left out is told in the user's language`() async throws {
      let (world, _) = try await world()
      let sent = await world.run("LC_ALL=ko_KR.UTF-8 $banter send lobby --attach photo.jpg")
      #expect(sent.errorText.contains("그림 밖의 정보는 빼고 보냅니다"))
      let quiet = await world.run("$banter send lobby --attach plain.jpg")
      #expect(quiet.errorText.isEmpty && quiet.status == 0)
    }

    @Test(arguments: [
      ("--attach none.png", 66, "none.png"), ("--attach folder", 65, "only files can be attached"),
      ("--attach large.bin", 65, "64.0 MB, which is the most"), ("--attach", 64, "wants a value"),
      ("--attach notes.txt --attach none.png hi", 66, "none.png"),
    ])
    func `what cannot be sent is told by the exit status, and nothing is sent`(
      _ arguments: String, _ status: Int32, _ reason: String
    ) async throws {
      let (world, _) = try await world()
      let sent = await world.run("$banter send lobby \(arguments)")
      #expect(sent.status == status && sent.errorText.contains(reason))
      #expect(world.messages().isEmpty)
      #expect(await world.run("ls -A data/banter/rooms; $banter outbox list").text.isEmpty)
    }

    @Test func `a full disk sends nothing and keeps nothing for later`() async throws {
      let (world, _) = try await world()
      let sent = await world.run(
        "head -c 3000000 /dev/zero >big.bin; ulimit -f 1000; "
          + "$banter send lobby --attach notes.txt --attach big.bin hi")
      #expect(sent.status == 74 && sent.errorText.contains("do not wait in the outbox"))
      #expect(world.messages().isEmpty)
      #expect(await world.run("$banter outbox list").text.isEmpty)
    }

    @Test func `a hub gets a photo without its place, and says what is too large`() async throws {
      let rooms = World()
      let socket = "\(rooms.folder.path)/hub.socket"
      let hub = try await HubProgram(rooms, "--open --max-file 1 --listen unix://\(socket)")
      let (world, _) = try await world()
      let room = "'unix://\(socket)?room=lobby'"
      let sent = await world.run("$banter send \(room) --attach photo.jpg a caption")
      #expect(sent.status == 0, "\(sent.errorText)")
      try await expectWithoutPlace(rooms.messages().first, in: rooms)
      let large = await world.run(
        "truncate -s 2M two.bin; $banter send \(room) --no-queue --attach notes.txt --attach two.bin"
      )
      #expect(large.status == 65 && large.errorText.contains("1.0 MB, which is the most"))
      #expect(await rooms.run("ls data/banter/rooms/lobby.files").lines.count == 1)
      try await hub.kill(SIGTERM)
      let gone = await world.run("$banter send \(room) --attach notes.txt")
      #expect(gone.status == 69 && gone.errorText.contains("do not wait in the outbox"))
      #expect(rooms.messages().count == 1)
    }

    // MARK: - At the prompt

    private func prompt(_ world: World, _ arguments: String = "") async throws -> Terminal {
      let terminal = try Terminal(
        world, "--style compact \(arguments)", columns: 200, rows: 30)
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    @Test func `attach brings a photo without its place into a room file and a hub`() async throws {
      let (world, _) = try await world()
      let terminal = try await prompt(world)
      terminal.enter("/attach photo.jpg notes.txt -- here")
      try await terminal.expect("photo.jpg: what is told besides the picture")
      #expect(await eventually { world.contents() == ["here"] })
      try await expectWithoutPlace(world.messages().first, in: world)

      let rooms = World()
      let socket = "\(rooms.folder.path)/hub.socket"
      let hub = try await HubProgram(rooms, "--open --listen unix://\(socket)")
      let far = try await prompt(world, "'unix://\(socket)?room=lobby'")
      far.enter("/attach photo.jpg -- there")
      #expect(await eventually { rooms.contents() == ["there"] })
      try await expectWithoutPlace(rooms.messages().first, in: rooms)
      withExtendedLifetime(hub) {}
    }

    @Test func `one file that cannot be sent keeps all back, and the line returns`() async throws {
      let (world, _) = try await world()
      let terminal = try await prompt(world)
      for name in ["none.png", "folder", "large.bin"] {
        terminal.enter("/attach notes.txt \(name) -- hi")
        try await terminal.expect(last: "lobby> /attach notes.txt \(name) -- hi▮")
        terminal.type("C-u")
      }
      #expect(await world.run("ls data/banter/rooms").text.isEmpty)
    }

    @Test func `a large file does not hold up the prompt`() async throws {
      let (world, _) = try await world()
      _ = await world.run("head -c 60000000 /dev/urandom >big.bin")
      let terminal = try await prompt(world)
      terminal.enter("/attach big.bin -- big")
      terminal.type("typed meanwhile")
      try await terminal.expect { $0.last?.hasSuffix("> typed meanwhile▮") == true }
      #expect(await eventually(within: .seconds(30)) { world.contents() == ["big"] })
      try await terminal.expect(last: "lobby> typed meanwhile▮")
      #expect(String(decoding: terminal.bytes, as: UTF8.self).contains("sending big.bin"))
    }

    @Test func `who leaves twice gives a file up that is on its way, and is told so`() async throws
    {
      let (world, _) = try await world()
      _ = await world.run("head -c 60000000 /dev/urandom >big.bin")
      let terminal = try await prompt(world)
      terminal.type(
        "/attach notes.txt big.bin -- a caption", "Enter", "/quit", "Enter", "/quit", "Enter")
      try await terminal.expectEnd(status: 130)
      #expect(
        terminal.joinedScrollback.contains {
          $0.contains("not sent: notes.txt, big.bin: a caption")
        })
      #expect(world.messages().isEmpty)
      // What was whole by then stays: another message may have it already.
      let left = await world.run(
        "cd data/banter/rooms/lobby.files && for f in $(ls -A); do sha256sum $f; done")
      for line in left.lines {
        let words = line.split(separator: " ")
        #expect(words.count == 2 && words[1].hasPrefix(words[0]), "\(left)")
      }
      #expect(await world.run("$banter outbox list").text.isEmpty)
    }

    @Test func `leaving one of several rooms gives up what is on its way into it`() async throws {
      let (world, _) = try await world()
      _ = await world.run("head -c 60000000 /dev/urandom >big.bin")
      let terminal = try await prompt(world)
      terminal.enter("/join other")
      try await terminal.expect(last: "other> ▮")
      terminal.type("/attach big.bin -- a caption", "Enter", "/leave", "Enter", "/leave", "Enter")
      try await terminal.expect("not sent: big.bin: a caption")
      try await terminal.expect(last: "lobby> ▮")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect(world.messages(of: "other").isEmpty)
      let left = await world.run("ls -A data/banter/rooms/other.files | grep incoming")
      #expect(left.text.isEmpty)
    }

    @Test func `what has no size before it is read is not sent`() async throws {
      let world = World()
      let sent = await world.run("$banter send lobby --attach /proc/cpuinfo")
      #expect(sent.status == 65 && sent.errorText.contains("copy it, and send the copy"))
      let terminal = try await prompt(world)
      terminal.enter("/attach /proc/cpuinfo")
      try await terminal.expect("/proc/cpuinfo: the system makes it up while it is read")
      #expect(world.messages().isEmpty)
    }

    // MARK: - Dropped on the terminal

    @Test(arguments: [
      "'%/my photo.png' '%/사진.png' ", #""%/my photo.png" "%/사진.png""#,
      #"%/my\ photo.png %/사진.png "#, "file://%/my%20photo.png\nfile://%/사진.png\n",
    ])
    func `dropped files come into an empty line as a command`(_ pasted: String) async throws {
      let world = World()
      let path = world.folder.path
      for name in ["my photo.png", "사진.png"] { world.folder.write(name, name) }
      let terminal = try await prompt(world)
      let text = pasted.replacing("%/", with: path + "/")
      terminal.paste(text)
      try await terminal.expect(last: #"lobby> /attach \#(path)/my\ photo.png \#(path)/사진.png ▮"#)
      // One undo brings back what was pasted.
      terminal.type("C-_")
      let lines = text.split(separator: "\n").map(String.init)
      try await terminal.expect {
        !$0.joined().contains("> /attach") && $0.joined().contains(lines[0].trimmed)
      }
      terminal.type("C-u", "C-k")
      try await terminal.expect { $0.last?.hasPrefix("lobby> ") == true }
    }

    @Test func `what was dropped is sent by Enter, with the caption that is added`() async throws {
      let world = World()
      world.folder.write("my photo.txt", "contents")
      let terminal = try await prompt(world)
      terminal.paste("'\(world.folder.path)/my photo.txt' ")
      try await terminal.expect("Enter sends 1 file")
      #expect(world.messages().isEmpty)
      terminal.enter("-- look")
      #expect(await eventually { world.contents() == ["look"] })
      #expect(world.messages().first?.files.map(\.name) == ["my photo.txt"])
    }

    @Test func `a pasted path is text within text, and where nothing is there`() async throws {
      let world = World()
      world.folder.write("a.txt", "")
      let path = world.folder.path
      let terminal = try await prompt(world)
      terminal.type(text: "see ")
      terminal.paste("\(path)/a.txt ")
      try await terminal.expect(last: "lobby> see \(path)/a.txt ▮")
      for text in ["\(path)/none.txt", "\(path)", "\(path)/a.txt it is", "a.txt"] {
        terminal.type("C-u")
        try await terminal.expect(last: "lobby> ▮")
        terminal.paste(text)
        try await terminal.expect(last: "lobby> \(text)▮")
      }
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }
}
