package import ChatModel

/// An event that waits to be sent.
package struct WaitingEvent: Sendable, Identifiable {
  /// Its number in the log.
  package var id: Int64
  package var room: LoggedRoom
  package var event: Event
  /// Why it was not taken; nil while it waits.
  package var failure: String?
  /// The cursor of the room at the first attempt to send it.
  package var since: String?
}

/// Messages on their way: kept before they leave, until the room has them.
extension LogStore {
  /// Keeps events of a session until they are sent.
  ///
  /// They survive the end of this process, however it comes; with `isSynced`
  /// also that of the machine (sqlite.org/pragma.html#pragma_synchronous).
  package func keep(
    _ events: [Event], of session: Int64, isSynced: Bool = false
  ) throws(LogError) {
    try durably(isSynced) { database throws(LogError) in
      for event in events {
        try database.run(
          """
          INSERT OR IGNORE INTO outbox (room, event_id, event, owner)
          SELECT room, ?, ?, id FROM session WHERE id = ?
          """, .text(event.id), .text(EventCodec.encode(event)), .integer(session))
      }
    }
  }

  /// Notes where the room stood when events were first sent.
  package func noteAttempt(
    _ eventIDs: [String], since cursor: String, in session: Int64
  ) throws(LogError) {
    try forEach(eventIDs, of: session, "since = coalesce(since, ?)", .text(cursor))
  }

  /// Notes why events were not taken; nil lets them wait again.
  package func fail(
    _ eventIDs: [String], _ reason: String?, in session: Int64
  ) throws(LogError) {
    try forEach(eventIDs, of: session, "failure = ?", Value(reason))
  }

  private func forEach(
    _ eventIDs: [String], of session: Int64, _ change: String, _ value: Value
  ) throws(LogError) {
    try transaction { database throws(LogError) in
      for id in eventIDs {
        try database.run(
          """
          UPDATE outbox SET \(change) WHERE event_id = ?
            AND room = (SELECT room FROM session WHERE id = ?)
          """, value, .text(id), .integer(session))
      }
    }
  }

  /// Forgets events: the room has them, or they were given up.
  package func forget(_ eventIDs: [String], in session: Int64) throws(LogError) {
    try transaction { database throws(LogError) in
      for id in eventIDs {
        try database.run(
          """
          DELETE FROM outbox WHERE event_id = ?
            AND room = (SELECT room FROM session WHERE id = ?)
          """, .text(id), .integer(session))
      }
    }
  }

  /// Takes over what waits in a session's room and nobody else alive is to
  /// send, in the order in which it was said.
  package func claim(for session: Int64) throws(LogError) -> [WaitingEvent] {
    try transaction { database throws(LogError) in
      let waiting = try waiting(
        "WHERE outbox.room = (SELECT room FROM session WHERE id = ?)", .integer(session), database)
      let free = waiting.filter { $0.owner.map { $0 != session && !owners.isAlive($0) } ?? true }
      for row in free {
        try database.run(
          "UPDATE outbox SET owner = ?, failure = NULL WHERE id = ?", .integer(session),
          .integer(row.event.id))
      }
      return free.map { row in
        var event = row.event
        event.failure = nil
        return event
      }
    }
  }

  /// All that waits, in every room, in the order in which it was said.
  package func waitingEvents() throws(LogError) -> [WaitingEvent] {
    try read { database throws(LogError) in
      try waiting("WHERE ?", 1, database).map(\.event)
    }
  }

  /// Gives up what waits and nobody alive is sending.
  /// - Returns: how many that were.
  package func discard(_ ids: [Int64]) throws(LogError) -> Int {
    try transaction { database throws(LogError) in
      var count = 0
      for row in try waiting("WHERE ?", 1, database) where ids.contains(row.event.id) {
        if let owner = row.owner, owners.isAlive(owner) { continue }
        try database.run("DELETE FROM outbox WHERE id = ?", .integer(row.event.id))
        count += 1
      }
      return count
    }
  }

  private func waiting(
    _ condition: String, _ value: Value, _ database: Database
  ) throws(LogError) -> [(event: WaitingEvent, owner: Int64?)] {
    let rows = try database.rows(
      """
      SELECT outbox.id, room.address, room.name, event, failure, since, owner FROM outbox
      JOIN room ON room.id = outbox.room \(condition) ORDER BY outbox.id
      """, value
    ) { row -> (event: WaitingEvent, owner: Int64?)? in
      guard let event = try? EventCodec.decode(row.text(3) ?? "") else { return nil }
      let waiting = WaitingEvent(
        id: row.integer(0), room: LoggedRoom(address: row.text(1) ?? "", name: row.text(2) ?? ""),
        event: event, failure: row.text(4), since: row.text(5))
      return (waiting, row.optionalInteger(6))
    }
    return rows.compactMap(\.self)
  }

  private func durably(
    _ isSynced: Bool, _ body: (Database) throws(LogError) -> Void
  ) throws(LogError) {
    try write { database throws(LogError) in
      if isSynced { try database.execute("PRAGMA synchronous = FULL") }
      defer { if isSynced { try? database.execute("PRAGMA synchronous = NORMAL") } }
      try database.transaction { () throws(LogError) in try body(database) }
    }
  }
}
