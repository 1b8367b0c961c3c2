package import ChatModel

/// One's own message as the log has it, and an id under which the room's
/// network has it, or a part of it.
package struct NetworkMessage: Sendable {
  package var networkID: String
  /// Whole, as it is now.
  package var message: Message

  /// A message under one of the ids that the network has for it.
  package init(networkID: String, message: Message) {
    (self.networkID, self.message) = (networkID, message)
  }
}

/// Own messages that a network keeps under ids of its own: in the log they are
/// one with what was sent.
extension LogStore {
  /// How many are known to a session from its beginning; a replay is shorter.
  private static let recentLimit = 500

  /// Notes under which ids a room's network keeps a message.
  /// - Parameter networkIDs: several, in order, where it has become several
  ///   messages there.
  package func note(
    _ networkIDs: [String], of messageID: String, in room: LoggedRoom
  ) throws(LogError) {
    try transaction { database throws(LogError) in
      let room = try row(of: room, in: database)
      for networkID in networkIDs where networkID != messageID {
        try database.run(
          "INSERT OR IGNORE INTO network_id (room, network_id, message_id) VALUES (?, ?, ?)",
          .integer(room), .text(networkID), .text(messageID))
        try merge(networkID, into: messageID, in: room, database)
      }
    }
  }

  /// Another session at the same log may have had it from the network first.
  private func merge(
    _ networkID: String, into messageID: String, in room: Int64, _ database: Database
  ) throws(LogError) {
    let place = [Value.integer(room), .text(networkID)]
    try database.run(
      "UPDATE OR IGNORE message SET message_id = ? WHERE room = ? AND message_id = ?",
      [.text(messageID)] + place)
    let double = try database.first(
      "SELECT id, content FROM message WHERE room = ? AND message_id = ?", place[0], place[1]
    ) { row in (id: row.integer(0), content: row.text(1)) }
    guard let double else { return }
    try TextIndex(database).replace(double.id, double.content, with: nil)
    try database.run("DELETE FROM message WHERE id = ?", .integer(double.id))
  }

  /// The newest of them in a room, newest first.
  func recentNetworkMessages(
    in room: Int64, _ database: Database
  ) throws(LogError) -> [NetworkMessage] {
    try database.rows(
      """
      SELECT \(LoggedMessage.columns), network_id FROM \(LoggedMessage.tables)
      JOIN network_id ON network_id.room = message.room
        AND network_id.message_id = message.message_id
      WHERE network_id.room = ? AND message.state != 2
      ORDER BY network_id.id DESC LIMIT \(Self.recentLimit)
      """, .integer(room)
    ) { row in
      NetworkMessage(
        networkID: row.text(LoggedMessage.columnCount) ?? "",
        message: LoggedMessage(row).entry.message)
    }
  }
}
