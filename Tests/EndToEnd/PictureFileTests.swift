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
    terminal.enter("/images 1 copy")
    let copied = await world.run("printf %s \(quoted(stored)) | base64 -w0").text
    #expect(await eventually { text(terminal).contains("\u{1b}]52;c;\(copied)\u{7}") })
    terminal.enter("/images save ~/none")
    try await terminal.expect("/none: not saved: No such file or directory")
    terminal.enter("/quit")
    try await terminal.expectEnd(status: 0)
    #expect(await world.run("timeout 10 sh -c 'echo on >go'").status == 0)
    #expect(await eventually { world.folder.read("shown") == Array("on\n".utf8) })
  }
}
