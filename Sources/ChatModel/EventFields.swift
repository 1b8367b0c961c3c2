/// The fields of one event's object: found in one pass, made into values only
/// where the event's type asks for them.
struct EventFields: ~Copyable {
  private var scanner: JSONScanner
  private let start: Int
  /// Who wrote the event, where that is known already; what it says itself
  /// counts for nothing then.
  var knownAuthor: String?
  /// A place for each case of ``EventField``. Reading from an `InlineArray`
  /// copies all of it, and an array counts its references at each turn.
  private let values: UnsafeMutableBufferPointer<JSONValue?>
  /// The field at which the scan has arrived, and where its value begins.
  private var latest: (field: EventField?, start: Int) = (nil, 0)

  init(_ scanner: JSONScanner) {
    self.scanner = scanner
    start = scanner.position
    values = .allocate(capacity: EventField.allCases.count)
    values.initialize(repeating: nil)
  }

  deinit { values.deallocate() }

  /// Finds all fields of one object; of one that stands there twice, the last
  /// counts, as for nearly every reader of JSON (RFC 8259, section 4).
  mutating func scan() throws(EventCodingError) {
    var isFirst = true
    while let name = try scanner.nextName(isFirst: isFirst) {
      isFirst = false
      _ = scanner.peek()
      let field = field(named: name)
      latest = (field, scanner.position)
      let value = try scanner.value(depth: 1)
      if let field { values[field.rawValue] = value }
    }
  }

  /// - Throws: when anything but blanks follows the object.
  mutating func expectEnd() throws(EventCodingError) {
    if scanner.peek() != nil { throw scanner.failure("something follows the object") }
  }

  /// Finds the fields in the beginning of an object that goes on: what is
  /// there as a whole, and as much of the content as there is.
  /// - Returns: false when no end could make an object of it.
  mutating func scanBeginning() -> Bool {
    do {
      try scan()
    } catch {
      guard scanner.isAtEnd else { return false }
      leaveOutUnfinished()
    }
    return true
  }

  /// A number at the very end may have lost digits, and half an id is the id
  /// of something else.
  private mutating func leaveOutUnfinished() {
    guard let field = latest.field else { return }
    if let value = values[field.rawValue], value.kind == .integer, value.end == scanner.position {
      values[field.rawValue] = nil
    }
    if field == .content, let string = scanner.unfinishedString, string.start == latest.start + 1 {
      values[field.rawValue] = string
    }
  }

  private func field(named name: JSONValue) -> EventField? {
    guard name.kind == .stringWithEscapes else { return EventField(name: scanner[name]) }
    var text = scanner.text(name)
    return text.withUTF8 { EventField(name: UnsafeRawBufferPointer($0)) }
  }

  // MARK: - Values

  /// The value of a field; nil when it is null or not there.
  private func value(_ field: EventField) -> JSONValue? {
    guard let value = values[field.rawValue], value.kind != .null else { return nil }
    return value
  }

  private func wrong(
    _ field: EventField, _ value: JSONValue, _ wanted: String
  ) -> EventCodingError {
    EventCodingError(reason: "\(field.name) is not \(wanted)", byteOffset: value.start)
  }

  private func missing(_ field: EventField) -> EventCodingError {
    EventCodingError(reason: "\(field.name) is missing", byteOffset: 0)
  }

  /// Whether the field has a value that is not null.
  func isThere(_ field: EventField) -> Bool { value(field) != nil }

  func string(_ field: EventField) throws(EventCodingError) -> String? {
    guard let value = value(field) else { return nil }
    guard value.isString else { throw wrong(field, value, "text") }
    return scanner.text(value)
  }

  func requiredString(_ field: EventField) throws(EventCodingError) -> String {
    guard let string = try string(field) else { throw missing(field) }
    return string
  }

  /// An id, which may be a whole number, however large: it is kept as it was
  /// written.
  func id(_ field: EventField) throws(EventCodingError) -> String? {
    guard let value = value(field) else { return nil }
    guard value.isString || value.kind == .integer else {
      throw wrong(field, value, "text or a whole number")
    }
    let id = scanner.text(value)
    guard id.utf8.count <= EventCodec.maximumIDBytes else {
      throw EventCodingError(reason: EventCodec.tooLong(field), byteOffset: value.start)
    }
    return id
  }

