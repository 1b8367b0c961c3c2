import Testing

extension Promises {
  /// Readers that leave in the middle: more is written than a pipe holds.
  @Suite struct BrokenPipe {
    @Test(arguments: [
      "tail lobby -n 100000", "tail lobby -n 100000 --json", "tail lobby -n 100000 --style bubble",
      "tail -f lobby -n 100000", "tail -f --json lobby -n 100000",
    ])
    func `a reader that has enough of much ends it quietly`(arguments: String) async throws {
      let world = World()
      let lines = (1...20_000).map { number in
        #"{"messageID":"\#(number)","profileID":"j","content":"number \#(number)"}"#
      }
      world.append(lines.joined(separator: "\n") + "\n")
      let result = await world.run(
        "$banter \(arguments) | head -1 >/dev/null; echo ${PIPESTATUS[0]}", seconds: 20)
      #expect(result.lines == ["0"])
      #expect(result.errors.isEmpty, "\(result.errorText.prefix(200))")
    }

    @Test func `bad lines without end are no error to a reader that has enough`() async throws {
      let world = World()
      world.append(String(repeating: "nonsense\n{}\n", count: 20_000))
      let result = await world.run(
        "$banter log check \(world.path()) | head -1 | wc -l; echo ${PIPESTATUS[0]}", seconds: 20)
      #expect(result.lines.first == "1")
      #expect(result.lines.last == "0" || result.lines.last == "65")
      #expect(result.errorText.count { $0 == "\n" } <= 1)
    }

    @Test func `at the prompt with its output in a pipe the end of the reader ends it`()
      async throws
    {
      let world = World()
      let terminal = try Terminal(
        world, script: "$banter | head -2 >/dev/null; echo \"ENDED ${PIPESTATUS[0]}\"; sleep 99")
      var count = 0
      let hasEnded = await eventually {
        count += 1
        world.say("message \(count)")
        return terminal.screen.contains { $0.contains("ENDED 0") }
      }
      #expect(hasEnded, "\(terminal.screen)")
    }
  }
}
