package import ChatModel

/// A message as the log has it, with what was done to it since.
package struct LoggedMessage: Sendable, Identifiable {
  /// Its number in the log, which others may refer to.
  package var id: Int64
  /// Where it was said.
  package var room: LoggedRoom
  /// The message as it stands, edited, deleted, reacted to.
  package var entry: TimelineEntry
  /// The author's name, or the id where none is known.
  package var name: String
}

extension LoggedMessage {
  /// The message as an event, as it stands. A deleted one says nothing, since
  /// without a content it would be no event.
  package var event: Event {
    var message = entry.message
    if entry.isDeleted { message.content = message.content ?? "" }
    return .message(message)
  }

  /// The columns from which ``init(_:)`` makes one.
  static let columns = """
    message.id, room.address, room.name, profile.profile_id, profile.name, message.message_id,
    message.name, message.content, message.details, message.created_at, message.time,
    message.state
    """
  static let columnCount: Int32 = 12

  /// The tables that have the columns.
  static let tables = """
    message JOIN room ON room.id = message.room JOIN profile ON profile.id = message.author
    """

  init(_ row: borrowing Row) {
    id = row.integer(0)
    room = LoggedRoom(address: row.text(1) ?? "", name: row.text(2) ?? "")
    let profileID = row.text(3) ?? ""
    var message = Message(
      id: row.text(5) ?? "", profileID: profileID, profileName: row.text(6), content: row.text(7),
      createdAt: row.optionalInteger(9).map(Timestamp.init(milliseconds:)))
    MessageDetails.apply(row.text(8), to: &message)
    let state = row.integer(11)
    entry = TimelineEntry(
      message: message, time: Timestamp(milliseconds: row.integer(10)), isEdited: state == 1,
      isDeleted: state == 2)
    let names = [row.text(6), row.text(4)].compactMap(\.self).filter { !$0.isEmpty }
    name = names.first ?? profileID
  }
}