  /// Whether a value would be refused as an id for its length.
  func isTooLong(_ field: EventField) -> Bool {
    // What is written grows by three at most, where a byte is repaired.
    guard let value = value(field), value.end - value.start > EventCodec.maximumIDBytes / 3
    else { return false }
    return scanner.text(value).utf8.count > EventCodec.maximumIDBytes
  }

  func requiredID(_ field: EventField) throws(EventCodingError) -> String {
    guard let id = try id(field), !id.isEmpty else { throw missing(field) }
    return id
  }

  func author() throws(EventCodingError) -> String {
    if let knownAuthor { return knownAuthor }
    return try requiredID(.profileID)
  }

  func bool(_ field: EventField) throws(EventCodingError) -> Bool? {
    guard let value = value(field) else { return nil }
    guard value.kind == .bool else { throw wrong(field, value, "true or false") }
    return scanner[value].first == UInt8(ascii: "t")
  }

  /// A date that is none is as good as one that is missing.
  var createdAt: Timestamp? {
    guard let value = value(.createdAt), value.isString else { return nil }
    if value.kind == .plainString { return Timestamp(rfc3339: scanner[value]) }
    return Timestamp(rfc3339: scanner.text(value))
  }

  /// The first so many; what follows is not looked at.
  func images(atMost limit: Int) throws(EventCodingError) -> [String] {
    guard let list = value(.images) else { return [] }
    guard list.kind == .array else { throw wrong(.images, list, "a list") }
    var images: [String] = []
    var scanner = scanner.moved(to: list.start)
    while images.count < limit, try scanner.nextElement(isFirst: images.isEmpty) {
      let element = try scanner.value(depth: 2)
      guard element.isString else { throw wrong(.images, element, "a list of texts") }
      images.append(scanner.text(element))
    }
    return images
  }

  /// How parts of the content look. They only adorn it: what makes no sense is
  /// passed over.
  func styles(of content: String?) -> [StyledRange] {
    guard let content, let list = value(.styles), list.kind == .array else { return [] }
    var ranges: [StyledRange] = []
    var scanner = scanner.moved(to: list.start)
    var isFirst = true
    while ranges.count < EventCodec.maximumStyles,
      (try? scanner.nextElement(isFirst: isFirst)) == true,
      let element = try? scanner.value(depth: 2)
    {
      isFirst = false
      if element.kind == .object, let range = StyledRange(scanner[element]) {
        ranges.append(range)
      }
    }
    return StyledRange.fitting(ranges, in: content)
  }

  /// The first so many; what follows is not looked at.
  func files(atMost limit: Int) throws(EventCodingError) -> [FileReference] {
    guard let list = value(.files) else { return [] }
    guard list.kind == .array else { throw wrong(.files, list, "a list") }
    var files: [FileReference] = []
    var scanner = scanner.moved(to: list.start)
    while files.count < limit, try scanner.nextElement(isFirst: files.isEmpty) {
      let element = try scanner.value(depth: 2)
      guard element.kind == .object else { throw wrong(.files, element, "a list of objects") }
      var fields = EventFields(scanner.moved(to: element.start))
      try fields.scan()
      files.append(try fields.file())
    }
    return files
  }

  private func file() throws(EventCodingError) -> FileReference {
    FileReference(
      path: try requiredString(.path), name: try string(.name),
      mediaType: try string(.mediaType), sizeInBytes: try size(), sha256: try string(.sha256))
  }

  private func size() throws(EventCodingError) -> Int64? {
    guard let value = value(.size) else { return nil }
    guard value.kind == .integer, let size = Int64(scanner.text(value)), size >= 0 else {
      throw wrong(.size, value, "a number of bytes")
    }
    return size
  }

  /// The texts whose names are none of `known`; the last of each name counts.
  func strings(besides known: [EventField]) throws(EventCodingError) -> [String: String] {
    var strings: [String: String] = [:]
    var scanner = scanner.moved(to: start)
    var isFirst = true
    while let name = try scanner.nextName(isFirst: isFirst) {
      isFirst = false
      let value = try scanner.value(depth: 1)
      if let field = field(named: name), known.contains(field) { continue }
      strings[scanner.text(name)] = value.isString ? scanner.text(value) : nil
    }
    return strings
  }
}
