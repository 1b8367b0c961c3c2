import Glibc
import Testing

extension Promises {
  /// Rooms in a cluster of three real servers, at the prompt and from scripts.
  @Suite struct NATS {
    @Test func `two talk through the death of each server in turn`() async throws {
      let cluster = try await NATSCluster.prepared()
      let (minsu, jane) = (try await cluster.prompt("minsu"), try await cluster.prompt("jane"))
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
      let cluster = try await NATSCluster.prepared()
      let (minsu, jane) = (try await cluster.prompt("minsu"), try await cluster.prompt("jane"))
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
      let cluster = try await NATSCluster.prepared()
      let world = World()
      let minsu = try await cluster.prompt("minsu", in: world)
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
  }
}
