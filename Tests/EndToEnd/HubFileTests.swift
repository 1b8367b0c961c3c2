import ChatModel
import Glibc
import Testing

extension Promises {
  /// Files in a room of a hub, with two who are at prompts of their own.
  @Suite struct HubFiles {
    private let hub = World()
    private let socket: String
    private let server: Terminal

    init() async throws {
      socket = "\(hub.folder.path)/hub.socket"
      server = try Terminal(hub, "serve --open --listen unix://\(socket)")
      try await server.expect("serving")
    }

    private func prompt(_ world: World, _ name: String) async throws -> Terminal {
      let terminal = try Terminal(
        world, "--as \(name) --profile-id \(name) --style compact 'unix://\(socket)?room=lobby'",
        columns: 100, rows: 40)
      try await terminal.expect(last: "lobby> ▮")
      return terminal
    }

    @Test func `one attaches a picture, and the other sees it`() async throws {
      let (own, other) = (World(), World())
      let made = await own.run(
        """
        printf 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC' |
          base64 -d >'my photo.png'; sha256sum 'my photo.png' | cut -c1-64
        """)
      let digest = try #require(made.lines.first)
      let minsu = try await prompt(own, "minsu")
      let jane = try await prompt(other, "jane")
      minsu.enter("/attach 'my photo.png' -- a caption")
      try await jane.expect("a caption")
      let stored = "data/banter/rooms/lobby.files/\(digest).png"
      #expect(hub.folder.read(stored) == own.folder.read("my photo.png"))
      #expect(hub.messages().last?.images == ["\(digest).png"])
      jane.enter("/images")
      try await jane.expect("image 1 of 1: my photo.png, 1×1, image/png, 69 B")
      #expect(
        await eventually {
          await other.run("find cache -type f -printf '%m %f\\n'").lines == ["600 \(digest)"]
        })
      guard access("/usr/bin/chafa", X_OK) == 0 else { return }
      try await jane.expect { _ in
        String(decoding: jane.bytes, as: UTF8.self).contains("38;5;196")
      }
    }

    @Test func `a file that is attached while nobody is reached is seen to wait`() async throws {
      let world = World()
      _ = await world.run("echo words >notes.txt")
      let minsu = try await prompt(world, "minsu")
      kill(server.process, SIGKILL)
      try await minsu.expect(last: "lobby [offline]> ▮")
      minsu.enter("/attach notes.txt")
      try await minsu.expect("notes.txt waits until the room can be reached")
      try await minsu.expect(last: "lobby [1 file waiting, offline]> ▮")
      minsu.enter("/status")
      try await minsu.expect("1 file on the way")
      minsu.enter("/discard")
      try await minsu.expect("not sent: notes.txt")
      try await minsu.expect("1 given up")
      try await minsu.expect(last: "lobby [offline]> ▮")
      minsu.enter("/attach notes.txt")
      try await minsu.expect(last: "lobby [1 file waiting, offline]> ▮")
      let again = try Terminal(hub, "serve --open --listen unix://\(socket)")
      try await again.expect("serving")
      try await minsu.expect(last: "lobby> ▮", within: .seconds(30))
      #expect(await eventually { hub.messages().last?.files.map(\.name) == ["notes.txt"] })
    }

    @Test func `what cannot be sent comes back for editing, and chat goes on`() async throws {
      let world = World()
      let minsu = try await prompt(world, "minsu")
      _ = await world.run("truncate -s 65M large.bin; mkdir folder")
      for (name, reason) in [
        ("large.bin", "64.0 MB, which is the most"), ("folder", "only files can be attached"),
        ("nothing", "check the name"),
      ] {
        minsu.enter("/attach \(name)")
        try await minsu.expect { $0.joined().contains(reason) && $0.last?.contains(name) == true }
        minsu.type("C-u")
      }
      minsu.enter("still here")
      #expect(await eventually { hub.contents() == ["still here"] })
    }
  }
}
