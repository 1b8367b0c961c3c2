/// What a check of the log has found.
package struct LogCheckReport: Sendable {
  /// What SQLite says is wrong with the file; empty when nothing is.
  package var problems: [String]
  /// How many sessions there are, with those that go on.
  package var sessionCount: Int
  /// How many rooms are known.
  package var roomCount: Int
  /// How many messages of all rooms there are, with deleted ones.
  package var messageCount: Int
  /// How many events wait to be sent.
  package var waitingCount: Int
}

extension LogStore {
  /// Checks the whole file (sqlite.org/pragma.html#pragma_integrity_check),
  /// and empties the search index, to be made anew by ``advanceIndex(by:)``.
  package func check() throws(LogError) -> LogCheckReport {
    try write { database throws(LogError) in
      let said = try database.rows("PRAGMA integrity_check(20)") { $0.text(0) ?? "" }
      func count(_ table: String) throws(LogError) -> Int {
        try database.first("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } ?? 0
      }
      let report = LogCheckReport(
        problems: said.filter { $0 != "ok" }, sessionCount: try count("session"),
        roomCount: try count("room"), messageCount: try count("message"),
        waitingCount: try count("outbox"))
      try TextIndex(database).clear()
      return report
    }
  }
}
