extension EventFields {
  /// The event that the fields make; nil when its type is unknown.
  func event() throws(EventCodingError) -> Event? {
    switch try string(.type) {
    case nil, "message": .message(try message())
    case "edit": .edit(try edit())
    case "delete": .deletion(try deletion())
    case "reaction": .reaction(try reaction())
    case "profile": .profile(try profile())
    case "presence": .presence(try presence())
    case "notice": .notice(try notice())
    default: nil
    }
  }

  /// Whether the fields make a message; found without making its texts.
  var isMessage: Bool {
    guard let type = try? string(.type) ?? "message", type == "message" else { return false }
    return isThere(.messageID) && isThere(.profileID)
      && (isThere(.content) || isThere(.images) || isThere(.files))
      && ![.messageID, .profileID, .replyTo].contains { isTooLong($0) }
  }

  private func message() throws(EventCodingError) -> Message {
    let limit = EventCodec.maximumAttachments
    let (images, files) = (try images(atMost: limit + 1), try files(atMost: limit + 1))
    let content = try string(.content)
    let message = Message(
      id: try requiredID(.messageID), profileID: try author(),
      profileName: try string(.profileName), profileImage: try string(.profileImage),
      content: content, styles: styles(of: content),
      images: Array(images.prefix(limit)),
      files: Array(files.prefix(limit)),
      createdAt: createdAt, replyTo: try id(.replyTo), isAction: try bool(.action) ?? false,
      isTruncated: try bool(.truncated) ?? false || max(images.count, files.count) > limit)
    if message.content == nil && message.images.isEmpty && message.files.isEmpty {
      throw EventCodingError(
        reason: "the message has neither content nor images nor files", byteOffset: 0)
    }
    return message
  }

  private func edit() throws(EventCodingError) -> Edit {
    Edit(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try author(), content: try requiredString(.content),
      createdAt: createdAt)
  }

  private func deletion() throws(EventCodingError) -> Deletion {
    Deletion(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try author(), createdAt: createdAt)
  }

  private func reaction() throws(EventCodingError) -> Reaction {
    Reaction(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try author(), reaction: try requiredString(.reaction),
      isRemoved: try bool(.removed) ?? false, createdAt: createdAt)
  }

  private func profile() throws(EventCodingError) -> ProfileChange {
    ProfileChange(
      eventID: try requiredID(.eventID), profileID: try author(),
      profileName: try string(.profileName), profileImage: try string(.profileImage),
      fields: try strings(besides: EventField.ofProfile), createdAt: createdAt)
  }

  private func presence() throws(EventCodingError) -> Presence {
    Presence(
      eventID: try requiredID(.eventID), profileID: try author(),
      isPresent: try bool(.present) ?? true, createdAt: createdAt)
  }

  private func notice() throws(EventCodingError) -> Notice {
    Notice(
      eventID: try requiredID(.eventID), content: try requiredString(.content),
      createdAt: createdAt)
  }
}
