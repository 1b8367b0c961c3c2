import Glibc
import Testing

extension Promises {
  @Suite struct NATSPlugin {
    /// The plugin that a terminal's program has started.
    private func plugin(of terminal: Terminal) async -> pid_t? {
      let found = await Program.run("pgrep -P \(terminal.process) banter-nats")
      return found.lines.first.flatMap { pid_t($0) }
    }

    @Test func `a plugin that dies in the midst of sending loses and doubles nothing`() async throws
    {
      let cluster = try await NATSCluster.prepared(size: 1)
      let world = World()
      let minsu = try await cluster.prompt("minsu", in: world)
      minsu.enter("before")
      try await minsu.expect("minsu: before")
      let first = try #require(await plugin(of: minsu))
      // The server has it in its ear, and does not answer.
      cluster.stop(0, SIGSTOP)
      minsu.enter("under way")
      #expect(await eventually { await world.run("$banter outbox list").lines.count == 1 })
      try await minsu.expect("minsu: under way")
      minsu.type("half a sen")
      kill(first, SIGKILL)
      try await minsu.expect("the plugin was ended by signal 9; calling again")
      cluster.stop(0, SIGCONT)
      #expect(
        await eventually(within: .seconds(60)) {
          await world.run("$banter outbox list").text.isEmpty
        })
      let second = try #require(await plugin(of: minsu))
      #expect(second != first)
      try await minsu.expect(last: "tea> half a sen▮", within: .seconds(30))
      minsu.enter("tence")
      try await minsu.expectSoon("minsu: half a sentence")
      let text = await World().run("$banter tail '\(cluster.address(of: "tea"))' -n 100").lines
      // The first is the day.
      let contents = text.dropFirst().map { $0.prefix { $0 != "(" } }
      #expect(contents == ["before ", "under way ", "half a sentence "], "\(text)")
      #expect(minsu.scrollback.count { $0.contains("minsu: under way") } == 1)
    }
  }
}
