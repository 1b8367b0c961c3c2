import Testing

extension Promises {
  /// A cluster whose servers die while much is said.
  @Suite struct NATSLoad {
    private static let perSender = 1_500

    /// Waits until a room has so many messages.
    private func reach(_ count: Int, at address: String) async throws {
      let isThere = await eventually(within: .seconds(60)) {
        await World().run("$banter tail '\(address)' -n 100000 --json", seconds: 20).lines.count
          >= count
      }
      try #require(isThere, "no \(count) messages")
    }

    /// Somebody who says some 250 messages a second, and in the end what he could
    /// not say in time.
    private func sender(_ name: String, at address: String) async -> Outcome {
      let world = World()
      let first = await world.run(
        """
        for n in $(seq 0 5 \(Self.perSender - 1)); do
          printf '\(name)%d\\n' $((n + 1)) $((n + 2)) $((n + 3)) $((n + 4)) $((n + 5))
          sleep 0.02
        done | $banter --as \(name) '\(address)'
        """, seconds: 150)
      guard [0, 75].contains(first.status) else { return first }
      let rest = await world.run(
        "until [ -z \"$($banter outbox list)\" ]; do $banter outbox flush; sleep 0.2; done",
        seconds: 60)
      return rest.status == 0 ? first : rest
    }

    @Test func `at 1,000 messages a second nothing acknowledged is lost, doubled or reordered`()
      async throws
    {
      let cluster = try await NATSCluster.prepared()
      let address = cluster.address(of: "tea")
      async let sent = withTaskGroup(of: (String, Outcome).self) { group in
        for name in ["a", "b", "c", "d"] {
          group.addTask { (name, await sender(name, at: address)) }
        }
        return await group.reduce(into: [String: Outcome]()) { $0[$1.0] = $1.1 }
      }
      for index in cluster.ports.indices {
        let count = Self.perSender * (index + 1)
        try await reach(count, at: address)
        cluster.stop(index)
        try await reach(count + 100, at: address)
        try await cluster.start(index)
      }
      for (name, outcome) in await sent {
        #expect([0, 75].contains(outcome.status), "\(name): \(outcome)")
      }
      let told = await World().run("$banter tail '\(address)' -n 100000 --style plain")
      let contents = told.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      for name in ["a", "b", "c", "d"] {
        let own = contents.filter { $0.hasPrefix(name) && Int($0.dropFirst()) != nil }
        #expect(own == (1...Self.perSender).map { "\(name)\($0)" })
      }
    }
  }
}
