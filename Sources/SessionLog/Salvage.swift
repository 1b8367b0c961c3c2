internal import Glibc

/// A damaged log under another name, and what can be read from it.
struct Salvage {
  /// Where it is now.
  let path: String

  /// Gives the file at `path`, and what belongs to it, a name that is free.
  static func setAside(_ path: String) throws(LogError) -> Salvage {
    for number in 1... {
      let other = "\(path).damaged-\(number)"
      guard access(other, F_OK) != 0 else { continue }
      guard rename(path, other) == 0 else {
        throw LogError(
          .denied,
          reason: "\(path): is damaged and cannot be renamed: \(String(cString: strerror(errno)))")
      }
      // Without its journal SQLite would not find the newest rows again.
      for suffix in ["-wal", "-journal"] { rename(path + suffix, other + suffix) }
      unlink(path + "-shm")
      return Salvage(path: other)
    }
    preconditionFailure("numbers do not end")
  }

  /// What waits to be sent and where it goes first, then messages.
  private static let tables = ["room", "session", "outbox", "profile", "message", "change"]

  /// Copies the rows that can be read, from the beginning to the damage and
  /// from the end back to it.
  /// - Returns: the number of messages.
  func carryOver(into database: Database) -> Int {
    guard let old = try? Database(path, .writing) else { return 0 }
    for table in Self.tables {
      for order in ["ASC", "DESC"] {
        // Anything from a bad page to a full disk ends this run; what was
        // copied by then counts.
        if (try? copy(table, order, from: old, into: database)) != nil { break }
      }
    }
    let count = try? database.first("SELECT count(*) FROM message") { Int($0.integer(0)) }
    return count.flatMap(\.self) ?? 0
  }

  /// Rows of one transaction, so that damage costs no more than what follows.
  private static let batch = 10_000

  private func copy(
    _ table: String, _ order: String, from old: Database, into database: Database
  ) throws(LogError) {
    let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')") {
      $0.text(0) ?? ""
    }
    let known = try old.rows("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) ?? "" }
    let shared = columns.filter(known.contains)
    guard !shared.isEmpty else { return }
    let list = shared.joined(separator: ", ")
    let marks = shared.map { _ in "?" }.joined(separator: ", ")
    let insertion = "INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(marks))"
    var batch: [[Value]] = []
    func flush() throws(LogError) {
      try database.transaction { () throws(LogError) in
        for row in batch { try database.run(insertion, row) }
      }
      batch = []
    }
    do throws(LogError) {
      try old.forEachRow("SELECT \(list) FROM \(table) ORDER BY id \(order)") {
        row throws(LogError) in
        batch.append(shared.indices.map { row.value(Int32($0)) })
        if batch.count == Self.batch { try flush() }
        return true
      }
    } catch {
      try flush()
      throw error
    }
    try flush()
  }
}
