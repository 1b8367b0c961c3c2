/// One thing that happened in a room: a JSON object on one line, wherever it
/// is kept or carried. See ``EventCodec`` for its form.
package enum Event: Sendable, Equatable {
  case message(Message)
  case edit(Edit)
  case deletion(Deletion)
  case reaction(Reaction)
  case profile(ProfileChange)
  case presence(Presence)
  case notice(Notice)

  /// The message's id, or the event's own.
  package var id: String {
    switch self {
    case .message(let message): message.id
    case .edit(let edit): edit.eventID
    case .deletion(let deletion): deletion.eventID
    case .reaction(let reaction): reaction.eventID
    case .profile(let change): change.eventID
    case .presence(let presence): presence.eventID
    case .notice(let notice): notice.eventID
    }
  }

  /// What the author's clock said; nil when it said nothing that is a date.
  package var createdAt: Timestamp? {
    switch self {
    case .message(let message): message.createdAt
    case .edit(let edit): edit.createdAt
    case .deletion(let deletion): deletion.createdAt
    case .reaction(let reaction): reaction.createdAt
    case .profile(let change): change.createdAt
    case .presence(let presence): presence.createdAt
    case .notice(let notice): notice.createdAt
    }
  }
}

/// New content for a message; counts only when its author made it.
package struct Edit: Hashable, Sendable {
  package var eventID: String
  package var messageID: String
  package var profileID: String
  package var content: String
  package var createdAt: Timestamp?

  package init(
    eventID: String, messageID: String, profileID: String, content: String,
    createdAt: Timestamp? = nil
  ) {
    self.eventID = eventID
    self.messageID = messageID
    self.profileID = profileID
    self.content = content
    self.createdAt = createdAt
  }
}

/// The end of a message; counts only when its author made it, and for good.
package struct Deletion: Hashable, Sendable {
  package var eventID: String
  package var messageID: String
  package var profileID: String
  package var createdAt: Timestamp?

  package init(
    eventID: String, messageID: String, profileID: String, createdAt: Timestamp? = nil
  ) {
    self.eventID = eventID
    self.messageID = messageID
    self.profileID = profileID
    self.createdAt = createdAt
  }
}

/// An emoji that somebody put on a message, or took away again.
package struct Reaction: Hashable, Sendable {
  package var eventID: String
  package var messageID: String
  package var profileID: String
  package var reaction: String
  package var isRemoved: Bool
  package var createdAt: Timestamp?

  package init(
    eventID: String, messageID: String, profileID: String, reaction: String,
    isRemoved: Bool = false, createdAt: Timestamp? = nil
  ) {
    self.eventID = eventID
    self.messageID = messageID
    self.profileID = profileID
    self.reaction = reaction
    self.isRemoved = isRemoved
    self.createdAt = createdAt
  }
}

/// What a profile says of itself from now on. A field that is nil, or not in
/// `fields`, stays as it was; an empty one is cleared.
package struct ProfileChange: Hashable, Sendable {
  package var eventID: String
  package var profileID: String
  package var profileName: String?
  package var profileImage: String?
  /// Further fields, such as `about`, by name.
  package var fields: [String: String]
  package var createdAt: Timestamp?

  package init(
    eventID: String, profileID: String, profileName: String? = nil, profileImage: String? = nil,
    fields: [String: String] = [:], createdAt: Timestamp? = nil
  ) {
    self.eventID = eventID
    self.profileID = profileID
    self.profileName = profileName
    self.profileImage = profileImage
    self.fields = fields
    self.createdAt = createdAt
  }
}

/// Whether somebody is in the room now; never kept in a room file.
package struct Presence: Hashable, Sendable {
  package var eventID: String
  package var profileID: String
  package var isPresent: Bool
  package var createdAt: Timestamp?

  package init(
    eventID: String, profileID: String, isPresent: Bool, createdAt: Timestamp? = nil
  ) {
    self.eventID = eventID
    self.profileID = profileID
    self.isPresent = isPresent
    self.createdAt = createdAt
  }
}

/// What nobody said: someone joined, a topic was set.
package struct Notice: Hashable, Sendable {
  package var eventID: String
  package var content: String
  package var createdAt: Timestamp?

  package init(eventID: String, content: String, createdAt: Timestamp? = nil) {
    self.eventID = eventID
    self.content = content
    self.createdAt = createdAt
  }
}
