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

  /// The same with the name of its room beside it, in a field `room` that
  /// readers of the event format pass over.
  package static func encode(_ event: Event, in room: String, into buffer: inout [UInt8]) {
    encode(event, into: &buffer)
    // Into the object, in place of its closing brace.
    buffer.removeLast()
    buffer.append(contentsOf: #","room":"#.utf8)
    JSONText.append(room, to: &buffer)
    buffer.append(UInt8(ascii: "}"))
  }

  /// The event with its room as text, without a newline.
  package static func encode(_ event: Event, in room: String) -> String {
    var buffer: [UInt8] = []
    encode(event, in: room, into: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// The event as text, without a newline.
  package static func encode(_ event: Event) -> String {
    var buffer: [UInt8] = []
    encode(event, into: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }
}

/// Writes the members of one JSON object. Fields that are nil are left out.
private struct JSONObjectWriter {
  private var buffer: [UInt8] = []
  private var isEmpty = true

  /// Takes the buffer away from its owner, who gets it back at the end: of two
  /// who hold it, the first to write would copy it.
  init(taking buffer: inout [UInt8]) {
    swap(&self.buffer, &buffer)
    self.buffer.append(UInt8(ascii: "{"))
  }

  mutating func end(givingBack buffer: inout [UInt8]) {
    self.buffer.append(UInt8(ascii: "}"))
    swap(&self.buffer, &buffer)
  }

  private mutating func comma() {
    if !isEmpty { buffer.append(UInt8(ascii: ",")) }
    isEmpty = false
  }

  private mutating func name(_ field: EventField) {
    comma()
    buffer.append(contentsOf: field.quotedName)
  }

  mutating func string(_ field: EventField, _ value: String?) {
    guard let value else { return }
    name(field)
    JSONText.append(value, to: &buffer)
  }

  mutating func bool(_ field: EventField, _ value: Bool) {
    name(field)
    buffer.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func time(_ value: Timestamp?) {
    guard let value else { return }
    name(.createdAt)
    buffer.append(UInt8(ascii: "\""))
    value.appendRFC3339(to: &buffer)
    buffer.append(UInt8(ascii: "\""))
  }

  /// Writes further fields of a profile, but none that would pass itself off
  /// as one of the event's own.
  mutating func further(_ fields: [String: String]) {
    let own = EventField.ofProfile.map(\.name)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !own.contains(name) {
      comma()
      JSONText.append(name, to: &buffer)
      buffer.append(UInt8(ascii: ":"))
      JSONText.append(value, to: &buffer)
    }
  }

  mutating func list<Element>(
    _ field: EventField, _ values: [Element], _ append: (Element, inout [UInt8]) -> Void
  ) {
    guard !values.isEmpty else { return }
    name(field)
    buffer.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(value, &buffer)
    }
    buffer.append(UInt8(ascii: "]"))
  }

  mutating func write(_ message: Message) {
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
    // One that has lost everything, by a deletion, must still be a message.
    let isEmpty = message.images.isEmpty && message.files.isEmpty
    string(.content, message.content ?? (isEmpty ? "" : nil))
    list(.images, message.images) { JSONText.append($0, to: &$1) }
    list(.files, message.files) { file, buffer in
      var object = JSONObjectWriter(taking: &buffer)
      object.write(file)
      object.end(givingBack: &buffer)
    }
  }

  mutating func write(_ file: FileReference) {
    string(.path, file.path)
    string(.name, file.name)
    string(.mediaType, file.mediaType)
    if let size = file.sizeInBytes {
      name(.size)
      buffer.append(contentsOf: String(size).utf8)
    }
    string(.sha256, file.sha256)
  }

  mutating func write(_ edit: Edit) {
    header("edit", edit.eventID, edit.profileID)
    string(.messageID, edit.messageID)
    time(edit.createdAt)
    string(.content, edit.content)
  }

  mutating func write(_ deletion: Deletion) {
    header("delete", deletion.eventID, deletion.profileID)
    string(.messageID, deletion.messageID)
    time(deletion.createdAt)
  }

  mutating func write(_ reaction: Reaction) {
    header("reaction", reaction.eventID, reaction.profileID)
    string(.messageID, reaction.messageID)
    string(.reaction, reaction.reaction)
    bool(.removed, reaction.isRemoved)
    time(reaction.createdAt)
  }

  mutating func write(_ change: ProfileChange) {
    header("profile", change.eventID, change.profileID)
    string(.profileName, change.profileName)
    string(.profileImage, change.profileImage)
    further(change.fields)
    time(change.createdAt)
  }

  mutating func write(_ presence: Presence) {
    header("presence", presence.eventID, presence.profileID)
    bool(.present, presence.isPresent)
    time(presence.createdAt)
  }

  mutating func write(_ notice: Notice) {
    header("notice", notice.eventID, nil)
    time(notice.createdAt)
    string(.content, notice.content)
  }

  private mutating func header(_ type: String, _ eventID: String, _ profileID: String?) {
    string(.type, type)
    string(.eventID, eventID)
    string(.profileID, profileID)
  }
}
