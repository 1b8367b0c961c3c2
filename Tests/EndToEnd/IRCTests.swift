import Glibc
import Testing

extension Promises {
  /// Channels of IRC at the prompt, with irssi as a foreign person in them.
  @Suite struct IRC {
    /// A world that finds the plugin beside the program.
    func prompt(
      _ server: RealServer, _ name: String, in world: World = World()
    ) async throws -> Terminal {
      let terminal = try Terminal(
        world,
        "--as \(name) --profile-id \(name) --style compact "
          + "'irc://\(name)@127.0.0.1:\(server.port)/%23tea'", columns: 100)
      try await terminal.expect(last: "#tea> ▮")
      return terminal
    }

    private func irssi(_ server: RealServer, _ world: World) async throws -> Terminal {
      let terminal = try Terminal(
        world, columns: 100,
        script: "exec irssi --home=\"$HOME/irssi\" -c 127.0.0.1 -p \(server.port) -n jane")
      try await terminal.expect("Mode change [+i]")
      terminal.enter("/join #tea")
      try await terminal.expect("Irssi: #tea: Total of 2 nicks")
      return terminal
    }

    @Test(arguments: ["ngircd", "InspIRCd"])
    func `one talks in a channel with somebody at irssi`(kind: String) async throws {
      let server = kind == "ngircd" ? try await RealServer.ngircd() : try await .inspircd()
      let (own, other) = (World(), World())
      let minsu = try await prompt(server, "minsu", in: own)
      let jane = try await irssi(server, other)
      minsu.enter("점심 먹을 사람?")
      try await jane.expect("점심 먹을 사람?")
      minsu.type("반 문장")
      jane.enter("here is \u{2}bold\u{2} https://example.org/cat.png")
      try await minsu.expect("jane: here is bold https://example.org/cat.png")
      try await minsu.expect(last: "#tea> 반 문장▮")
      minsu.type("\u{15}")
      minsu.enter("/me waves")
      try await jane.expect("* minsu waves")
      jane.enter("/me waves back")
      try await minsu.expect("* jane waves back")
      minsu.enter("/topic tea at four")
      try await jane.expect("tea at four")
      minsu.enter("/profile jane")
      try await minsu.expect("127.0.0.1")
      minsu.enter("/images")
      try await minsu.expect("image 1 of 1: cat.png")
      jane.enter("/nick jean")
      try await minsu.expect("jean")
      jane.enter("still me")
      try await minsu.expect("jean: still me")
      minsu.enter("/quit")
      try await minsu.expectEnd(status: 0)
      try await jane.expect("minsu")
    }

    @Test func `a script learns at once that nobody is there, and what it said is kept`()
      async throws
    {
      let world = World()
      let room = "'irc://127.0.0.1:1/%23tea'"
      let refused = await world.run("$banter send --no-queue \(room) hello", seconds: 20)
      #expect(refused.status == 69, "\(refused)")
      let kept = await world.run("$banter send \(room) hello", seconds: 20)
      #expect(kept.status == 75, "\(kept)")
      #expect(await world.run("$banter outbox list").text.contains("hello"))
    }

    @Test func `what is said while the server is away goes out once when it is back`() async throws
    {
      let server = try await RealServer.ngircd()
      let own = World()
      let minsu = try await prompt(server, "minsu", in: own)
      minsu.enter("before")
      try await minsu.expect("minsu: before")
      server.stop()
      try await minsu.expect(last: "#tea [offline]> ▮")
      minsu.enter("first")
      minsu.enter("second")
      minsu.type("half a sentence")
      let again = try await RealServer(like: server)
      defer { again.stop() }
      try await minsu.expect("connected again")
      try await minsu.expect(last: "#tea> half a sentence▮")
      for word in ["first", "second"] {
        try await minsu.expect("minsu: \(word)")
      }
      #expect(await own.run("$banter outbox list").text.isEmpty)
    }
  }
}
