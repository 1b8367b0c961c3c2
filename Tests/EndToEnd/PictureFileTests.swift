import Glibc
import Testing

/// Images outside of the terminal.
extension Promises.Pictures {
  @Test func `an image is opened, saved and copied`() async throws {
    let world = try await world(settings: "{images: {viewer: ['./viewer', 'a b']}}")
    // What shows it goes on when its starter has ended, and when Banter has.
    world.folder.write(
      "viewer", "#!/bin/sh\necho \"$@\" >opened; sh -c 'read -r x <go; echo \"$x\" >shown' &\n",
      mode: 0o700)
    try #require(mkfifo("\(world.folder.path)/go", 0o600) == 0)
    let terminal = try await room(world)
    terminal.enter("/images 1 1 open")
    let stored = "\(world.folder.path)/data/banter/rooms/lobby.files/cat.png"
    #expect(
      await eventually { world.folder.read("opened") == Array("a b \(stored)\n".utf8) })
    for name in ["cat.png", "cat-1.png"] {
      terminal.enter("/images save ~/")
      try await terminal.expect("\(name)")
      #expect(await eventually { contents(of: "\(world.folder.path)/\(name)") != nil })
    }
    #expect(world.folder.read("cat.png") == contents(of: stored))
    terminal.enter("/quit")
    try await terminal.expectEnd(status: 0)
    #expect(await world.run("timeout 10 sh -c 'echo on >go'").status == 0)
    #expect(await eventually { world.folder.read("shown") == Array("on\n".utf8) })
  }

  @Test func `an address is copied, or shown where tmux lets no program copy`() async throws {
    let world = try await world()
    let stored = "\(world.folder.path)/data/banter/rooms/lobby.files/cat.png"
    let sequence = "\u{1b}]52;c;\(await world.run("printf %s \(quoted(stored)) | base64 -w0").text)"
    let terminal = try await room(world, columns: 200)
    for policy in ["external", "off"] {
      _ = terminal.run("set -s set-clipboard \(policy)")
      terminal.enter("/images 1 copy")
      try await terminal.expect("not copied: tmux's set-clipboard is \(policy)")
      #expect(terminal.screen.contains { $0.hasSuffix(stored) })
      terminal.type("C-l")
      try await terminal.expect { $0 == ["lobby> ▮"] }
    }
    #expect(!text(terminal).contains(sequence))
    _ = terminal.run("set -s set-clipboard on")
    terminal.enter("/images 1 copy")
    try await terminal.expect("copied: \(stored)")
    #expect(text(terminal).contains(sequence))
    #expect(await eventually { terminal.run("show-buffer") == stored })
  }

  @Test func `the path of a room's file is from the root, and quoted for a shell`() async throws {
    let world = try await world()
    let made = await world.run(
      """
      mkdir 'the room' && cp data/banter/rooms/lobby.files/cat.png . && mkdir 'the room/a.files'
      mv cat.png 'the room/a.files/my;cat.png'; echo tiff >'the room/a.files/scan.tif'
      echo '{"messageID":"1","profileID":"jane","content":"look","images":["my;cat.png","scan.tif"],' \
        '"createdAt":"2025-11-30T08:16:00Z"}' >'the room/a.jsonl'
      """)
    #expect(made.status == 0)
    let terminal = try Terminal(world, "'./the room/a.jsonl'", columns: 200)
    try await terminal.expect("look")
    terminal.enter("/images 1 1 copy")
    try await terminal.expect("'\(world.folder.path)/the room/a.files/my;cat.png'")
    // What a message has in the room can be kept, whatever it is.
    terminal.enter("/save 1 ~/")
    try await terminal.expect("saved as \(world.folder.path)/scan.tif")
    #expect(world.folder.read("scan.tif") == Array("tiff\n".utf8))
  }

  @Test(arguments: ["''", "'  '", "\"\""])
  func `what is no folder is not written to`(word: String) async throws {
    let terminal = try await room(try await world())
    for (command, advice) in [
      ("/images 1 save", "name a folder: /images save ~/Downloads"),
      ("/save", "name a message and a folder: /save 12 ~/Downloads"),
    ] {
      terminal.enter("\(command) \(word)")
      try await terminal.expect(advice)
      try await terminal.expect(last: "lobby> \(command) \(word)▮")
      terminal.type("C-u")
    }
  }

  @Test func `a folder that is missing is told of, and how it is made`() async throws {
    let world = try await world()
    world.folder.write("notes.txt", "text")
    #expect(await world.run("$banter send lobby --attach notes.txt").status == 0)
    let terminal = try await room(world, columns: 200)
    for command in ["/images 1 save", "/save 2"] {
      terminal.enter("\(command) '~/not there'")
      try await terminal.expect(
        "there is no folder \(world.folder.path)/not there; make it first: mkdir -p")
      terminal.type("C-u")
      terminal.enter("\(command) ~/notes.txt")
      try await terminal.expect("\(world.folder.path)/notes.txt is no folder")
      terminal.type("C-u")
      _ = terminal.run("clear-history")
      terminal.type("C-l")
      try await terminal.expect { $0 == ["lobby> ▮"] }
    }
  }

  @Test func `a viewer that is missing is told of once`() async throws {
    let world = try await world(settings: "{images: {prefetch: 'off', viewer: ['none-such']}}")
    world.say("two", images: ["cat.png", "cat.png"])
    let terminal = try await room(world)
    terminal.enter("/images 2 open")
    try await terminal.expect("none-such")
    terminal.enter("hello")
    try await terminal.expect("root: hello")
    #expect(terminal.joinedScrollback.filter { $0.contains("none-such") }.count == 1)
  }
}
