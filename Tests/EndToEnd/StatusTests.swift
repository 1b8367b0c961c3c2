import Testing

extension Promises {
  /// What one at the prompt is told of the way to a hub.
  @Suite struct Status {
    @Test func `of TLS, the login, the rights and who is there`() async throws {
      let world = World()
      try await world.makeCertificate()
      let added = await world.run(
        "echo geheim | $banter user add jane data/banter/rooms --read-only")
      #expect(added.status == 0)
      let hub = try await HubProgram(
        world, "--listen tls://127.0.0.1:0 --cert cert.pem --key key.pem")
      let place = hub.address.split(separator: "/").last.map(String.init) ?? ""
      _ = await world.run("umask 077; echo '\(place) jane geheim' >config/banter/passwords")
      let print = await world.run("openssl x509 -noout -fingerprint -sha256 -in cert.pem")
      let fingerprint = try #require(print.lines.first?.split(separator: "=").last)
      let jane = try Terminal(world, "--no-log \(hub.room("lobby"))", columns: 160, rows: 40)
      try await jane.expect("this room is for reading only")
      jane.enter("/status")
      try await jane.expect { $0.joined().contains("in memory") }
      let shown = jane.screen.joined(separator: "\n")
      for part in [
        "connected to \(hub.address), by TLS", "since it was first seen:", "logged in as jane",
        "1 here now",
      ] { #expect(shown.contains(part), "\(shown)") }
      // Once as news, and once as a fact.
      #expect(jane.screen.count { $0.contains(fingerprint) } == 2)
      #expect(jane.screen.count { $0.contains("for reading only") } == 2)
      jane.enter("hello")
      try await jane.expect("this account is for reading only")
    }

    @Test func `of a hub of this machine, and one without encryption`() async throws {
      let world = World()
      let hub = try await HubProgram(world, "--open --listen tcp://127.0.0.1:0")
      let minsu = try Terminal(world, "--no-log \(hub.room("lobby"))", columns: 120)
      try await minsu.expect(last: "lobby> ▮")
      minsu.enter("/status")
      try await minsu.expect("connected to \(hub.address), not encrypted")
      try await minsu.expect("anyone may come in there as anyone")
      let own = try await HubProgram(world, "")
      let user = await Program.run("id -un").lines.first ?? ""
      let jane = try Terminal(world, "--no-log '\(own.room("lobby"))'", columns: 120)
      try await jane.expect(last: "lobby> ▮")
      jane.enter("/status")
      try await jane.expect("on this machine")
      try await jane.expect("logged in as \(user)")
      #expect(!jane.screen.joined().contains("reading only"))
    }

    @Test func `who is there and never spoke is here now`() async throws {
      let world = World()
      world.say("hello")
      let hub = try await HubProgram(world, "--open --listen tcp://127.0.0.1:0")
      let minsu = try Terminal(world, "--as minsu --no-log \(hub.room("lobby"))", columns: 120)
      try await minsu.expect(last: "lobby> ▮")
      let silent = try Terminal(world, "--as silent --no-log \(hub.room("lobby"))", columns: 120)
      try await silent.expect(last: "lobby> ▮")
      minsu.enter("/who")
      try await minsu.expect("silent (silent): here now")
      try await minsu.expect("Jane (Jane): 1 message here, last seen")
      #expect(!minsu.screen.joined().contains("0 messages"))
    }
  }
}
