package import ChatModel

/// A message as it is to be shown, with what only the session knows of it.
///
/// Nothing in here needs to be neutralised before.
package struct ShownMessage: Sendable {
  /// The message, with what was done to it since.
  package var entry: TimelineEntry
  /// By which commands name it; nil where there are no commands.
  package var number: Int?
  /// The author's name of today; where it is empty, the profile's id is shown.
  package var senderName: String
  /// The message that this one answers, if it is known.
  package var repliedTo: RepliedMessage?
  /// The room's name; nil when only one is open.
  package var room: String?
  /// Whether one wrote it oneself; nil where the transcript's options tell.
  package var isOwn: Bool?
  /// How far one's own message has come.
  package var delivery: Delivery
  /// What has happened to a message that was shown before; nil shows it whole.
  package var update: MessageUpdate?

  /// A message to be shown whole, unless `update` is given.
  package init(
    entry: TimelineEntry, number: Int? = nil, senderName: String,
    repliedTo: RepliedMessage? = nil, room: String? = nil, delivery: Delivery = .received,
    update: MessageUpdate? = nil
  ) {
    self.entry = entry
    self.number = number
    self.senderName = senderName
    self.repliedTo = repliedTo
    self.room = room
    self.delivery = delivery
    self.update = update
  }
}

/// What a reply shows of the message that it answers.
package struct RepliedMessage: Hashable, Sendable {
  /// Its author's name.
  package var name: String
  /// The content, or its beginning; one row of it is shown.
  package var excerpt: String

  /// What is shown of a message of `name`.
  package init(name: String, excerpt: String) {
    self.name = name
    self.excerpt = excerpt
  }

  /// What is shown of `original`, a message of `name`: where nothing was said
  /// in it, that it was deleted, or what was sent.
  package init(name: String, original: TimelineEntry, language: Language) {
    let message = original.message
    let wording = Wording(language: language)
    let content = withoutBlankEnds(message.content ?? "")
    if original.isDeleted {
      self.init(name: name, excerpt: wording.deleted)
    } else if content.isEmpty, !message.images.isEmpty {
      self.init(name: name, excerpt: wording.onlyImages)
    } else if content.isEmpty, !message.files.isEmpty {
      self.init(name: name, excerpt: wording.onlyFiles)
    } else {
      self.init(name: name, excerpt: content)
    }
  }
}

/// How far a message has come.
package enum Delivery: Hashable, Sendable {
  case received
  case pending
  case sent
  case failed(reason: String)
}

/// What has happened to a message that was shown before.
package enum MessageUpdate: Hashable, Sendable {
  /// The entry has the new content.
  case edited
  case deleted
  /// `by` is the name of who reacted.
  case reacted(by: String, reaction: String, removed: Bool)
}
