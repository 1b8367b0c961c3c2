import Glibc
import Testing

extension Promises {
  @Suite struct NATSClock {
    /// How many minutes a server's log is ahead; the clocks are compared before
    /// anything else, since one that is right shows nothing.
    private func lead(of index: Int, in cluster: NATSCluster) -> Int {
      let log = String(decoding: cluster.folder.read("log\(index)") ?? [], as: UTF8.self)
      // "[PROCESS] DATE HH:MM:SS.…", in UTC.
      let time = log.split(separator: " ").dropFirst(2).first?.split(separator: ":") ?? []
      let minutes = time.prefix(2).compactMap { Int($0) }.reduce(0) { $0 * 60 + $1 }
      return (minutes - Glibc.time(nil) / 60 % 1_440 + 1_440) % 1_440
    }

    /// Who leads tells when something is a repeat, by its own clock.
    @Test func `one server's clock an hour off loses, doubles and reorders nothing`() async throws {
      let cluster = try await NATSCluster.prepared()
      let clock = try await cluster.makeFastClock()
      cluster.stop(0)
      try await cluster.start(0, preloading: clock)
      try #require((58...61).contains(lead(of: 0, in: cluster)))

      let world = World()
      let address = cluster.address(of: "tea")
      for (round, index) in [1, 2, 0].enumerated() {
        async let sent = world.run(
          """
          for n in $(seq \(round * 100 + 1) \(round * 100 + 100)); do echo $n; sleep 0.02; done |
            $banter send --as jane '\(address)'
          until [ -z "$($banter outbox list)" ]; do $banter outbox flush; sleep 0.2; done
          """, seconds: 120)
        let isUnderWay = await eventually(within: .seconds(60)) {
          await World().run("$banter tail '\(address)' -n 1000 --json").lines.count > round * 100
        }
        #expect(isUnderWay)
        cluster.stop(index)
        #expect(await sent.status == 0)
        try await cluster.start(index, preloading: index == 0 ? clock : "")
      }
      let told = await World().run("$banter tail '\(address)' -n 1000 --style plain")
      let contents = told.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      #expect(contents.filter { Int($0) != nil } == (1...300).map(String.init))
    }
  }
}
