package import ChatModel

/// A room as the log names it.
package struct LoggedRoom: Hashable, Sendable {
  /// The same however the room was named, such as `file:///home/jane/team.jsonl`.
  package var address: String
  /// What the prompt calls it.
  package var name: String

  /// A room by its address, which tells it apart, and its name.
  package init(address: String, name: String) {
    self.address = address
    self.name = name
  }
}

/// What the log knows of a room when a session begins in it.
package struct SessionStart: Sendable {
  /// The session's number.
  package var session: Int64
  /// The line that was typed in this room and not sent.
  package var draft: String
  /// The time of the newest message that was seen here; nil in a new room.
  package var readTime: Timestamp?
  /// How far the room had been read; nil in a new room.
  package var cursor: String?
  /// The newest messages that were sent here and that the room's network keeps
  /// under other ids.
  package var networkMessages: [NetworkMessage]
}

/// What a session was begun with.
struct OwnSession {
  var room: LoggedRoom
  var transport: String
  var profile: Profile
  var startedAt: Timestamp
}

extension LogStore {
  /// Begins a session, which others see as alive until it or this process
  /// ends.
  /// - Parameter transport: what carries the room, in a word such as `file`.
  package func beginSession(
    in room: LoggedRoom, transport: String, as profile: Profile, at time: Timestamp
  ) throws(LogError) -> SessionStart {
    let own = OwnSession(room: room, transport: transport, profile: profile, startedAt: time)
    let start = try transaction { database throws(LogError) in
      let session = try freeNumber(database)
      let room = try insert(own, session, database)
      // Before others can see the session, so that it is never taken for dead.
      owners.take(session)
      let known = try database.first(
        "SELECT read_time, cursor FROM room WHERE id = ?", .integer(room)
      ) { row in (readTime: row.optionalInteger(0), cursor: row.text(1)) }
      return SessionStart(
        session: session, draft: try takeDraft(room, session, in: database),
        readTime: (known?.readTime).map(Timestamp.init(milliseconds:)), cursor: known?.cursor,
        networkMessages: try recentNetworkMessages(in: room, database))
    }
    ownSessions[start.session] = own
    return start
  }

  /// A number that no session has: neither in the file nor, alive, in another
  /// one that had the path before.
  private func freeNumber(_ database: Database) throws(LogError) -> Int64 {
    var number =
      try database.first("SELECT coalesce(max(id), 0) + 1 FROM session") {
        $0.integer(0)
      } ?? 1
    while ownSessions[number] != nil || owners.isAlive(number) { number += 1 }
    return number
  }

  /// - Returns: the room's row.
  @discardableResult
  private func insert(
    _ own: OwnSession, _ number: Int64, _ database: Database
  ) throws(LogError) -> Int64 {
    let room = try row(of: own.room, in: database)
    try database.run(
      """
      INSERT OR IGNORE INTO session
        (id, room, transport, profile_id, profile_name, started_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """, .integer(number), .integer(room), .text(own.transport), .text(own.profile.id),
      .text(own.profile.name), .integer(own.startedAt.milliseconds))
    return room
  }

  /// Lets the sessions of this process go on in a file that has not heard of
  /// them.
  func restoreSessions(_ database: Database) throws(LogError) {
    guard !ownSessions.isEmpty else { return }
    try database.transaction { () throws(LogError) in
      for (number, own) in ownSessions { try insert(own, number, database) }
    }
  }

  /// Ends a session: what it left in the outbox is for whoever comes next. The
  /// file is closed, so that it is whole without its journal.
  package func endSession(_ session: Int64, at time: Timestamp) throws(LogError) {
    try write { database throws(LogError) in
      try database.run(
        "UPDATE session SET ended_at = ? WHERE id = ?", .integer(time.milliseconds),
        .integer(session))
    }
    ownSessions[session] = nil
    try release(session)
    close()
  }

  // MARK: - Drafts and read marks

  /// Takes over the room's draft, unless a session that is alive types it.
  private func takeDraft(
    _ room: Int64, _ session: Int64, in database: Database
  ) throws(LogError) -> String {
    let draft = try database.first(
      "SELECT draft, draft_owner FROM room WHERE id = ?", .integer(room)
    ) { row in (text: row.text(0) ?? "", owner: row.optionalInteger(1)) }
    guard let draft, !draft.text.isEmpty else { return "" }
    if let owner = draft.owner, owners.isAlive(owner) { return "" }
    try database.run(
      "UPDATE room SET draft_owner = ? WHERE id = ?", .integer(session), .integer(room))
    return draft.text
  }

  /// Keeps the line that is being typed; an empty one forgets it. Of two
  /// sessions in one room, the one that typed last has the draft.
  package func keepDraft(_ text: String, of session: Int64) throws(LogError) {
    try write { database throws(LogError) in
      try database.run(
        """
        UPDATE room SET draft = ?1, draft_owner = ?2
        WHERE id = (SELECT room FROM session WHERE id = ?2) AND (?1 != '' OR draft_owner = ?2)
        """, .text(text), .integer(session))
    }
  }

  /// Notes that everything up to `time` was seen; it never goes back.
  package func markRead(upTo time: Timestamp, in session: Int64) throws(LogError) {
    try write { database throws(LogError) in
      try database.run(
        """
        UPDATE room SET read_time = max(coalesce(read_time, 0), ?)
        WHERE id = (SELECT room FROM session WHERE id = ?)
        """, .integer(time.milliseconds), .integer(session))
    }
  }

  // MARK: - Rows

  /// The row of a room, made where it is missing.
  func row(of room: LoggedRoom, in database: Database) throws(LogError) -> Int64 {
    try database.run(
      """
      INSERT INTO room (address, name) VALUES (?, ?)
      ON CONFLICT (address) DO UPDATE SET name = excluded.name WHERE name != excluded.name
      """, .text(room.address), .text(room.name))
    return try database.first("SELECT id FROM room WHERE address = ?", .text(room.address)) {
      $0.integer(0)
    } ?? 0
  }
}
