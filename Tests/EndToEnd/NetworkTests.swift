import Glibc
import Testing

/// A network of its own, with nothing in it but this machine, where packets can
/// be lost (network_namespaces(7), nft(8)).
final class Network {
  private let world: World
  private let holder: Terminal
  /// Before a command that is to run in it.
  let prefix: String

  init(_ world: World) async throws {
    self.world = world
    let isRoot = geteuid() == 0
    holder = try Terminal(
      world,
      script: "exec unshare \(isRoot ? "-n" : "-rn") sh -c "
        + "'ip link set lo up && echo ready && exec sleep 600'")
    try await holder.expect("ready")
    prefix =
      "nsenter -t \(holder.process) \(isRoot ? "" : "-U --preserve-credentials") -n"
  }

  /// Puts a rule for what comes in in the place of the one before; none lets
  /// everything through.
  func setRule(_ rule: String) async throws {
    world.folder.write(
      "rules",
      """
      flush ruleset
      table inet f {
        chain in {
          type filter hook input priority 0
          \(rule)
        }
      }

      """)
    let run = await world.run("\(prefix) nft -f rules")
    try #require(run.status == 0, "\(run.errorText)")
  }
}

extension Promises {
  /// What is said over a bad network arrives, once.
  @Suite struct Networks {
    private let world = World()

    /// A hub in the network and two prompts at it; the second keeps no log.
    private func meet(
      _ network: Network
    ) async throws -> (hub: HubProgram, minsu: Terminal, jane: Terminal) {
      let hub = try await HubProgram(
        world, "--open --listen tcp://127.0.0.1:7750", through: network.prefix)
      let command = "exec \(network.prefix) $banter \(hub.room("lobby"))"
      let minsu = try Terminal(world, columns: 70, script: "\(command) --as Minsu")
      let jane = try Terminal(world, columns: 70, script: "\(command) --as Jane --no-log")
      for terminal in [minsu, jane] { try await terminal.expect(last: "lobby> ▮") }
      return (hub, minsu, jane)
    }

    @Test(arguments: ["drop", "reject with tcp reset"])
    func `a link that breaks is noticed, and what was said meanwhile goes out once`(
      _ fate: String
    ) async throws {
      let network = try await Network(world)
      let (hub, minsu, jane) = try await meet(network)
      minsu.enter("before")
      try await jane.expect("before")
      try await network.setRule("tcp dport 7750 \(fate)\ntcp sport 7750 \(fate)")
      for number in 1...5 { minsu.enter("said \(number)") }
      jane.type(text: "반쯤 쓴")
      try await minsu.expect(within: .seconds(45)) { $0.contains { $0.contains("offline") } }
      try await minsu.expect("5 pending")
      #expect(world.contents() == ["before"])
      try await network.setRule("")
      try await jane.expect(within: .seconds(60)) { $0.contains { $0.contains("said 5") } }
      try await jane.expect(last: "lobby> 반쯤 쓴▮")
      try await minsu.expect(last: "lobby> ▮", within: .seconds(10))
      let all = ["before"] + (1...5).map { "said \($0)" }
      #expect(world.contents() == all)
      for text in all { #expect(jane.scrollback.count { $0.contains(text) } == 1) }
      withExtendedLifetime(hub) {}
    }

    @Test func `a link that loses a fifth of its packets loses no message`() async throws {
      let network = try await Network(world)
      let (hub, minsu, jane) = try await meet(network)
      try await network.setRule("tcp dport 7750 numgen random mod 5 == 0 drop")
      for number in 1...20 { minsu.enter("line \(number).") }
      try await jane.expect(within: .seconds(60)) { $0.contains { $0.contains("line 20.") } }
      #expect(world.contents() == (1...20).map { "line \($0)." })
      for number in 1...20 {
        #expect(jane.scrollback.count { $0.contains("line \(number).") } == 1)
      }
      withExtendedLifetime(hub) {}
    }
  }
}
