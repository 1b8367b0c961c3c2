/// Walks over the bytes of one JSON text (RFC 8259) without making values.
///
/// Bytes that are not UTF-8 are let through inside of strings; they are
/// repaired when a string is made of them.
struct JSONScanner {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  /// The string within which the text ends, up to its last whole escape.
  private(set) var unfinishedString: JSONValue?

  /// How many objects and lists may lie within each other.
  static let maximumDepth = 512

  /// Begins behind a byte order mark, where there is one.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let hasByteOrderMark =
      bytes.count >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf
    position = hasByteOrderMark ? 3 : 0
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// The bytes of a value; of a string, its contents.
  subscript(_ value: JSONValue) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[value.start..<value.end])
  }

  /// A scanner of the same text that stands elsewhere in it.
  func moved(to position: Int) -> JSONScanner {
    var scanner = self
    scanner.position = position
    return scanner
  }

  func failure(_ reason: String) -> EventCodingError {
    EventCodingError(reason: isAtEnd ? "it ends too early" : reason, byteOffset: position)
  }

  // MARK: - Structure

  /// The next byte that is no blank; nil at the end.
  @inline(__always)
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  @inline(__always)
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func expect(_ character: Unicode.Scalar) throws(EventCodingError) {
    guard take(character) else { throw failure("\(character) is missing") }
  }

  /// Passes over the name of an object's next member and the colon; nil when
  /// it passed over the object's end instead.
  @inline(__always)
  mutating func nextName(isFirst: Bool) throws(EventCodingError) -> JSONValue? {
    if isFirst {
      try expect("{")
      if take("}") { return nil }
    } else if !take(",") {
      try expect("}")
      return nil
    }
    let name = try string()
    try expect(":")
    return name
  }

  /// Goes to a list's next element; false when it passed over the list's end.
  mutating func nextElement(isFirst: Bool) throws(EventCodingError) -> Bool {
    if isFirst {
      try expect("[")
      return !take("]")
    }
    if take(",") { return true }
    try expect("]")
    return false
  }

  // MARK: - Values

  /// Passes over any value; `depth` tells within how many others it lies.
  mutating func value(depth: Int) throws(EventCodingError) -> JSONValue {
    guard let first = peek() else { throw failure("") }
    let start = position
    let kind: JSONValue.Kind
    switch first {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      var isFirst = true
      while try nextName(isFirst: isFirst) != nil {
        isFirst = false
        _ = try value(depth: depth + 1)
      }
      kind = .object
    case UInt8(ascii: "["):
      try checkDepth(depth)
      var isFirst = true
      while try nextElement(isFirst: isFirst) {
        isFirst = false
        _ = try value(depth: depth + 1)
      }
      kind = .array
    case UInt8(ascii: "t"): kind = try literal("true", .bool)
    case UInt8(ascii: "f"): kind = try literal("false", .bool)
    case UInt8(ascii: "n"): kind = try literal("null", .null)
    default: kind = try number()
    }
    return JSONValue(kind: kind, start: start, end: position)
  }

  private func checkDepth(_ depth: Int) throws(EventCodingError) {
    guard depth < Self.maximumDepth else { throw failure("values lie too deep in each other") }
  }

  /// Passes over a string.
  mutating func string() throws(EventCodingError) -> JSONValue {
    try expect("\"")
    var string = JSONValue(kind: .plainString, start: position, end: position)
    while let byte = nextMark() {
      string.end = position
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return string
      case UInt8(ascii: "\\"):
        string.kind = .stringWithEscapes
        guard try escape() else { throw ending(within: string) }
      default:
        throw failure("a control character stands in a string")
      }
    }
    string.end = position
    throw ending(within: string)
  }

  private mutating func ending(within string: JSONValue) -> EventCodingError {
    unfinishedString = string
    return failure("")
  }

  /// Goes to the next byte that does not stand for itself in a string.
  @inline(__always)
  private mutating func nextMark() -> UInt8? {
    var place = position
    defer { position = place }
    while place <= bytes.count - 8 {
      let prefix = EightBytes(bytes, at: place).plainPrefix
      place += prefix
      if prefix < 8 { return bytes[place] }
    }
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { return byte }
      place += 1
    }
    return nil
  }

  /// Passes over an escape; false when the text ends within it.
  private mutating func escape() throws(EventCodingError) -> Bool {
    position += 1
    guard let kind = current else { return false }
    switch kind {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard let digit = current else { return false }
        guard hexadecimalValue(digit) != nil else {
          throw failure("\\u is followed by four hexadecimal digits")
        }
        position += 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    default:
      throw failure("there is no such escape")
    }
    return true
  }

  private mutating func literal(
    _ word: StaticString, _ kind: JSONValue.Kind
  ) throws(EventCodingError) -> JSONValue.Kind {
    for index in 0..<word.utf8CodeUnitCount {
      guard current == word.utf8Start[index] else { throw failure("this is no value") }
      position += 1
    }
    return kind
  }

  private mutating func number() throws(EventCodingError) -> JSONValue.Kind {
    var kind = JSONValue.Kind.integer
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      kind = .decimal
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      kind = .decimal
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return kind
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func digits() throws(EventCodingError) {
    let start = position
    while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      position += 1
    }
    if position == start { throw failure("this is no value") }
  }
}
