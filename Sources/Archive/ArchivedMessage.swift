package import ChatModel
package import TerminalText

/// A message on its way into an export.
///
/// Nothing in here needs to be neutralised or escaped before.
package struct ArchivedMessage: Sendable {
  /// The name of the room in which it was said.
  package var room: String
  /// What tells that room from others of the same name. Nothing that is written
  /// tells of it.
  package var roomAddress: String
  /// The message as it stands now: edited, deleted, reacted to.
  package var entry: TimelineEntry
  /// The message as it was first written, then its edits, deletions and
  /// reactions in the order in which they came. Only ``ExportFormat/jsonl``
  /// needs them.
  package var events: [Event]
  /// The message that this one answers, if it is known.
  package var repliedTo: RepliedMessage?

  /// A message as it stands, with what has been done to it.
  package init(
    room: String, roomAddress: String? = nil, entry: TimelineEntry, events: [Event] = [],
    repliedTo: RepliedMessage? = nil
  ) {
    self.room = room
    self.roomAddress = roomAddress ?? room
    self.entry = entry
    self.events = events
    self.repliedTo = repliedTo
  }
}
