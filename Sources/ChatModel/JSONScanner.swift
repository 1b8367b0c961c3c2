/// Walks over the bytes of one JSON text (RFC 8259) without making values.
///
/// Bytes that are not UTF-8 are let through inside of strings; they are
/// repaired when a string is made of them.
struct JSONScanner {
  let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  /// Whether the text may end anywhere: a string that is cut off counts.
  let isCutOff: Bool

  /// As deep as values may lie within each other.
  static let maximumDepth = 512

  init(_ bytes: UnsafeRawBufferPointer, isCutOff: Bool = false) {
    self.bytes = bytes
    self.isCutOff = isCutOff
    let hasByteOrderMark =
      bytes.count >= 3 && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf
    position = hasByteOrderMark ? 3 : 0
  }

  var isAtEnd: Bool { position >= bytes.count }

  func failure(_ reason: String) -> EventCodingError {
    EventCodingError(reason: isAtEnd ? "it ends too early" : reason, byteOffset: position)
  }

  /// The next byte that is no blank; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return byte }
      position += 1
    }
    return nil
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(EventCodingError) {
    guard take(character) else { throw failure("\(character) is missing") }
  }

  /// Passes over a string and tells where its contents are.
  mutating func string() throws(EventCodingError) -> JSONString {
    try expect("\"")
    let start = position
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return JSONString(start: start, end: position - 1, hasEscapes: hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try escape()
      } else if byte < 0x20 {
        throw failure("a control character stands in a string")
      } else {
        position += 1
      }
    }
    guard isCutOff else { throw failure("") }
    return JSONString(start: start, end: position, hasEscapes: hasEscapes)
  }

  private mutating func escape() throws(EventCodingError) {
    let start = position
    position += 1
    guard position < bytes.count else { return backOff(to: start) }
    switch bytes[position] {
    case UInt8(ascii: "u"):
      position += 1
      for _ in 0..<4 {
        guard position < bytes.count else { return backOff(to: start) }
        guard hexadecimalValue(bytes[position]) != nil else {
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
  }

  /// An escape that the text's end cuts in two is part of what is missing.
  private mutating func backOff(to start: Int) {
    cutEnd = start
    position = bytes.count
  }

  /// Where an escape that the end cuts in two begins.
  private(set) var cutEnd: Int?

  /// Passes over any value.
  mutating func skipValue(depth: Int = 1) throws(EventCodingError) -> JSONValue {
    guard depth <= Self.maximumDepth else { throw failure("values lie too deep in each other") }
    guard let first = peek() else { throw failure("") }
    let start = position
    switch first {
    case UInt8(ascii: "\""):
      return .string(try string())
    case UInt8(ascii: "{"):
      try skipMembers(depth: depth)
      return .object(start..<position)
    case UInt8(ascii: "["):
      try skipElements(depth: depth)
      return .array(start..<position)
    case UInt8(ascii: "t"): return try literal("true", .bool(true))
    case UInt8(ascii: "f"): return try literal("false", .bool(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default:
      let isInteger = try number()
      return .number(start..<position, isInteger: isInteger)
    }
  }

  private mutating func skipMembers(depth: Int) throws(EventCodingError) {
    try expect("{")
    if take("}") { return }
    repeat {
      _ = try string()
      try expect(":")
      _ = try skipValue(depth: depth + 1)
    } while take(",")
    try expect("}")
  }

  private mutating func skipElements(depth: Int) throws(EventCodingError) {
    try expect("[")
    if take("]") { return }
    repeat { _ = try skipValue(depth: depth + 1) } while take(",")
    try expect("]")
  }

  /// The elements of the list at which the scanner stands.
  mutating func elements() throws(EventCodingError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try expect("[")
    if take("]") { return elements }
    repeat { elements.append(try skipValue()) } while take(",")
    return elements
  }

  /// Goes on at `position`, which lies within the text.
  mutating func move(to position: Int) {
    self.position = position
  }

  private mutating func literal(
    _ word: StaticString, _ value: JSONValue
  ) throws(EventCodingError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count, bytes[position] == word.utf8Start[index] else {
        throw failure("this is no value")
      }
      position += 1
    }
    return value
  }

  /// Passes over a number; whether it has neither fraction nor exponent.
  private mutating func number() throws(EventCodingError) -> Bool {
    var isInteger = true
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return isInteger
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

/// Where a string's contents lie, without its quotes.
struct JSONString {
  var start: Int
  var end: Int
  var hasEscapes: Bool
}

/// A value of which nothing but its place is known.
enum JSONValue {
  case string(JSONString)
  case number(Range<Int>, isInteger: Bool)
  case bool(Bool)
  case null
  case array(Range<Int>)
  case object(Range<Int>)
}

/// The value of a hexadecimal digit in either case.
func hexadecimalValue(_ byte: UInt8) -> UInt16? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
