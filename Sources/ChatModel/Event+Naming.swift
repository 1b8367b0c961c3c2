extension Event {
  /// The same event with every message that it is, or is about, called as `name`
  /// says: a network may keep a message under another id than its author's.
  package func namingMessages<Failure: Error>(
    _ name: (_ messageID: String) throws(Failure) -> String
  ) throws(Failure) -> Event {
    switch self {
    case .message(var message):
      message.id = try name(message.id)
      if let original = message.replyTo { message.replyTo = try name(original) }
      return .message(message)
    case .edit(var edit):
      edit.messageID = try name(edit.messageID)
      return .edit(edit)
    case .deletion(var deletion):
      deletion.messageID = try name(deletion.messageID)
      return .deletion(deletion)
    case .reaction(var reaction):
      reaction.messageID = try name(reaction.messageID)
      return .reaction(reaction)
    case .profile, .presence, .notice: return self
    }
  }
}
