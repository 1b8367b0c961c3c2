import Glibc
import Testing

/// Whether tests may mount, and become somebody else.
private let canMount =
  getuid() == 0 && Program.runAndWait("unshare -m true", seconds: 10).status == 0

extension Promises {
  /// Rooms at the prompt whose disk is full, or that may not be written or
  /// read. File systems and users of a test's own need root, which CI is.
  @Suite(.enabled(if: canMount, "mounting needs root"))
  struct Disk {

    /// A prompt in a file system that `mounting` makes; what it mounts is gone
    /// with the prompt, and seen by nobody else.
    private func prompt(_ world: World, mounting script: String, _ room: String) throws -> Terminal
    {
      let inner = "\(script) && exec $banter \(room)"
      return try Terminal(
        world, columns: 100, script: "export banter; exec unshare -m sh -c \(quoted(inner))")
    }

    @Test func `what a full disk refuses stays, and is sent once there is room`() async throws {
      let world = World()
      mkdir(world.folder.path + "/small", 0o700)
      let terminal = try prompt(
        world, mounting: "mount -t tmpfs -o size=64k tmpfs small && cd small", "./room.jsonl")
      try await terminal.expect { $0.last?.hasSuffix("> ▮") == true }
      let inside = "/proc/\(terminal.process)/root\(world.folder.path)/small"
      let filled = await world.run("head -c 70000 /dev/zero >\(inside)/fill; echo full")
      #expect(filled.lines == ["full"])
      terminal.enter("stuck")
      try await terminal.expect {
        $0.last?.contains("1 failed") == true && $0.joined().contains("No space left")
      }
      terminal.enter("/retry")
      terminal.type("draft")
      try await terminal.expect {
        $0.last?.contains("1 failed") == true && $0.last?.hasSuffix("draft▮") == true
      }
      #expect(contents(of: inside + "/room.jsonl")?.isEmpty != false)
      _ = await world.run("rm \(inside)/fill")
      terminal.type("C-u")
      terminal.enter("/retry")
      try await terminal.expect { $0.last?.contains("failed") == false }
      terminal.enter("next")
      let sent = { String(decoding: contents(of: inside + "/room.jsonl") ?? [], as: UTF8.self) }
      #expect(await eventually { sent().contains("next") })
      #expect(sent().split(separator: "\n").count == 2)
      #expect(sent().ranges(of: "stuck").count == 1)
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
    }

    @Test func `where all disks are full, an image ends in a line that says so`() async throws {
      let world = World(settings: "{images: {prefetch: 'off'}}")
      world.say("look", images: [World.dot])
      let script = """
        for disk in c r; do
          mkdir $disk && mount -t tmpfs -o size=8k,mode=700 tmpfs $disk || exit
          head -c 9000 /dev/zero >$disk/fill 2>errors
        done
        export XDG_CACHE_HOME=$PWD/c XDG_RUNTIME_DIR=$PWD/r
        """
      let terminal = try Terminal(
        world, columns: 100,
        script: "export banter; exec unshare -m sh -c \(quoted(script + "\nexec $banter lobby"))")
      try await terminal.expect { $0.last == "lobby> ▮" }
      terminal.enter("/images")
      try await terminal.expect("there is no room to keep it: No space left on device")
    }

    @Test func `a room that may only be read is shown, and what is said is given back`()
      async throws
    {
      let world = World()
      world.say("old")
      let terminal = try prompt(
        world, mounting: "mount --bind data data && mount -o remount,ro,bind data", "lobby")
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("old") }
      terminal.enter("my words")
      try await terminal.expect {
        $0.last == "lobby [1 failed]> ▮" && $0.joined().contains("can be read")
      }
      world.say("from outside")
      try await terminal.expect("from outside")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 75)
      #expect(terminal.scrollback.joined().contains("1 message not sent yet"))
      #expect(world.contents() == ["old", "from outside"])
      let again = try Terminal(world)
      try await again.expect("from last time")
      #expect(await eventually { world.contents() == ["old", "from outside", "my words"] })
    }

    @Test(arguments: [("600", "data/banter/rooms/lobby.jsonl"), ("700", "data/banter/rooms")])
    func `a room that may not be read is told at once`(mode: String, path: String) async throws {
      let world = World()
      world.say("secret")
      let terminal = try Terminal(
        world, columns: 120,
        script: """
          chmod 755 . data data/banter data/banter/rooms; chmod 644 data/banter/rooms/lobby.jsonl
          chmod \(mode) \(path); cp $banter copy; chmod 755 copy
          exec setpriv --reuid 65534 --clear-groups ./copy
          """)
      try await terminal.expectEnd(status: 77)
      let shown = terminal.scrollback
      #expect(shown.count { $0.hasPrefix("banter: ") } == 1)
      #expect(shown.joined().contains("Permission denied"))
    }
  }
}
