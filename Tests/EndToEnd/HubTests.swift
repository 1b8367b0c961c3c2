import Glibc
import Testing

extension Promises {
  /// A room is the same whatever carries it, and outlives what carries it.
  @Suite struct Hubs {
    private static let carriers = [
      "tcp": "--open --listen tcp://127.0.0.1:0", "unix": "",
      "tls": "--open --listen tls://127.0.0.1:0 --cert cert.pem --key key.pem",
    ]

    @Test(arguments: ["tcp", "tls", "unix"])
    func `two prompts talk through a hub, and a third is at the file`(
      _ carrier: String
    ) async throws {
      let world = World()
      if carrier == "tls" { try await world.makeCertificate() }
      let hub = try await HubProgram(world, try #require(Self.carriers[carrier]))
      let room = hub.room("lobby")
      let far = try Terminal(world, "--as 민수 --profile-id minsu --no-log '\(room)'", columns: 60)
      try await far.expect(last: "lobby> ▮")
      let near = try Terminal(world, "lobby --as Jane --no-log", columns: 60)
      try await near.expect(last: "lobby> ▮")
      far.enter("멀리서")
      try await near.expect("멀리서")
      near.enter("from the file")
      try await far.expect("from the file")
      #expect(await world.run("$banter send '\(room)' from a script").status == 0)
      for terminal in [far, near] { try await terminal.expect("from a script") }
      #expect(world.contents() == ["멀리서", "from the file", "from a script"])
      let tail = await world.run("$banter tail '\(room)'")
      #expect(tail.status == 0 && tail.text.contains("멀리서"))
      try await hub.kill(SIGTERM)
      try await far.expect("offline")
    }

    @Test func `a hub that is killed comes back, and all is there once`() async throws {
      let world = World()
      let hub = try await HubProgram(world, "--open --listen tcp://127.0.0.1:0")
      let minsu = try Terminal(world, "--as 민수 \(hub.room("lobby"))", columns: 70)
      let jane = try Terminal(
        world, "--as Jane --no-log \(hub.room("lobby"))", columns: 70)
      for terminal in [minsu, jane] { try await terminal.expect(last: "lobby> ▮") }
      minsu.enter("before")
      try await jane.expect("before")
      jane.type(text: "아직 다 쓰지 않은")
      try await hub.kill(SIGKILL)
      for terminal in [minsu, jane] { try await terminal.expect("offline") }
      minsu.enter("meanwhile")
      try await minsu.expect("sending")
      let port = try #require(hub.address.split(separator: ":").last)
      let again = try await HubProgram(world, "--open --listen tcp://127.0.0.1:\(port)")
      #expect(again.address == hub.address)
      try await jane.expect(within: .seconds(30)) { $0.contains { $0.contains("meanwhile") } }
      try await jane.expect(last: "lobby> 아직 다 쓰지 않은▮")
      try await minsu.expect(last: "lobby> ▮", within: .seconds(30))
      #expect(world.contents() == ["before", "meanwhile"])
      for text in ["before", "meanwhile"] {
        #expect(jane.scrollback.count { $0.contains(text) } == 1)
      }
    }

    @Test func `what was missed is told at the next start, after a line`() async throws {
      let world = World()
      let hub = try await HubProgram(world, "--open --listen tcp://127.0.0.1:0")
      let first = try Terminal(world, hub.room("lobby"), columns: 70)
      try await first.expect(last: "lobby> ▮")
      first.enter("seen")
      #expect(await eventually { world.contents() == ["seen"] })
      try await first.expect(last: "lobby> ▮")
      first.type("C-d")
      try await first.expectEnd(status: 0)
      for number in 1...70 { world.say("missed \(number)", at: "2099-01-01T00:00:00Z") }
      let second = try Terminal(world, "--tail 5 \(hub.room("lobby"))", columns: 70)
      try await second.expect("missed 70")
      let shown = second.scrollback.joined(separator: "\n")
      #expect(shown.contains("65 earlier messages since last time"))
      #expect(!shown.contains("missed 65 ") && shown.contains("missed 66"))
      #expect(await eventually { await world.logged().count == 71 })
    }

    @Test func `who has an account comes in, and nobody else`() async throws {
      let world = World()
      try await world.makeCertificate()
      let added = await world.run(
        "echo geheim | $banter user add jane data/banter/rooms; "
          + "echo 비밀 | $banter user add 민수 data/banter/rooms --room team; "
          + "$banter user list data/banter/rooms")
      #expect(added.lines == ["jane  all rooms", "민수  team"])
      #expect(added.errorText.contains("data/banter/rooms/.accounts: added 민수, team; a hub"))
      let accounts = String(
        decoding: world.folder.read("data/banter/rooms/.accounts") ?? [], as: UTF8.self)
      #expect(!accounts.contains("geheim") && accounts.contains("SCRAM-SHA-256$"))
      let hub = try await HubProgram(
        world, "--listen tls://127.0.0.1:0 --cert cert.pem --key key.pem")
      let place = hub.address.split(separator: "/").last.map(String.init) ?? ""
      func logIn(_ line: String, _ room: String) async -> Outcome {
        await world.run(
          "umask 077; echo '\(place) \(line)' >config/banter/passwords; "
            + "$banter tail \(hub.room(room))")
      }
      #expect(await logIn("jane geheim", "lobby").status == 0)
      #expect(await logIn("민수 비밀", "team").status == 0)
      let wrong = await logIn("jane falsch", "lobby")
      let unknown = await logIn("nobody falsch", "lobby")
      #expect(wrong.status == 77 && wrong.errorText == unknown.errorText)
      for name in ["jane", "nobody"] { try await hub.expect(": \(name): the name or the password") }
      let elsewhere = await logIn("민수 비밀", "lobby")
      #expect(elsewhere.status == 77 && elsewhere.errorText.contains("may not enter lobby"))
      let plain = await world.run("$banter tail tcp://\(place)/lobby")
      #expect(plain.status == 76 && plain.errorText.contains("tls://"))
      #expect(await world.run("$banter user remove jane data/banter/rooms").status == 0)
      hub.signal(SIGHUP)
      try await hub.expect("reloaded")
      #expect(await logIn("jane geheim", "lobby").status == 77)
    }

    @Test func `a certificate that has changed is refused, and says which`() async throws {
      let world = World()
      try await world.makeCertificate()
      let hub = try await HubProgram(
        world, "--open --listen tls://127.0.0.1:0 --cert cert.pem --key key.pem")
      let first = await world.run("$banter tail \(hub.room("lobby"))")
      #expect(first.status == 0 && first.errorText.contains("trusted from now on"))
      let second = await world.run("$banter tail \(hub.room("lobby"))")
      #expect(second.status == 0 && second.errorText.isEmpty)
      try await world.makeCertificate()
      hub.signal(SIGHUP)
      try await hub.expect("reloaded")
      let changed = await world.run("$banter tail \(hub.room("lobby"))")
      #expect(changed.status == 77 && changed.errorText.contains("HAS CHANGED"))
    }

    @Test(arguments: [
      ("--listen tcp://127.0.0.1:0", 64, "--open"),
      ("--open --listen tcp://0.0.0.0:0", 64, "--insecure"),
      ("--open --listen tls://127.0.0.1:0", 64, "--cert"),
      ("--open --listen http://x", 64, "--listen wants"),
      ("--open --listen tcp://127.0.0.1:0 /nowhere/rooms", 64, "one file or folder"),
      ("--open --listen unix:///dev/null/socket", 73, "cannot listen"),
      ("--open --listen tcp://127.0.0.1:0 --socket-mode 660", 64, "want --listen unix://"),
      ("--socket-group root", 64, "want --listen unix://"),
      ("--listen unix:///nowhere/socket --socket-mode 980", 64, "octal mode"),
      ("--listen unix:///nowhere/socket --socket-mode 4660", 64, "octal mode"),
      ("--listen unix:///nowhere/socket --socket-group no-such-group", 64, "no group"),
    ])
    func `a hub says why it does not start`(
      _ arguments: String, _ status: Int, _ reason: String
    ) async {
      let run = await World().run("$banter serve data/banter/rooms \(arguments)", seconds: 10)
      #expect(run.status == status && run.errorText.contains(reason), "\(run.errorText)")
    }

    @Test func `a mistyped password is asked for again, and is said to nobody`() async throws {
      let world = World()
      _ = await world.run("echo geheim | $banter user add jane data/banter/rooms")
      let hub = try await HubProgram(world, "--listen tcp://127.0.0.1:0")
      let room = hub.room("lobby").replacing("tcp://", with: "tcp://jane@")
      let terminal = try Terminal(world, "'\(room)'", columns: 100)
      try await terminal.expect("password of jane")
      terminal.enter("geheim1")
      try await terminal.expect("the name or the password is wrong")
      try await terminal.expect { rows in
        rows.count { $0.contains("password of jane") } == 2
      }
      terminal.enter("geheim")
      try await terminal.expect(last: "lobby> ▮")
      terminal.enter("hello")
      #expect(await eventually { world.contents() == ["hello"] })
    }

    @Test(arguments: [true, false], [SIGKILL, SIGTERM, SIGHUP])
    func `what is said while nobody can be reached is on the disk, however it ends`(
      wasReached: Bool, signal: Int32
    ) async throws {
      let world = World()
      let hub = try await HubProgram(world, "--open --listen tcp://127.0.0.1:0")
      let port = try #require(hub.address.split(separator: ":").last)
      if !wasReached { try await hub.kill(SIGKILL) }
      let terminal = try Terminal(world, hub.room("lobby"), columns: 70)
      if wasReached {
        try await terminal.expect(last: "lobby> ▮")
        try await hub.kill(SIGKILL)
      }
      try await terminal.expect("offline")
      let texts = ["하나", "two", "three"]
      for text in texts { terminal.enter(text) }
      #expect(await eventually { await world.waiting() == texts })
      Glibc.kill(terminal.process, signal)
      try await terminal.expectEnd(status: 128 + Int(signal))
      #expect(await world.waiting() == texts)
      let again = try await HubProgram(world, "--open --listen tcp://127.0.0.1:\(port)")
      #expect(await world.run("$banter send '\(again.room("lobby"))' last").status == 0)
      #expect(world.contents() == texts + ["last"])
    }

    @Test func `nobody at the address is told at once, and what is sent waits`() async {
      let world = World()
      let sent = await world.run("$banter send tcp://127.0.0.1:9/lobby later")
      #expect(sent.status == 75 && sent.errorText.contains("Connection refused"))
      #expect(await world.run("$banter send --no-queue tcp://127.0.0.1:9/lobby x").status == 69)
      #expect(await world.run("$banter tail tcp://127.0.0.1:9/lobby").status == 69)
      #expect(await world.run("$banter outbox list").text.contains("later"))
    }
  }
}
