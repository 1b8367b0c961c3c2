internal import ChatModel
internal import CPosix
internal import TerminalText

/// Where a search goes on: behind the last message that was found.
package struct SearchPlace: Hashable, Sendable {
  var time: Int64
  var id: Int64
}

/// A part of what was found.
package struct SearchPage: Sendable {
  /// Newest first.
  package var messages: [LoggedMessage]
  /// Where the next page begins; nil when this was the last.
  package var next: SearchPlace?
}

extension LogStore {
  /// Finds messages, newest first.
  /// - Parameter recent: how many messages are read before the index is asked.
  package func search(
    _ query: SearchQuery, after place: SearchPlace? = nil, limit: Int, recent: Int = 1_000
  ) throws(LogError) -> SearchPage {
    try read { database throws(LogError) in
      var search = Search(database: database, query: query, limit: limit, recent: recent)
      try search.prepare()
      try search.run(after: place)
      let messages = try search.found.map { id throws(LogError) in try message(id, database) }
      return SearchPage(messages: messages.compactMap(\.self), next: search.next)
    }
  }

  /// The message of that number; nil when there is none.
  package func message(_ id: Int64) throws(LogError) -> LoggedMessage? {
    try read { database throws(LogError) in try message(id, database) }
  }

  /// The message of a room by its id in there; nil when the log has none.
  package func message(_ id: String, in room: LoggedRoom) throws(LogError) -> LoggedMessage? {
    try read { database throws(LogError) in
      try database.first(
        """
        SELECT \(LoggedMessage.columns) FROM \(LoggedMessage.tables)
        WHERE message.room = (SELECT id FROM room WHERE address = ?) AND message_id = ?
        """, .text(room.address), .text(id), transform: LoggedMessage.init)
    }
  }

  /// How many messages of a room are in the log.
  package func messageCount(in room: LoggedRoom) throws(LogError) -> Int {
    try read { database throws(LogError) in
      try database.first(
        """
        SELECT count(*) FROM message WHERE room = (SELECT id FROM room WHERE address = ?)
        """, .text(room.address)
      ) { Int($0.integer(0)) } ?? 0
    }
  }

  func message(_ id: Int64, _ database: Database) throws(LogError) -> LoggedMessage? {
    let message = try database.first(
      "SELECT \(LoggedMessage.columns) FROM \(LoggedMessage.tables) WHERE message.id = ?",
      .integer(id), transform: LoggedMessage.init)
    guard var message else { return nil }
    try addReactions(to: &message, database)
    return message
  }

  /// Brings the index closer to the newest message.
  /// - Returns: whether it is not there yet.
  package func advanceIndex(by limit: Int) throws(LogError) -> Bool {
    try write { database throws(LogError) in try TextIndex(database).advance(by: limit) }
  }
}

/// One search over the log.
///
/// A word that is common is soon found by reading backwards from the newest
/// message. Where that does not fill a page, the index names the messages that
/// have all of the words' three-letter parts, and those are read.
private struct Search {
  let database: Database
  let query: SearchQuery
  let limit: Int
  let recent: Int
  private(set) var found: [Int64] = []
  private(set) var next: SearchPlace?
  /// SQL that the other filters add to a WHERE, and its values.
  private var condition = ""
  private var values: [Value] = []

  init(database: Database, query: SearchQuery, limit: Int, recent: Int) {
    (self.database, self.query, self.limit, self.recent) = (database, query, limit, recent)
  }

  mutating func prepare() throws(LogError) {
    try restrict(
      "author", to: query.authors, "SELECT id, name, profile_id FROM profile")
    try restrict(
      "message.room", to: query.rooms, "SELECT id, name, address FROM room")
    if let from = query.from { restrict(" AND time >= ?", .integer(from.milliseconds)) }
    if let until = query.until { restrict(" AND time < ?", .integer(until.milliseconds)) }
    if query.hasImage {
      condition +=
        " AND CASE WHEN json_valid(details) THEN json_array_length(details, '$.images') > 0 END"
    }
  }

  private mutating func restrict(_ sql: String, _ value: Value) {
    condition += sql
    values.append(value)
  }

  /// Finds the rows that one of `keys` fits.
  private mutating func restrict(
    _ column: String, to keys: [String], _ sql: String
  ) throws(LogError) {
    guard !keys.isEmpty else { return }
    let isAuthor = column == "author"
    let rows = try database.rows(sql) { row in
      (id: row.integer(0), names: [row.text(1), row.text(2)].map { searchKey(of: $0 ?? "") })
    }
    let ids = rows.filter { row in
      row.names.contains { name in
        keys.contains { isAuthor ? name.hasPrefix($0) : name.contains($0) }
      }
    }.map { String($0.id) }
    condition += " AND \(column) IN (\(ids.joined(separator: ",")))"
  }

  mutating func run(after place: SearchPlace?) throws(LogError) {
    let start = place ?? SearchPlace(time: .max, id: .max)
    let isPlain = query.words.isEmpty
    let read = try scan(from: start, rows: isPlain ? .max : recent)
    guard found.count <= limit, let read else { return finish() }
    if let candidates = try candidates(from: read) {
      for (id, place) in candidates where found.count <= limit {
        if try matches(id) { take(id, place) }
      }
    } else {
      _ = try scan(from: read, rows: .max)
    }
    finish()
  }

