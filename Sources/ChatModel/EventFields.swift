/// The fields of one event's object: found in one pass, made into values only
/// where the event's type asks for them.
struct EventFields {
  private var scanner: JSONScanner
  private var values = [JSONValue?](repeating: nil, count: EventField.allCases.count)
  /// Fields that the format does not name: for a profile, its further ones.
  private var others: [(key: JSONString, value: JSONValue)] = []

  init(_ line: UnsafeRawBufferPointer, isCutOff: Bool = false) {
    scanner = JSONScanner(line, isCutOff: isCutOff)
  }

  /// Finds all fields; of one that stands there twice, the last counts.
  mutating func scan() throws(EventCodingError) {
    try scanner.expect("{")
    if !scanner.take("}") {
      repeat {
        let key = try scanner.string()
        try scanner.expect(":")
        let value = try scanner.skipValue(depth: 2)
        if let field = field(named: key) {
          values[field.rawValue] = value
        } else {
          others.append((key, value))
        }
      } while scanner.take(",")
      try scanner.expect("}")
    }
    if scanner.peek() != nil { throw scanner.failure("something follows the object") }
  }

  private func field(named key: JSONString) -> EventField? {
    if key.hasEscapes { return EventField.allCases.first { $0.name == scanner.text(key) } }
    return EventField(name: UnsafeRawBufferPointer(rebasing: scanner.bytes[key.start..<key.end]))
  }

  // MARK: - Values

  private func wrong(_ field: EventField, _ wanted: String) -> EventCodingError {
    EventCodingError(reason: "\(field.name) is not \(wanted)", byteOffset: 0)
  }

  private func string(_ field: EventField) throws(EventCodingError) -> String? {
    switch values[field.rawValue] {
    case nil, .null: nil
    case .string(let string): scanner.text(string)
    default: throw wrong(field, "text")
    }
  }

  private func id(_ field: EventField) throws(EventCodingError) -> String? {
    switch values[field.rawValue] {
    case nil, .null: nil
    case .string(let string): scanner.text(string)
    case .number(let range, isInteger: true):
      String(decoding: scanner.bytes[range], as: UTF8.self)
    default: throw wrong(field, "text or a whole number")
    }
  }

  private func requiredID(_ field: EventField) throws(EventCodingError) -> String {
    guard let id = try id(field), !id.isEmpty else {
      throw EventCodingError(reason: "\(field.name) is missing", byteOffset: 0)
    }
    return id
  }

  private func requiredString(_ field: EventField) throws(EventCodingError) -> String {
    guard let string = try string(field) else {
      throw EventCodingError(reason: "\(field.name) is missing", byteOffset: 0)
    }
    return string
  }

  private func bool(_ field: EventField) throws(EventCodingError) -> Bool? {
    switch values[field.rawValue] {
    case nil, .null: nil
    case .bool(let value): value
    default: throw wrong(field, "true or false")
    }
  }

  /// A date that is none is as good as one that is missing.
  private var createdAt: Timestamp? {
    guard case .string(let string) = values[EventField.createdAt.rawValue] else { return nil }
    if string.hasEscapes { return Timestamp(rfc3339: scanner.text(string)) }
    return Timestamp(
      rfc3339: UnsafeRawBufferPointer(rebasing: scanner.bytes[string.start..<string.end]))
  }

  private func elements(_ field: EventField) throws(EventCodingError) -> [JSONValue] {
    switch values[field.rawValue] {
    case nil, .null: return []
    case .array(let range):
      var inner = JSONScanner(UnsafeRawBufferPointer(rebasing: scanner.bytes[..<range.upperBound]))
      inner.move(to: range.lowerBound)
      return try inner.elements()
    default: throw wrong(field, "a list")
    }
  }

  private func strings(_ field: EventField) throws(EventCodingError) -> [String] {
    var strings: [String] = []
    for element in try elements(field) {
      guard case .string(let string) = element else { throw wrong(field, "a list of texts") }
      strings.append(scanner.text(string))
    }
    return strings
  }

