internal import ChatModel
internal import Transport

/// Events of a room file that are too large for a line of the protocol: what
/// is not UTF-8 there becomes longer than it was.
extension Event {
  /// How large an event may be, encoded, so that a line has room for it.
  static let maximumBytesOfLine = LineProtocol.maximumLineBytes - 16 * 1024

  var encodedBytes: Int {
    var buffer: [UInt8] = []
    EventCodec.encode(self, into: &buffer)
    return buffer.count
  }

  /// The same with the beginning of what is long, and without what nobody
  /// needs in order to make sense of it.
  var shortened: Event {
    switch self {
    case .message(let message):
      .message(
        Message(
          id: message.id, profileID: message.profileID,
          profileName: message.profileName?.beginning(1000),
          content: message.content?.beginning(50_000) ?? "", createdAt: message.createdAt,
          replyTo: message.replyTo, isAction: message.isAction, isTruncated: true))
    case .edit(let edit):
      .edit(
        Edit(
          eventID: edit.eventID, messageID: edit.messageID, profileID: edit.profileID,
          content: edit.content.beginning(50_000), createdAt: edit.createdAt))
    case .reaction(let reaction):
      .reaction(
        Reaction(
          eventID: reaction.eventID, messageID: reaction.messageID,
          profileID: reaction.profileID, reaction: reaction.reaction.beginning(100),
          isRemoved: reaction.isRemoved, createdAt: reaction.createdAt))
    case .profile(let change):
      .profile(
        ProfileChange(
          eventID: change.eventID, profileID: change.profileID,
          profileName: change.profileName?.beginning(1000), createdAt: change.createdAt))
    case .notice(let notice):
      .notice(
        Notice(
          eventID: notice.eventID, content: notice.content.beginning(50_000),
          createdAt: notice.createdAt))
    case .deletion, .presence: self
    }
  }
}

extension String {
  fileprivate func beginning(_ count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
