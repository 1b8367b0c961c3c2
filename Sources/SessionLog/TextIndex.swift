import TerminalText

/// The index of what messages say: every three characters in a row, of the
/// search key with two blanks behind it, so that each character begins three.
///
/// It is made behind the messages, when there is time; those that are not in
/// it yet are searched one by one. It holds no text itself, so what it holds
/// of a message is taken out by showing it the same text again
/// (sqlite.org/fts5.html, contentless tables).
struct TextIndex {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Up to which message's id all are in the index.
  func end() throws(LogError) -> Int64 {
    try database.first("SELECT indexed_to FROM search_state") { $0.integer(0) } ?? 0
  }

  /// Follows a content that has changed; within a transaction.
  func replace(_ id: Int64, _ old: String?, with new: String?) throws(LogError) {
    guard try id <= end() else { return }
    if let old { try remove(id, old) }
    if let new { try add(id, new) }
  }

  /// Takes in the next messages, at most `limit`.
  /// - Returns: whether there are more.
  func advance(by limit: Int) throws(LogError) -> Bool {
    try database.transaction { () throws(LogError) in
      let start = Value.integer(try end())
      let last = try database.first(
        "SELECT max(id), count(*) FROM (SELECT id FROM message WHERE id > ? ORDER BY id LIMIT ?)",
        start, .integer(Int64(limit))
      ) { row in (id: row.integer(0), count: Int(row.integer(1))) }
      guard let last, last.count > 0 else { return false }
      try database.run(
        """
        INSERT INTO message_text (rowid, text) SELECT id, search_text(content) FROM message
        WHERE id > ? AND id <= ? AND content NOT NULL ORDER BY id
        """, start, .integer(last.id))
      try database.run("UPDATE search_state SET indexed_to = ?", .integer(last.id))
      return last.count == limit
    }
  }

  /// Empties the index; messages are to be taken in anew.
  func clear() throws(LogError) {
    try database.transaction { () throws(LogError) in
      try database.run("INSERT INTO message_text (message_text) VALUES ('delete-all')")
      try database.run("UPDATE search_state SET indexed_to = 0")
    }
  }

  private func add(_ id: Int64, _ content: String) throws(LogError) {
    try database.run(
      "INSERT INTO message_text (rowid, text) VALUES (?, search_text(?))", .integer(id),
      .text(content))
  }

  private func remove(_ id: Int64, _ content: String) throws(LogError) {
    try database.run(
      """
      INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?, search_text(?))
      """, .integer(id), .text(content))
  }
}