  private func files() throws(EventCodingError) -> [FileReference] {
    var files: [FileReference] = []
    for element in try elements(.files) {
      guard case .object(let range) = element else { throw wrong(.files, "a list of objects") }
      var fields = EventFields(UnsafeRawBufferPointer(rebasing: scanner.bytes[range]))
      try fields.scan()
      files.append(try fields.file())
    }
    return files
  }

  private func file() throws(EventCodingError) -> FileReference {
    var size: Int64?
    if case .number(let range, isInteger: true) = values[EventField.size.rawValue] {
      size = Int64(String(decoding: scanner.bytes[range], as: UTF8.self))
    }
    return FileReference(
      path: try requiredString(.path), name: try string(.name),
      mediaType: try string(.mediaType), sizeInBytes: size, sha256: try string(.sha256))
  }

  // MARK: - Events

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

  private func message() throws(EventCodingError) -> Message {
    let message = Message(
      id: try requiredID(.messageID), profileID: try requiredID(.profileID),
      profileName: try string(.profileName), profileImage: try string(.profileImage),
      content: try string(.content), images: try strings(.images), files: try files(),
      createdAt: createdAt, replyTo: try id(.replyTo), isAction: try bool(.action) ?? false,
      isTruncated: try bool(.truncated) ?? false)
    if message.content == nil && message.images.isEmpty && message.files.isEmpty {
      throw EventCodingError(
        reason: "the message has neither content nor images nor files", byteOffset: 0)
    }
    return message
  }

  private func edit() throws(EventCodingError) -> Edit {
    Edit(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try requiredID(.profileID), content: try requiredString(.content),
      createdAt: createdAt)
  }

  private func deletion() throws(EventCodingError) -> Deletion {
    Deletion(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try requiredID(.profileID), createdAt: createdAt)
  }

  private func reaction() throws(EventCodingError) -> Reaction {
    Reaction(
      eventID: try requiredID(.eventID), messageID: try requiredID(.messageID),
      profileID: try requiredID(.profileID), reaction: try requiredString(.reaction),
      isRemoved: try bool(.removed) ?? false, createdAt: createdAt)
  }

  private func profile() throws(EventCodingError) -> ProfileChange {
    var further: [String: String] = [:]
    for (key, value) in others {
      guard case .string(let string) = value else { continue }
      further[scanner.text(key)] = scanner.text(string)
    }
    return ProfileChange(
      eventID: try requiredID(.eventID), profileID: try requiredID(.profileID),
      profileName: try string(.profileName), profileImage: try string(.profileImage),
      fields: further, createdAt: createdAt)
  }

  private func presence() throws(EventCodingError) -> Presence {
    Presence(
      eventID: try requiredID(.eventID), profileID: try requiredID(.profileID),
      isPresent: try bool(.present) ?? true, createdAt: createdAt)
  }

  private func notice() throws(EventCodingError) -> Notice {
    Notice(
      eventID: try requiredID(.eventID), content: try requiredString(.content),
      createdAt: createdAt)
  }
}

/// The names that the format gives a meaning.
enum EventField: Int, CaseIterable {
  case type, messageID, eventID, profileID, profileName, profileImage, content, images, files
  case createdAt, replyTo, action, truncated, reaction, removed, present
  case path, name, mediaType, size, sha256

  private static let names = allCases.map { "\($0)" }

  /// Who has a name of that many bytes.
  private static let byLength: [[(name: [UInt8], field: Self)]] = {
    var table = [[(name: [UInt8], field: Self)]](repeating: [], count: 16)
    for field in allCases { table[field.name.utf8.count].append((Array(field.name.utf8), field)) }
    return table
  }()

  /// The field's name in the object.
  var name: String { Self.names[rawValue] }

  /// The field of that name in UTF-8.
  init?(name: UnsafeRawBufferPointer) {
    guard name.count < Self.byLength.count,
      let match = Self.byLength[name.count].first(where: { name.elementsEqual($0.name) })
    else { return nil }
    self = match.field
  }
}
