package import ChatModel

/// Which messages of the log are read.
package struct LogRange: Hashable, Sendable {
  /// Only this room's.
  package var room: LoggedRoom?
  /// The first moment that counts.
  package var from: Timestamp?
  /// The last moment that counts.
  package var through: Timestamp?

  /// A range of all messages, where nothing limits it.
  package init(room: LoggedRoom? = nil, from: Timestamp? = nil, through: Timestamp? = nil) {
    self.room = room
    self.from = from
    self.through = through
  }
}

/// One run at the prompt.
package struct LoggedSession: Sendable, Identifiable {
  /// Its number in the log; later ones are higher.
  package var id: Int64
  /// Where it was; a session stays in one room.
  package var room: LoggedRoom
  /// Who was at the prompt, as far as id and name.
  package var profile: Profile
  /// When it began, by this machine's clock.
  package var startedAt: Timestamp
  /// nil while it goes on, and after a crash.
  package var endedAt: Timestamp?
  /// When it ended; where nothing says so, the time of the newest message that
  /// it was the first to see, or its start.
  package var lastMoment: Timestamp
  /// Whether its process is still there.
  package var isAlive: Bool
  /// Messages said in the room up to its last moment.
  package var messageCount: Int
}

extension LogStore {
  /// Messages in the order of time, oldest first: at most `limit` behind
  /// `place`, or from the beginning of the range.
  package func messages(
    in range: LogRange, after place: SearchPlace? = nil, limit: Int
  ) throws(LogError) -> [LoggedMessage] {
    try page(range, order: "ASC", beyond: place, limit)
  }

  /// The newest messages of a range, at most `limit` before `place`; oldest
  /// first.
  package func messages(
    in range: LogRange, before place: SearchPlace?, limit: Int
  ) throws(LogError) -> [LoggedMessage] {
    try page(range, order: "DESC", beyond: place, limit).reversed()
  }

  private func page(
    _ range: LogRange, order: String, beyond place: SearchPlace?, _ limit: Int
  ) throws(LogError) -> [LoggedMessage] {
    try read { database throws(LogError) in
      var conditions = ["1"]
      var values: [Value] = []
      func add(_ condition: String, _ new: Value...) {
        conditions.append(condition)
        values += new
      }
      if let room = range.room {
        add("message.room = (SELECT id FROM room WHERE address = ?)", .text(room.address))
      }
      if let from = range.from { add("time >= ?", .integer(from.milliseconds)) }
      if let through = range.through { add("time <= ?", .integer(through.milliseconds)) }
      if let place {
        let sign = order == "ASC" ? ">" : "<"
        add("(time, message.id) \(sign) (?, ?)", .integer(place.time), .integer(place.id))
      }
      var messages: [LoggedMessage] = []
      try database.forEachRow(
        """
        SELECT \(LoggedMessage.columns) FROM \(LoggedMessage.tables)
        WHERE \(conditions.joined(separator: " AND "))
        ORDER BY time \(order), message.id \(order) LIMIT \(limit)
        """, values
      ) { row throws(LogError) in
        messages.append(LoggedMessage(row))
        return true
      }
      for index in messages.indices { try addReactions(to: &messages[index], database) }
      return messages
    }
  }

  /// The events that made a message what it is: as it was written, then its
  /// edits, deletions and reactions, oldest first. Of one that was deleted the
  /// words are gone, and so are its edits.
  package func events(of message: LoggedMessage) throws(LogError) -> [Event] {
    try read { database throws(LogError) in
      let original = try database.first(
        "SELECT original FROM message WHERE id = ?", .integer(message.id)
      ) { $0.text(0) }
      var written = message
      written.entry.message.content = original.flatMap(\.self) ?? message.entry.message.content
      return [written.event] + (try changes(of: message, database))
    }
  }

  func addReactions(to message: inout LoggedMessage, _ database: Database) throws(LogError) {
    guard !message.entry.isDeleted else { return }
    for event in try changes(of: message, database) {
      if case .reaction = event { _ = message.entry.apply(event) }
    }
  }

