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

  /// The text that is indexed for a content.
  private static func text(of content: String) -> String { searchKey(of: content) + "  " }

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
      let start = try end()
      var last = start
      var count = 0
      try database.forEachRow(
        "SELECT id, content FROM message WHERE id > ? ORDER BY id LIMIT ?",
        [.integer(start), .integer(Int64(limit))]
      ) { row throws(LogError) in
        (last, count) = (row.integer(0), count + 1)
        if let content = row.text(1) { try add(last, content) }
        return true
      }
      guard count > 0 else { return false }
      try database.run("UPDATE search_state SET indexed_to = ?", .integer(last))
      return count == limit
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
      "INSERT INTO message_text (rowid, text) VALUES (?, ?)", .integer(id),
      .text(Self.text(of: content)))
  }

  private func remove(_ id: Int64, _ content: String) throws(LogError) {
    try database.run(
      "INSERT INTO message_text (message_text, rowid, text) VALUES ('delete', ?, ?)",
      .integer(id), .text(Self.text(of: content)))
  }
}
