import Testing

extension Promises {
  /// Instant, however much history there is: what is read is counted, since a
  /// clock says little on a busy machine.
  @Suite struct OpeningCost {
    /// A room of `count` messages, some 20 MB for the largest.
    private func world(_ count: Int) -> World {
      let world = World(settings: "{ style: 'compact' }")
      let lines = (1...count).map { number in
        #"{"messageID":"\#(number)","profileID":"j","content":"no.\#(number)."}"#
      }
      world.append(lines.joined(separator: "\n") + "\n")
      return world
    }

    /// How many bytes pread(2), by which room files are read, has given.
    private func bytesRead(in world: World) -> Int {
      let trace = String(decoding: world.folder.read("trace") ?? [], as: UTF8.self)
      return trace.split(separator: "\n").reduce(0) { sum, call in
        sum + (call.split(separator: " ").last.flatMap { Int($0) } ?? 0)
      }
    }

    private let counted = "strace -f -qq -e trace=pread64 -e signal=none -o trace $banter"

    @Test(arguments: [1_000, 200_000])
    func `the prompt reads no more of a long room than of a short one`(count: Int) async throws {
      let world = world(count)
      let terminal = try Terminal(world, columns: 60, script: "exec \(counted)")
      try await terminal.expect { $0.last == "lobby> ▮" && $0.joined().contains("no.\(count).") }
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      #expect((1..<1_000_000).contains(bytesRead(in: world)), "\(bytesRead(in: world))")
    }

    @Test(arguments: ["tail lobby", "tail lobby --json -n 5", "send lobby hello"])
    func `no command reads a long room from its start`(arguments: String) async throws {
      let world = world(200_000)
      #expect(await world.run("\(counted) \(arguments)").status == 0)
      #expect((1..<1_000_000).contains(bytesRead(in: world)), "\(bytesRead(in: world))")
    }
  }
}
