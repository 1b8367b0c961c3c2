extension EventCodec {
  /// Appends the event as one line without its newline.
  ///
  /// Control characters (C0, DEL, C1), line separators and bidirectional
  /// controls are written as `\u` escapes, so that a room file acts on no
  /// terminal, however it is shown.
  package static func encode(_ event: Event, into buffer: inout [UInt8]) {
    var object = JSONObjectWriter(taking: &buffer)
    switch event {
    case .message(let message): object.write(message)
    case .edit(let edit): object.write(edit)
    case .deletion(let deletion): object.write(deletion)
    case .reaction(let reaction): object.write(reaction)
    case .profile(let change): object.write(change)
    case .presence(let presence): object.write(presence)
    case .notice(let notice): object.write(notice)
    }
    object.end(givingBack: &buffer)
  }

  /// The same with a field `room` more, which tells several rooms apart and
  /// which readers of events pass over.
  package static func encode(_ event: Event, inRoom room: String, into buffer: inout [UInt8]) {
    encode(event, into: &buffer)
    // Into the object, in place of its closing brace.
    buffer.removeLast()
    buffer.append(contentsOf: ",\"room\":".utf8)
    JSONText.append(room, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }

  /// The event with its room as text, without a newline; with the room's
  /// address where rooms of one name are to be told apart.
  package static func encode(
    _ event: Event, inRoom room: String, at address: String? = nil
  ) -> String {
    var buffer: [UInt8] = []
    encode(event, inRoom: room, into: &buffer)
    if let address {
      buffer.removeLast()
      buffer.append(contentsOf: ",\"address\":".utf8)
      JSONText.append(address, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The event as text, without a newline.
  package static func encode(_ event: Event) -> String {
    var buffer: [UInt8] = []
    encode(event, into: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}

/// The event's own fields. Those that are nil are left out.
extension JSONObjectWriter {
  fileprivate mutating func string(_ field: EventField, _ value: String?) {
    guard let value else { return }
    begin(quoted: field.quotedName)
    self.value { JSONText.append(value, to: &$0) }
  }

  fileprivate mutating func bool(_ field: EventField, _ value: Bool) {
    begin(quoted: field.quotedName)
    self.value { $0.append(contentsOf: (value ? "true" : "false").utf8) }
  }

  fileprivate mutating func time(_ value: Timestamp?) {
    guard let value else { return }
    begin(quoted: EventField.createdAt.quotedName)
    self.value { buffer in
      buffer.append(UInt8(ascii: "\""))
      value.appendRFC3339(to: &buffer)
      buffer.append(UInt8(ascii: "\""))
    }
  }

  /// Writes further fields of a profile, but none that would pass itself off
  /// as one of the event's own.
  fileprivate mutating func further(_ fields: [String: String]) {
    let own = EventField.ofProfile.map(\.name)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !own.contains(name) {
      text(named: name, value)
    }
  }

  fileprivate mutating func list<Element>(
    _ field: EventField, _ values: [Element], _ append: (Element, inout [UInt8]) -> Void
  ) {
    guard !values.isEmpty else { return }
    begin(quoted: field.quotedName)
    value { Self.append(values, to: &$0, append) }
  }

  fileprivate mutating func write(_ message: Message) {
    string(.type, "message")
    string(.messageID, message.id)
    string(.profileID, message.profileID)
    string(.profileName, message.profileName)
    string(.profileImage, message.profileImage)
    // A message without a date and without content is read back as it was:
    // what is nil is left out. The content comes late, so that a reader who
    // sees only the beginning of a large event knows whose it is.
    time(message.createdAt)
    string(.replyTo, message.replyTo)
    if message.isAction { bool(.action, true) }
    if message.isTruncated { bool(.truncated, true) }
    list(.styles, message.styles) { range, buffer in
      Self.append(to: &buffer) { $0.write(range) }
    }
    // One that has lost everything, by a deletion, must still be a message.
    let isEmpty = message.images.isEmpty && message.files.isEmpty
    string(.content, message.content ?? (isEmpty ? "" : nil))
    list(.images, message.images) { JSONText.append($0, to: &$1) }
    list(.files, message.files) { file, buffer in
      Self.append(to: &buffer) { $0.write(file) }
    }
  }

  fileprivate mutating func write(_ file: FileReference) {
    string(.path, file.path)
    string(.name, file.name)
    string(.mediaType, file.mediaType)
    integer("size", file.sizeInBytes)
    string(.sha256, file.sha256)
  }

  fileprivate mutating func write(_ edit: Edit) {
    header("edit", edit.eventID, edit.profileID)
    string(.messageID, edit.messageID)
    time(edit.createdAt)
    string(.content, edit.content)
  }

  fileprivate mutating func write(_ deletion: Deletion) {
    header("delete", deletion.eventID, deletion.profileID)
    string(.messageID, deletion.messageID)
    time(deletion.createdAt)
  }

  fileprivate mutating func write(_ reaction: Reaction) {
    header("reaction", reaction.eventID, reaction.profileID)
    string(.messageID, reaction.messageID)
    string(.reaction, reaction.reaction)
    bool(.removed, reaction.isRemoved)
    time(reaction.createdAt)
  }

  fileprivate mutating func write(_ change: ProfileChange) {
    header("profile", change.eventID, change.profileID)
    string(.profileName, change.profileName)
    string(.profileImage, change.profileImage)
    further(change.fields)
    time(change.createdAt)
  }

  fileprivate mutating func write(_ presence: Presence) {
    header("presence", presence.eventID, presence.profileID)
    bool(.present, presence.isPresent)
    time(presence.createdAt)
  }

  fileprivate mutating func write(_ notice: Notice) {
    header("notice", notice.eventID, nil)
    time(notice.createdAt)
    string(.content, notice.content)
  }

  fileprivate mutating func header(_ type: String, _ eventID: String, _ profileID: String?) {
    string(.type, type)
    string(.eventID, eventID)
    string(.profileID, profileID)
  }
}
