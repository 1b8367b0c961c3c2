/// Reads a settings file: JSON5 (json5.org) as people write it, with comments,
/// trailing commas, names without quotes and text in either quotes.
///
/// `JSONDecoder` reads JSON5 as well, but on Linux it does not tell where it
/// met something wrong; people who edit a file need the line.
struct SettingsText {
  /// Where something stands, both counted from 1; the column in characters.
  struct Place: Equatable {
    var line: Int
    var column: Int
  }

  /// A value with the place at which it begins.
  struct Value {
    var place: Place
    var content: Content
  }

  indirect enum Content {
    case text(String)
    case number(String)
    case bool(Bool)
    case null
    case list([Value])
    case object([(name: String, value: Value)])
  }

  struct Failure: Error, Equatable {
    var place: Place
    var reason: String
  }

  private var rest: Substring
  private var place = Place(line: 1, column: 1)
  private static let maximumDepth = 64

  private init(_ text: String) {
    rest = text[...]
  }

  /// The one value that the text holds; an empty text is an empty object.
  static func parse(_ text: String) throws(Failure) -> Value {
    var parser = SettingsText(text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
    try parser.skipBlanks()
    if parser.rest.isEmpty { return Value(place: parser.place, content: .object([])) }
    let value = try parser.value(depth: 1)
    try parser.skipBlanks()
    if let next = parser.rest.first { throw parser.failure("\(next) follows the settings") }
    return value
  }

  // MARK: - Characters

  private func failure(_ reason: String) -> Failure {
    Failure(place: place, reason: rest.isEmpty ? "the file ends too early" : reason)
  }

  private mutating func next() -> Character? {
    guard let character = rest.popFirst() else { return nil }
    if character.isNewline {
      place = Place(line: place.line + 1, column: 1)
    } else {
      place.column += 1
    }
    return character
  }

  private mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    _ = next()
    return true
  }

  /// Passes over blanks and comments.
  private mutating func skipBlanks() throws(Failure) {
    while let character = rest.first {
      if character.isWhitespace {
        _ = next()
      } else if rest.hasPrefix("//") {
        while let character = rest.first, !character.isNewline { _ = next() }
      } else if rest.hasPrefix("/*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(Failure) {
    let start = place
    while !rest.hasPrefix("*/") {
      guard next() != nil else { throw Failure(place: start, reason: "this comment has no end") }
    }
    _ = next()
    _ = next()
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(Failure) -> Value {
    try skipBlanks()
    guard depth <= Self.maximumDepth else { throw failure("this lies too deep") }
    let start = place
    let content: Content =
      switch rest.first {
      case "{": .object(try members(depth: depth))
      case "[": .list(try elements(depth: depth))
      case "\"", "'": .text(try quoted())
      default: try word()
      }
    return Value(place: start, content: content)
  }

  private mutating func members(depth: Int) throws(Failure) -> [(name: String, value: Value)] {
    var members: [(name: String, value: Value)] = []
    _ = take("{")
    while true {
      try skipBlanks()
      if take("}") { return members }
      let name = rest.first == "\"" || rest.first == "'" ? try quoted() : bareWord()
      if name.isEmpty { throw failure("a name is missing here") }
      try skipBlanks()
      guard take(":") else { throw failure("a : is missing after \(name)") }
      members.append((name, try value(depth: depth + 1)))
      try skipBlanks()
      if !take(",") && rest.first != "}" { throw failure("a , or } is missing here") }
    }
  }

  private mutating func elements(depth: Int) throws(Failure) -> [Value] {
    var elements: [Value] = []
    _ = take("[")
    while true {
      try skipBlanks()
      if take("]") { return elements }
      elements.append(try value(depth: depth + 1))
      try skipBlanks()
      if !take(",") && rest.first != "]" { throw failure("a , or ] is missing here") }
    }
  }

  private mutating func bareWord() -> String {
    var word = ""
    while let character = rest.first,
      character.isLetter || character.isNumber || "_$.+-".contains(character)
    {
      word.append(character)
      _ = next()
    }
    return word
  }

  private mutating func word() throws(Failure) -> Content {
    let unknown = failure("this is no value")
    let word = bareWord()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      guard !word.isEmpty, Double(word) != nil else { throw unknown }
      return .number(word)
    }
  }

  private mutating func quoted() throws(Failure) -> String {
    let start = place
    guard let quote = next() else { throw failure("") }
    var text = ""
    while let character = next() {
      if character == quote { return text }
      if character.isNewline { break }
      if character == "\\" {
        text += try escape()
      } else {
        text.append(character)
      }
    }
    throw Failure(place: start, reason: "this text has no end")
  }

  private mutating func escape() throws(Failure) -> String {
    let unknown = failure("there is no such escape")
    guard let kind = next() else { throw unknown }
    switch kind {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "u":
      let digits = rest.prefix(4)
      guard digits.count == 4, let value = UInt32(digits, radix: 16),
        let scalar = Unicode.Scalar(value)
      else { throw unknown }
      for _ in 0..<4 { _ = next() }
      return String(Character(scalar))
    default: return kind.isNewline ? "" : String(kind)
    }
  }
}
