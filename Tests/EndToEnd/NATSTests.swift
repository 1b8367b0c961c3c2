import Glibc
import Testing

extension Promises {
  /// Rooms in a cluster of three real servers, at the prompt and from scripts.
  @Suite struct NATS {
    private func prepared(extra: String = "") async throws -> NATSCluster {
      let cluster = try await NATSCluster(extra: extra)
      let made = await cluster.prepare()
      try #require(made.status == 0, "\(made.errorText)")
      return cluster
    }

    private func prompt(
      _ cluster: NATSCluster, _ name: String, in world: World = World()
    ) async throws -> Terminal {
      let terminal = try Terminal(
        world,
        "--as \(name) --profile-id \(name) --style compact '\(cluster.address(of: "tea"))'",
        columns: 100)
      try await terminal.expect(last: "tea> ▮")
      return terminal
    }

    @Test func `two talk through the death of each server in turn`() async throws {
      let cluster = try await prepared()
      let (minsu, jane) = (try await prompt(cluster, "minsu"), try await prompt(cluster, "jane"))
      jane.type("반 문장")
      for index in cluster.ports.indices {
        cluster.stop(index)
        minsu.enter("while \(index) is dead")
        try await jane.expectSoon("minsu: while \(index) is dead")
        try await minsu.expectSoon("minsu: while \(index) is dead")
        try await cluster.start(index)
        minsu.enter("when \(index) is back")
        try await jane.expectSoon("minsu: when \(index) is back")
      }
      try await jane.expect(last: "tea> 반 문장▮")
      jane.enter(" 끝")
      try await minsu.expectSoon("jane: 반 문장 끝")
      let text = await World().run("$banter tail '\(cluster.address(of: "tea"))' -n 100").text
      for index in cluster.ports.indices {
        #expect(text.split(separator: "while \(index) is dead").count == 2, "\(text)")
      }
    }

    @Test(arguments: [SIGTERM, SIGUSR2])
    func `a server that is stopped, or leaves politely, is not missed`(_ signal: Int32) async throws
    {
      let cluster = try await prepared()
      let (minsu, jane) = (try await prompt(cluster, "minsu"), try await prompt(cluster, "jane"))
      for index in [0, 1] {
        cluster.stop(index, signal)
        minsu.enter("without \(index)")
        try await jane.expectSoon("minsu: without \(index)")
        try await minsu.expectSoon("minsu: without \(index)")
        if signal == SIGTERM { try await cluster.start(index) }
        // One alone accepts nothing.
        if signal == SIGUSR2 { break }
      }
      jane.enter("still here")
      try await minsu.expectSoon("jane: still here")
    }

    @Test func `with two servers dead nothing is acknowledged, and all goes out once`()
      async throws
    {
      let cluster = try await prepared()
      let world = World()
      let minsu = try await prompt(cluster, "minsu", in: world)
      minsu.enter("before")
      try await minsu.expect("minsu: before")
      cluster.stop(1)
      cluster.stop(2)
      for number in 1...3 { minsu.enter("pending \(number)") }
      minsu.type("half a sentence")
      #expect(
        await eventually(within: .seconds(30)) {
          await world.run("$banter outbox list").lines.count == 3
        })
      try await minsu.expect { $0.last?.hasSuffix("> half a sentence▮") == true }
      try await cluster.start(1)
      #expect(
        await eventually(within: .seconds(60)) {
          await world.run("$banter outbox list").text.isEmpty
        })
      let text = await World().run("$banter tail '\(cluster.address(of: "tea"))' -n 100").lines
      #expect(
        text.suffix(4).map { $0.prefix { $0 != "(" } }
          == ["before ", "pending 1 ", "pending 2 ", "pending 3 "], "\(text)")
      try await minsu.expect(last: "tea> half a sentence▮", within: .seconds(30))
    }

    /// Waits until a room has so many messages.
    private func reach(_ count: Int, at address: String) async throws {
      let isThere = await eventually(within: .seconds(60)) {
        await World().run("$banter tail '\(address)' -n 1000 --json", seconds: 20).lines.count
          >= count
      }
      try #require(isThere, "no \(count) messages")
    }

    @Test func `under load nothing that was acknowledged is lost or doubled`() async throws {
      let cluster = try await prepared()
      let address = cluster.address(of: "tea")
      let perSender = 150
      async let sent = withTaskGroup(of: (String, Outcome).self) { group in
        for name in ["a", "b", "c", "d"] {
          group.addTask {
            let world = World()
            let first = await world.run(
              "for n in $(seq \(perSender)); do echo \(name)$n; sleep 0.02; done | "
                + "$banter send --as \(name) '\(address)'", seconds: 60)
            // What it could not send in time goes out now.
            let rest = await world.run(
              "until [ -z \"$($banter outbox list)\" ]; do $banter outbox flush; sleep 0.2; done",
              seconds: 60)
            return (name, rest.status == 0 ? first : rest)
          }
        }
        return await group.reduce(into: [String: Outcome]()) { $0[$1.0] = $1.1 }
      }
      for index in cluster.ports.indices {
        let count = 100 * (index + 1)
        try await reach(count, at: address)
        cluster.stop(index)
        try await reach(count + 20, at: address)
        try await cluster.start(index)
      }
      for (name, outcome) in await sent {
        #expect([0, 75].contains(outcome.status), "\(name): \(outcome)")
      }
      let told = await World().run("$banter tail '\(address)' -n 1000 --style plain")
      let contents = told.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      for name in ["a", "b", "c", "d"] {
        let own = contents.filter { $0.hasPrefix(name) && Int($0.dropFirst()) != nil }
        #expect(own == (1...perSender).map { "\(name)\($0)" })
      }
    }
  }
}

extension Terminal {
  /// The same where an election of the cluster's may lie between, which takes
  /// some seconds.
  fileprivate func expectSoon(
    _ part: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(within: .seconds(30), sourceLocation: sourceLocation) {
      $0.contains { $0.contains(part) }
    }
  }
}
