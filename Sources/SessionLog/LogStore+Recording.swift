package import ChatModel

/// Taking events in.
extension LogStore {
  /// Takes in events that a session has seen or sent, in their order; what is
  /// there already changes nothing. All of it, or nothing, is kept.
  /// - Parameters:
  ///   - cursor: how far the room has been read with them.
  ///   - time: of their arrival; no message is later than that.
  package func record(
    _ events: [Event], cursor: String?, in session: Int64, at time: Timestamp
  ) throws(LogError) {
    try transaction { database throws(LogError) in
      let room = try database.first("SELECT room FROM session WHERE id = ?", .integer(session)) {
        $0.integer(0)
      }
      guard let room else {
        throw LogError(.notFound, reason: "\(path): the log has no session \(session)")
      }
      try record(events, in: room, session, at: time, database)
      if let cursor {
        try database.run("UPDATE room SET cursor = ? WHERE id = ?", .text(cursor), .integer(room))
      }
    }
  }

  /// Takes in a part of a room's past, outside of any session.
  /// - Parameter cursor: up to where the past has been taken in with it.
  package func record(
    _ events: [Event], ofPastIn room: LoggedRoom, upTo cursor: String, at time: Timestamp
  ) throws(LogError) {
    // Many pages change again and again: let them come together in memory.
    try write { database throws(LogError) in
      try database.execute("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 10000")
    }
    try transaction { database throws(LogError) in
      let row = try row(of: room, in: database)
      try record(events, in: row, nil, at: time, database)
      try database.run(
        "UPDATE room SET taken_in = ? WHERE id = ?", .text(cursor), .integer(row))
    }
  }

  /// Up to where a room's past has been taken in; nil before.
  package func takenIn(of room: LoggedRoom) throws(LogError) -> String? {
    try write { database throws(LogError) in
      try database.first("SELECT taken_in FROM room WHERE address = ?", .text(room.address)) {
        $0.text(0)
      }.flatMap(\.self)
    }
  }

  private func record(
    _ events: [Event], in room: Int64, _ session: Int64?, at time: Timestamp, _ database: Database
  ) throws(LogError) {
    var recorder = try Recorder(database: database, room: room, session: session, now: time)
    recorder.profiles = profileRows
    for event in events { try recorder.record(event) }
    try recorder.finish()
    profileRows = recorder.profiles
  }
}
