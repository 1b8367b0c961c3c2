import Testing

extension Promises {
  /// What `serve` tells its operator.
  @Suite struct OperatorLogs {
    /// Serves until somebody has called, and prints what was told.
    private func told(_ before: String, _ options: String = "") async -> [String] {
      let world = World()
      let run = await world.run(
        """
        serve() { exec $banter serve data/banter/rooms --listen unix://$HOME/s \(options) 2>&3; }
        exec 3>log; \(before); serve & hub=$!
        until grep -q serving log; do sleep 0.02; done
        kill $hub; wait $hub; cat log
        """)
      return run.lines
    }

    @Test func `a line has its time where nobody else notes it`() async throws {
      let told = await told(":")
      let line = try #require(told.first)
      #expect(
        line.wholeMatch(of: /20\d\d-\d\d-\d\dT[\d:.]+Z banter: serving: unix:.*/) != nil, "\(line)")
    }

    @Test func `in the journal it has none, and a redirected one has`() async throws {
      let journal = await told("export JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/3)")
      #expect(journal.first?.hasPrefix("banter: serving: ") == true, "\(journal)")
      let elsewhere = await told("export JOURNAL_STREAM=1:2")
      #expect(elsewhere.first?.hasPrefix("20") == true, "\(elsewhere)")
    }
  }
}
