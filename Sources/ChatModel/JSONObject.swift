/// The members of one JSON object (RFC 8259), found in one pass and made into
/// values where they are asked for.
///
/// Its bytes are the caller's and must stay where they are as long as it
/// lives. Of a name that stands twice the last value counts; null is as good
/// as missing.
package struct JSONObject: ~Copyable {
  private let scanner: JSONScanner
  private var members: [(name: JSONValue, value: JSONValue)] = []

  /// - Throws: what is wrong, when the bytes are not one whole object.
  package init(_ bytes: UnsafeRawBufferPointer) throws(EventCodingError) {
    var scanner = JSONScanner(bytes)
    members.reserveCapacity(6)
    while let name = try scanner.nextName(isFirst: members.isEmpty) {
      members.append((name, try scanner.value(depth: 1)))
    }
    if scanner.peek() != nil { throw scanner.failure("something follows the object") }
    self.scanner = scanner
  }

  private func value(_ name: StaticString) -> JSONValue? {
    guard let found = members.last(where: { isNamed($0.name, name) })?.value,
      found.kind != .null
    else { return nil }
    return found
  }

  private func isNamed(_ name: JSONValue, _ wanted: StaticString) -> Bool {
    if name.kind == .stringWithEscapes {
      return wanted.withUTF8Buffer { scanner.text(name).utf8.elementsEqual($0) }
    }
    return wanted.withUTF8Buffer { scanner[name].elementsEqual($0) }
  }

  private func wrong(
    _ name: StaticString, _ value: JSONValue, _ wanted: String
  ) -> EventCodingError {
    EventCodingError(reason: "\(name) is not \(wanted)", byteOffset: value.start)
  }

  package func string(_ name: StaticString) throws(EventCodingError) -> String? {
    guard let value = value(name) else { return nil }
    guard value.isString else { throw wrong(name, value, "text") }
    return scanner.text(value)
  }

  package func requiredString(_ name: StaticString) throws(EventCodingError) -> String {
    guard let string = try string(name) else {
      throw EventCodingError(reason: "\(name) is missing", byteOffset: 0)
    }
    return string
  }

  /// A text, or a whole number as it is written.
  package func id(_ name: StaticString) throws(EventCodingError) -> String? {
    guard let value = value(name) else { return nil }
    guard value.isString || value.kind == .integer else {
      throw wrong(name, value, "text or a whole number")
    }
    guard value.end - value.start <= EventCodec.maximumIDBytes else {
      throw wrong(name, value, "\(EventCodec.maximumIDBytes) bytes long at most")
    }
    return scanner.text(value)
  }

  package func integer(_ name: StaticString) throws(EventCodingError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard value.kind == .integer, let number = Int64(scanner.text(value)) else {
      throw wrong(name, value, "a whole number")
    }
    return number
  }

  /// False where it is missing.
  package func flag(_ name: StaticString) throws(EventCodingError) -> Bool {
    try bool(name) ?? false
  }

  package func bool(_ name: StaticString) throws(EventCodingError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard value.kind == .bool else { throw wrong(name, value, "true or false") }
    return scanner[value].first == UInt8(ascii: "t")
  }

  /// The bytes of an object, braces and all.
  package func object(
    _ name: StaticString
  ) throws(EventCodingError) -> UnsafeRawBufferPointer? {
    guard let value = value(name) else { return nil }
    guard value.kind == .object else { throw wrong(name, value, "an object") }
    return scanner[value]
  }

  /// The elements of a list, each made by `read` of its bytes; of a text, these
  /// are its contents with their quotes.
  package func list<Element>(
    _ name: StaticString,
    _ read: (UnsafeRawBufferPointer) throws(EventCodingError) -> Element
  ) throws(EventCodingError) -> [Element] {
    guard let list = value(name) else { return [] }
    guard list.kind == .array else { throw wrong(name, list, "a list") }
    var elements: [Element] = []
    var scanner = scanner.moved(to: list.start)
    while try scanner.nextElement(isFirst: elements.isEmpty) {
      _ = scanner.peek()
      let start = scanner.position
      _ = try scanner.value(depth: 2)
      let bytes = JSONValue(kind: .object, start: start, end: scanner.position)
      elements.append(try read(scanner[bytes]))
    }
    return elements
  }

  /// The texts and whole numbers of a list; anything else in it is an error.
  package func strings(_ name: StaticString) throws(EventCodingError) -> [String] {
    try list(name) { bytes throws(EventCodingError) in
      var scanner = JSONScanner(bytes)
      let value = try scanner.value(depth: 1)
      guard value.isString || value.kind == .integer else {
        throw EventCodingError(reason: "\(name) is not a list of texts", byteOffset: 0)
      }
      return scanner.text(value)
    }
  }

  /// The members that are texts, by name, besides `known`.
  package func texts(besides known: [String] = []) -> [String: String] {
    var texts: [String: String] = [:]
    for member in members where member.value.isString {
      let name = scanner.text(member.name)
      if !known.contains(name) { texts[name] = scanner.text(member.value) }
    }
    return texts
  }
}