  private func changes(
    of message: LoggedMessage, _ database: Database
  ) throws(LogError) -> [Event] {
    let id = message.entry.id
    return try database.rows(
      """
      SELECT kind, event_id, profile_id, content, removed, created_at FROM change
      WHERE room = (SELECT room FROM message WHERE id = ?) AND message_id = ?
        AND NOT (kind = 'edit' AND content IS NULL)
      ORDER BY time, id
      """, .integer(message.id), .text(id)
    ) { row in
      let (eventID, profileID) = (row.text(1) ?? "", row.text(2) ?? "")
      let (content, isRemoved) = (row.text(3) ?? "", row.integer(4) != 0)
      let createdAt = row.optionalInteger(5).map(Timestamp.init(milliseconds:))
      switch row.text(0) {
      case "edit":
        return Event.edit(
          Edit(
            eventID: eventID, messageID: id, profileID: profileID, content: content,
            createdAt: createdAt))
      case "reaction":
        return Event.reaction(
          Reaction(
            eventID: eventID, messageID: id, profileID: profileID, reaction: content,
            isRemoved: isRemoved, createdAt: createdAt))
      default:
        return Event.deletion(
          Deletion(
            eventID: eventID, messageID: id, profileID: profileID, createdAt: createdAt))
      }
    }
  }

  /// Where a message stands, to read on from there.
  package func place(of message: LoggedMessage) -> SearchPlace {
    SearchPlace(time: message.entry.time.milliseconds, id: message.id)
  }

  /// The rooms that have messages in a range, sorted by name; the range's own
  /// room, where it has one, in any case.
  package func rooms(in range: LogRange) throws(LogError) -> [LoggedRoom] {
    if let room = range.room { return [room] }
    return try read { database throws(LogError) in
      try database.rows(
        """
        SELECT address, name FROM room WHERE EXISTS
          (SELECT 1 FROM message WHERE message.room = room.id AND time BETWEEN ? AND ?)
        ORDER BY name
        """, .integer(range.from?.milliseconds ?? .min),
        .integer(range.through?.milliseconds ?? .max)
      ) { LoggedRoom(address: $0.text(0) ?? "", name: $0.text(1) ?? "") }
    }
  }

  /// The profiles that have been at the prompt.
  package func ownProfileIDs() throws(LogError) -> Set<String> {
    try read { database throws(LogError) in
      Set(try database.rows("SELECT DISTINCT profile_id FROM session") { $0.text(0) ?? "" })
    }
  }

  /// The newest sessions, oldest first.
  package func sessions(limit: Int) throws(LogError) -> [LoggedSession] {
    try read { database throws(LogError) in
      try database.rows(
        "\(Self.sessionQuery) ORDER BY session.id DESC LIMIT ?", .integer(Int64(limit))
      ) { row in session(row) }.reversed()
    }
  }

  /// The session of that number; nil when there is none.
  package func session(_ number: Int64) throws(LogError) -> LoggedSession? {
    try read { database throws(LogError) in
      try database.first("\(Self.sessionQuery) WHERE session.id = ?", .integer(number)) { row in
        session(row)
      }
    }
  }

  private static let sessionQuery = """
    SELECT session.id, room.address, room.name, session.profile_id, session.profile_name,
      started_at, ended_at, last_moment,
      (SELECT count(*) FROM message WHERE message.room = session.room
        AND time BETWEEN started_at AND last_moment)
    FROM (
      SELECT *, coalesce(
        ended_at,
        (SELECT max(time) FROM message
          WHERE message.room = session.room AND message.session = session.id),
        started_at) AS last_moment
      FROM session
    ) AS session
    JOIN room ON room.id = session.room
    """

  private func session(_ row: borrowing Row) -> LoggedSession {
    let ended = row.optionalInteger(6).map(Timestamp.init(milliseconds:))
    return LoggedSession(
      id: row.integer(0), room: LoggedRoom(address: row.text(1) ?? "", name: row.text(2) ?? ""),
      profile: Profile(id: row.text(3) ?? "", name: row.text(4) ?? ""),
      startedAt: Timestamp(milliseconds: row.integer(5)), endedAt: ended,
      lastMoment: Timestamp(milliseconds: row.integer(7)),
      isAlive: ended == nil && owners.isAlive(row.integer(0)), messageCount: Int(row.integer(8)))
  }
}
