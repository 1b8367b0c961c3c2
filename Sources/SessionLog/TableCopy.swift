/// The rows of a table of a damaged log, on their way into a new one.
struct TableCopy {
  private let old: Database
  private let new: Database
  private let table: String
  private let columns: [String]

  /// Nil when the logs have no such table in common.
  init?(_ table: String, from old: Database, into new: Database) throws(LogError) {
    let query = "SELECT name FROM pragma_table_info('\(table)')"
    let known = try old.rows(query) { $0.text(0) ?? "" }
    columns = try new.rows(query) { $0.text(0) ?? "" }.filter(known.contains)
    guard columns.first == "id" else { return nil }
    (self.old, self.new, self.table) = (old, new, table)
  }

  /// Copies what can be read: up to each place that is damaged, and behind it.
  func run() throws(LogError) {
    var start = Int64.min
    while let reached = try copy("id >= ?", .integer(start), order: "ASC", behind: start) {
      guard let next = try nextReadable(behind: reached) else { return }
      // What lies between here and the damage.
      _ = try copy("id < ?", .integer(next), order: "DESC", behind: next)
      start = next
    }
  }

  /// Copies rows until the end or the damage.
  /// - Returns: the last one before the damage, `place` when there was none; nil
  ///   when there was no damage.
  private func copy(
    _ condition: String, _ value: Value, order: String, behind place: Int64
  ) throws(LogError) -> Int64? {
    let list = columns.joined(separator: ", ")
    var reached = place
    var batch: [[Value]] = []
    do throws(LogError) {
      try old.forEachRow(
        "SELECT \(list) FROM \(table) WHERE \(condition) ORDER BY id \(order)", [value]
      ) { row throws(LogError) in
        batch.append(columns.indices.map { row.value(Int32($0)) })
        if batch.count == Self.batch { try insert(&batch) }
        // In a damaged tree numbers may go back, again and again.
        reached = max(reached, row.integer(0))
        return true
      }
      try insert(&batch)
      return nil
    } catch  where error.code == .damaged || error.code == .inputOutput {
      try insert(&batch)
      return reached
    }
  }

  /// Rows of one transaction.
  private static let batch = 10_000

  private func insert(_ batch: inout [[Value]]) throws(LogError) {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = """
      INSERT OR IGNORE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))
      """
    try new.transaction { () throws(LogError) in
      for row in batch { try new.run(insertion, row) }
    }
    batch = []
  }

  /// The number of a row behind the damage, looked for in steps that grow; nil
  /// when there is none.
  private func nextReadable(behind reached: Int64) throws(LogError) -> Int64? {
    var step: Int64 = 1
    // Numbers begin at 1.
    let start = max(reached, 0)
    while step < 1 << 40, start <= .max - step {
      do throws(LogError) {
        let next = try old.first(
          "SELECT id FROM \(table) WHERE id >= ? ORDER BY id LIMIT 1", .integer(start + step)
        ) { $0.integer(0) }
        guard let next, next <= reached else { return next }
        step *= 2
      } catch  where error.code == .damaged || error.code == .inputOutput {
        step *= 2
      }
    }
    return nil
  }
}