  private var places: [SearchPlace] = []

  private mutating func take(_ id: Int64, _ place: SearchPlace) {
    found.append(id)
    places.append(place)
  }

  /// One more than was asked for tells that there is more.
  private mutating func finish() {
    guard found.count > limit else { return }
    found.removeLast()
    next = places.dropLast().last
  }

  /// Reads backwards until the page is full.
  /// - Returns: where to go on; nil at the beginning of the log.
  private mutating func scan(
    from start: SearchPlace, rows: Int
  ) throws(LogError) -> SearchPlace? {
    var last = start
    var count = 0
    try database.forEachRow(
      """
      SELECT message.id, time, content FROM message
      WHERE (time, message.id) < (?, ?)\(condition) ORDER BY time DESC, message.id DESC
      """, [.integer(start.time), .integer(start.id)] + values
    ) { row throws(LogError) in
      last = SearchPlace(time: row.integer(1), id: row.integer(0))
      count += 1
      if query.words.isEmpty || matches(row.text(2)) { take(last.id, last) }
      return count < rows && found.count <= limit
    }
    return count < rows && found.count <= limit ? nil : last
  }

  private func matches(_ content: String?) -> Bool {
    guard let content else { return false }
    let key = searchKey(of: content)
    return query.words.allSatisfy { key.utf8Contains($0) }
  }

  private func matches(_ id: Int64) throws(LogError) -> Bool {
    let content = try database.first(
      "SELECT content FROM message WHERE id = ?", .integer(id)
    ) { $0.text(0) }
    return matches(content.flatMap(\.self))
  }

  // MARK: - The index

  /// Messages before `start` that may have the words, newest first; nil when
  /// the index cannot tell them apart.
  private func candidates(
    from start: SearchPlace
  ) throws(LogError) -> [(id: Int64, place: SearchPlace)]? {
    guard let expression = try expression() else { return nil }
    var candidates: [(id: Int64, place: SearchPlace)] = []
    let filter = "(time, message.id) < (?, ?)\(condition)"
    // By id, whatever the planner thinks of the time: it would read them all.
    let bounds: [Value] = [.integer(start.time), .integer(start.id)] + values
    func take(_ row: borrowing Row) throws(LogError) -> Bool {
      let place = SearchPlace(time: row.integer(1), id: row.integer(0))
      candidates.append((place.id, place))
      return true
    }
    if !expression.isEmpty {
      try database.forEachRow(
        """
        SELECT message.id, time FROM message_text CROSS JOIN message NOT INDEXED
          ON message.id = message_text.rowid
        WHERE message_text MATCH ? AND \(filter)
        """, [.text(expression)] + bounds, take)
    }
    let end = try TextIndex(database).end()
    try database.forEachRow(
      "SELECT message.id, time FROM message NOT INDEXED WHERE message.id > ? AND \(filter)",
      [.integer(end)] + bounds, take)
    return candidates.sorted { ($0.place.time, $0.id) > ($1.place.time, $1.id) }
  }

  /// The words' parts as an FTS5 expression; empty when no message can have
  /// them, nil when the words are too short to tell.
  private func expression() throws(LogError) -> String? {
    var parts: Set<String> = []
    for word in query.words {
      let scalars = Array(word.unicodeScalars)
      guard scalars.count < 3 else {
        let places = scalars.indices.dropLast(2).prefix(Self.partLimit)
        parts.formUnion(places.map { Self.quoted(scalars[$0...$0 + 2]) })
        continue
      }
      guard let terms = try terms(beginningWith: word) else { continue }
      guard !terms.isEmpty else { return "" }
      parts.insert(
        "(" + terms.map { Self.quoted($0.unicodeScalars) }.joined(separator: " OR ") + ")")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// So many parts of a word tell enough: what is found is read anyway.
  private static let partLimit = 50

  /// More alternatives than that and the index is of no help.
  private static let termLimit = 2_000

  /// The parts in the index that begin with one or two characters; nil when
  /// there are too many.
  private func terms(beginningWith word: String) throws(LogError) -> [String]? {
    try database.execute(
      """
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.message_term
      USING fts5vocab (main, message_text, row)
      """)
    let terms = try database.rows(
      // No character of UTF-8 has the byte FF.
      """
      SELECT term FROM temp.message_term
      WHERE term >= ?1 AND term < ?1 || CAST(x'FF' AS TEXT) LIMIT ?2
      """,
      .text(word), .integer(Int64(Self.termLimit + 1))
    ) { $0.text(0) ?? "" }
    return terms.count > Self.termLimit ? nil : terms
  }

  private static func quoted(_ scalars: some Collection<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar == "\"" { text.append("\"") }
      text.append(scalar)
    }
    return "\"\(String(text))\""
  }
}

extension String {
  /// Whether the bytes of `part` are in this text: keys are compared as they
  /// are, which costs a tenth of comparing characters.
  fileprivate func utf8Contains(_ part: String) -> Bool {
    var (text, part) = (self, part)
    return text.withUTF8 { text in
      part.withUTF8 { part in
        posix_contains(text.baseAddress, text.count, part.baseAddress, part.count)
      }
    }
  }
}
