package import ChatModel
internal import Glibc

/// An event that waits to be sent.
package struct WaitingEvent: Sendable, Identifiable {
  /// Its number in the log.
  package var id: Int64
  /// Where it is to go.
  package var room: LoggedRoom
  /// What is to be sent, as it was said.
  package var event: Event
  /// Why it was not taken; nil while it waits.
  package var failure: String?
  /// The cursor of the room at the first attempt to send it.
  package var since: String?
}

/// Messages on their way: kept before they leave, until the room has them.
///
/// Whoever is to send them is their owner: the number of a session, or of
/// another process (``LogStore/ownerOfProcess``). Nobody else touches them
/// while the owner is alive.
extension LogStore {
  /// The owner that a process without a session is.
  package static var ownerOfProcess: Int64 { 1 << 40 + Int64(getpid()) }

  /// Keeps events of a room until they are sent. They survive the end of this
  /// process, however it comes, and, once synced, that of the machine
  /// (sqlite.org/pragma.html#pragma_synchronous).
  /// - Parameters:
  ///   - events: in the order in which they were said, each with the cursor of
  ///     the room at the first attempt to send it; nil before that. Of several
  ///     cursors of one event the first one stays.
  ///   - owner: of those that are new; nil leaves them to whoever comes next.
  ///   - isSynced: whether they are on the disk when this returns; else
  ///     ``syncOutbox()`` puts them there.
  package func keep(
    _ events: [(event: Event, since: String?)], in room: LoggedRoom, owner: Int64?,
    isSynced: Bool = true
  ) throws(LogError) {
    try (isSynced ? durably : quickly) { database throws(LogError) in
      let room = try row(of: room, in: database)
      for (event, since) in events {
        try database.run(
          """
          INSERT INTO outbox (room, event_id, event, since, owner) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (room, event_id) DO UPDATE SET since = coalesce(since, excluded.since)
          """, .integer(room), .text(event.id), .text(EventCodec.encode(event)), Value(since),
          Value(owner))
      }
    }
  }

  /// Puts what was kept on the disk.
  package func syncOutbox() throws(LogError) {
    // A commit that writes syncs what was written before it as well; to put the
    // same value into a row writes nothing.
    try durably { database throws(LogError) in
      try database.run("INSERT INTO room (address, name) VALUES ('sync', '')")
      try database.run("DELETE FROM room WHERE address = 'sync'")
    }
  }

  /// Notes why events were not taken; nil lets them wait again.
  /// - Parameter isUntried: whether the room has certainly nothing of an earlier
  ///   attempt, so that the next one is the first.
  package func fail(
    _ eventIDs: [String], because reason: String?, isUntried: Bool = false, in room: LoggedRoom
  ) throws(LogError) {
    let since = isUntried ? "NULL" : "since"
    try forEach(
      eventIDs, in: room, "UPDATE outbox SET failure = ?, since = \(since)", [Value(reason)])
  }

  /// Forgets events: the room has them, or they were given up.
  package func forget(_ eventIDs: [String], in room: LoggedRoom) throws(LogError) {
    try forEach(eventIDs, in: room, "DELETE FROM outbox", [])
  }

  private func forEach(
    _ eventIDs: [String], in room: LoggedRoom, _ action: String, _ values: [Value]
  ) throws(LogError) {
    let sql = """
      \(action) WHERE event_id = ? AND room = (SELECT id FROM room WHERE address = ?)
      """
    try transaction { database throws(LogError) in
      for id in eventIDs { try database.run(sql, values + [.text(id), .text(room.address)]) }
    }
  }

  /// Takes over what waits in a room and nobody else alive is to send; what had
  /// failed waits again. What this owner has taken before is not in it.
  /// - Returns: it, in the order in which it was said.
  package func claim(in room: LoggedRoom, as owner: Int64) throws(LogError) -> [WaitingEvent] {
    // Where nothing waits nothing is written, so that nobody who holds the log
    // holds up a message.
    let isEmpty = try write { database throws(LogError) in
      try waiting("WHERE room.address = ?", .text(room.address), database).isEmpty
    }
    guard !isEmpty else { return [] }
    // Numbers of processes come again.
    let isNew = !owners.isOwn(owner)
    owners.take(owner)
    return try transaction { database throws(LogError) in
      let waiting = try waiting("WHERE room.address = ?", .text(room.address), database)
      let free = waiting.filter { row in
        row.owner.map { $0 == owner ? isNew : !owners.isAlive($0) } ?? true
      }
      for row in free {
        try database.run(
          "UPDATE outbox SET owner = ?, failure = NULL WHERE id = ?", .integer(owner),
          .integer(row.event.id))
      }
      return free.map(\.event)
    }
  }

  /// Leaves what an owner has not sent to whoever comes next.
  package func release(_ owner: Int64) throws(LogError) {
    defer { owners.release(owner) }
    try write { database throws(LogError) in
      try database.run("UPDATE outbox SET owner = NULL WHERE owner = ?", .integer(owner))
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

  private func quickly(
    _ body: (Database) throws(LogError) -> Void
  ) throws(LogError) {
    try transaction(body)
  }

  private func durably(
    _ body: (Database) throws(LogError) -> Void
  ) throws(LogError) {
    try write { database throws(LogError) in
      try database.execute("PRAGMA synchronous = FULL")
      defer { try? database.execute("PRAGMA synchronous = NORMAL") }
      try database.transaction { () throws(LogError) in try body(database) }
    }
  }
}
