/// The tables of the log, as the list of what was done to them: the number of
/// statements that a file has seen is its `user_version`
/// (sqlite.org/pragma.html#pragma_user_version).
///
/// What is here has been used and never changes; what is new is added behind.
enum Schema {
  static let version = migrations.count

  /// Brings a file up to date, each step in a transaction of its own.
  /// - Throws: ``LogError/Code/newer`` when a newer Banter has written it.
  static func migrate(_ database: Database) throws(LogError) {
    for number in try check(database)..<version {
      try database.transaction { () throws(LogError) in
        // Somebody else may have done it since.
        guard try version(of: database) == number else { return }
        try database.execute(migrations[number])
        try database.execute("PRAGMA user_version = \(number + 1)")
      }
    }
  }

  /// Makes the tables with which every log began, which therefore lie in the
  /// same place in all of them.
  static func begin(_ database: Database) throws(LogError) {
    try database.execute(migrations[0])
  }

  /// Refuses a file of a newer Banter, and one that is no log: of another
  /// program, or without a table.
  /// - Returns: the version of the file.
  @discardableResult
  static func check(_ database: Database) throws(LogError) -> Int {
    // In one look: somebody else may be making the tables.
    let found = try database.first(
      """
      SELECT user_version, (SELECT count(*) FROM sqlite_schema), (SELECT count(*) FROM
        sqlite_schema WHERE name IN ('room', 'session', 'profile', 'message', 'change', 'outbox',
          'message_text', 'search_state'))
      FROM pragma_user_version
      """
    ) { row in (version: Int(row.integer(0)), all: row.integer(1), own: row.integer(2)) }
    guard let found, found.version <= version else {
      throw LogError(
        .newer,
        reason: "\(database.path): a newer Banter has written this log (version "
          + "\(found?.version ?? 0), this one knows \(version)); install that, or begin a new log "
          + "elsewhere")
    }
    guard found.version == 0 ? found.all == 0 : found.own == 8 else {
      throw LogError(.damaged, reason: "\(database.path): is no log of Banter, or lacks a table")
    }
    return found.version
  }

  private static func version(of database: Database) throws(LogError) -> Int {
    Int(try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0)
  }
}
