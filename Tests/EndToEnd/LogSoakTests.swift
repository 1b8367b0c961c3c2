import ChatModel
import Glibc
import TestSupport
import Testing

extension Promises {
  /// The log among kills: a few in every run, many in `make soak`.
  @Suite struct LogSoak {
    /// Kills two who talk in one room and have one log, at some moment, again
    /// and again.
    @Test(arguments: 1...(isSoak ? 25 : 1))
    func `nothing is lost or doubled by kills in a room with one log`(part: Int) async throws {
      let world = World(settings: "{ bell: \"off\", style: \"compact\" }")
      var mustArrive: Set<String> = []
      for round in 1...8 {
        let terminals = [
          try Terminal(world, "--as 민수", rows: 60), try Terminal(world, "--as Jane", rows: 60),
        ]
        for terminal in terminals {
          try await terminal.expect { $0.last?.hasPrefix("lobby") == true }
        }
        for number in 1...6 {
          for (index, terminal) in terminals.enumerated() {
            terminal.enter("m\(part)x\(round)x\(index)x\(number)")
          }
        }
        usleep(.random(in: 0...250_000))
        for terminal in terminals.shuffled() {
          kill(terminal.process, SIGKILL)
          usleep(.random(in: 0...50_000))
        }
        for terminal in terminals {
          try await terminal.expectEnd(status: 137)
          mustArrive.formUnion(shown(in: terminal.scrollback))
        }
        mustArrive.formUnion(await world.waiting())
      }
      let last = try Terminal(world, rows: 60)
      try await last.expect { $0.last == "lobby> ▮" }
      #expect(await eventually { await world.waiting().isEmpty })
      #expect(await eventually { await world.logged().count == world.contents().count })
      let contents = world.contents()
      #expect(!mustArrive.isEmpty)
      #expect(mustArrive.subtracting(contents).isEmpty)
      #expect(Set(contents).count == contents.count)
      #expect(Set(world.messages().map(\.id)).count == contents.count)
      #expect(await world.logged().sorted() == contents.sorted())
      #expect(await world.ask("PRAGMA integrity_check") == ["ok"])
      #expect(await world.run("ls state/banter").lines.allSatisfy { !$0.contains("damaged") })
    }

    /// The messages among the rows of a terminal, without those that are typed.
    private func shown(in rows: [String]) -> Set<String> {
      let messages = rows.filter { !$0.hasPrefix("lobby") }
      return Set(
        messages.flatMap { row in
          row.split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { $0.wholeMatch(of: /m\d+x\d+x\dx\d/) != nil }
        })
    }
  }
}
