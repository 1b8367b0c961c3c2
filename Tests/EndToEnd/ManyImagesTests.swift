import Testing

extension Promises {
  /// A room full of images costs no more than what is looked at.
  @Suite struct ManyImages {
    /// A room of 10,000 messages, each with or without an image of its own.
    private func world(withImages: Bool) async throws -> World {
      let world = World(
        settings: "{ style: 'compact', tail: 10000, images: { protocol: 'blocks' } }")
      if withImages {
        try await world.make("for number in range(10000): save(f'{number}.png', png(64, 48))")
      }
      let lines = (0..<10_000).map { number in
        let images = withImages ? #","images":["\#(number).png"]"# : ""
        return #"{"messageID":"\#(number)","profileID":"j","content":"no.\#(number)."\#(images)}"#
      }
      world.append(lines.joined(separator: "\n") + "\n")
      return world
    }

    /// The most memory that a prompt has had in a room once it is there, and then
    /// does as it is told; in KiB (proc_pid_status(5), VmHWM).
    private func peak(in world: World, _ use: (Terminal) async throws -> Void) async throws -> Int {
      let terminal = try Terminal(
        world, columns: 60, script: "echo $$ >process; exec $banter --no-log")
      try await terminal.expect(within: .seconds(60)) {
        $0.last == "lobby> ▮" && $0.joined().contains("no.9999.")
      }
      try await use(terminal)
      let status = await world.run("grep VmHWM /proc/$(cat process)/status")
      terminal.type("C-d")
      try await terminal.expectEnd(status: 0)
      return try #require(
        status.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first)
    }

    @Test(.enabled(if: hasPrograms))
    func `ten thousand images take hardly more memory than none`() async throws {
      let plain = try await peak(in: try await world(withImages: false)) { _ in }
      let images = try await peak(in: try await world(withImages: true)) { terminal in
        terminal.enter("/images all 200")
        try await terminal.expect("50.1 49.png")
        try await terminal.expect("page 200 of 200")
      }
      #expect(images - plain < 20 << 10, "\(plain) and \(images) KiB")
      #expect(images < 60 << 10)
    }
  }
}
