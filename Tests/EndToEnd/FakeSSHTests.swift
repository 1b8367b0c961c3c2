import Glibc
import Testing

extension Promises {
  /// What a way over ssh may have in store, with a script in ssh's place.
  @Suite struct FakeSSH {
    /// A world whose `ssh` is this script; `$last` is the command for the far
    /// side.
    private func world(_ script: String) -> World {
      let world = World(["PATH": "bin:/usr/local/bin:/usr/bin:/bin"])
      let path = world.folder.path
      mkdir("\(path)/bin", 0o700)
      symlink(Program.banter, "\(path)/bin/banter")
      world.folder.write(
        "bin/ssh", "#!/bin/sh\necho $$ >>ids\nfor last; do :; done\n\(script)\n", mode: 0o700)
      return world
    }

    private func send(_ script: String) async -> (World, Outcome) {
      let world = world(script)
      let outcome = await world.run(
        "$banter send --no-queue ssh://host\(world.path()) hello")
      return (world, outcome)
    }

    @Test(arguments: [
      "echo Welcome", "printf 'no newline yet'; echo", "echo '{\"type\":\"motd\"}'; echo '{}'",
      "head -c 60000 /dev/zero; echo; echo", "yes | head -n 30000", "printf '\\n\\n\\r\\n\\377\\n'",
      "echo on stderr >&2",
      "i=0; while [ $i -lt 5000 ]; do echo $i complains >&2; i=$((i+1)); done",
    ])
    func `banners before the welcome are passed over`(banner: String) async {
      let (world, outcome) = await send("\(banner)\nexec sh -c \"$last\"")
      #expect(outcome.status == 0, "\(outcome.errorText)")
      #expect(outcome.errors.isEmpty)
      #expect(world.contents() == ["hello"])
    }

    @Test func `too long a banner is no Banter`() async {
      let (_, outcome) = await send("yes ========= | head -n 7000\nexec sh -c \"$last\"")
      #expect(outcome.status == 76)
      #expect(outcome.errorText.contains("does not speak Banter's protocol"))
    }

    @Test(
      arguments: [
        ("exit 127", 69, "banter is not installed there"),
        ("echo 'kim@host: Permission denied (publickey).' >&2; exit 255", 77, "Permission denied"),
        (
          "echo 'ssh: connect to host h port 22: Connection refused' >&2; exit 255", 69,
          "connect to host h port 22: Connection refused"
        ),
        ("echo 'This account is not available.'; exit 1", 69, "This account is not available."),
        (
          "echo 'banter: /x.jsonl: Permission denied' >&2; exit 77", 77,
          "/x.jsonl: Permission denied"
        ),
        ("exit 0", 69, "the far side hung up"), ("kill -9 $$", 69, "ssh was ended by signal 9"),
        ("exec 1>&-; sleep 0.2; echo 'the reason' >&2; exit 255", 69, "the reason"),
      ] as [(String, Int32, String)])
    func `the way's end is told in words`(script: String, status: Int32, words: String) async {
      let (world, outcome) = await send(script)
      #expect(outcome.status == status)
      #expect(outcome.errorText.contains(words))
      #expect(outcome.errorText.split(separator: "\n").count == 1)
      #expect(world.contents().isEmpty)
    }

    @Test func `one who has no ssh is told so`() async {
      let world = World()
      let outcome = await world.run(
        "PATH=/nowhere $banter send --no-queue ssh://host/a.jsonl hello")
      #expect(outcome.status == 69)
      #expect(outcome.errorText.contains("install it (openssh-client)"))
    }

    @Test func `one that hangs is ended with the prompt`() async throws {
      let world = world("trap '' TERM HUP INT; while :; do sleep 0.1; done")
      let terminal = try Terminal(world, "ssh://host/a.jsonl", columns: 60)
      try await terminal.expect(last: "a> ▮")
      #expect(await eventually { world.folder.read("ids") != nil })
      terminal.enter("/quit")
      try await terminal.expectEnd(status: 0)
      let id = String(decoding: world.folder.read("ids") ?? [], as: UTF8.self)
      let process = try #require(pid_t(id.filter(\.isNumber)))
      #expect(kill(process, 0) != 0)
    }

    @Test func `it has no terminal, and no signal of the prompt reaches it`() async throws {
      let world = world(
        "(: </dev/tty) 2>/dev/null && echo terminal >found\nexec sh -c \"$last\"")
      let terminal = try Terminal(world, "ssh://host\(world.path())", columns: 60)
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("one")
      #expect(await eventually { world.contents() == ["one"] })
      terminal.type("C-c")
      try await terminal.expect("/quit or Ctrl-D leaves")
      terminal.enter("two")
      #expect(await eventually { world.contents() == ["one", "two"] })
      #expect(world.folder.read("found") == nil)
      let ids = String(decoding: world.folder.read("ids") ?? [], as: UTF8.self)
      #expect(ids.split(separator: "\n").count == 1)
    }
  }
}
