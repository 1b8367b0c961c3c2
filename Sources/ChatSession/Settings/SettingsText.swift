/// Reads a settings file: JSON5 (json5.org) as people write it, with comments,
/// trailing commas, names without quotes and text in either quotes.
///
/// `JSONDecoder` reads JSON5 as well, but on Linux it does not tell where it
/// met something wrong; people who edit a file need the line. Names without
/// quotes may hold points here, as in `profile.name: "Jane"`.
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
    /// A number as it is written.
    case number(String)
    case bool(Bool)
    case null
    case list([Value])
    case object([(name: String, value: Value)])
  }

  struct Failure: Error, Equatable {
    var place: Place
    var reason: LocalizedText

    init(_ place: Place, _ english: String, _ korean: String) {
      self.place = place
      reason = LocalizedText(english, korean)
    }
  }

  private var rest: Substring.UnicodeScalarView
  private var place = Place(line: 1, column: 1)
  private static let maximumDepth = 64
  /// The members of the outermost object that are whole.
  private var wholeMembers: [(name: String, value: Value)] = []

  private init(_ text: String) {
    rest = Substring(text).unicodeScalars
  }

  /// The one value that the text holds; an empty text is an empty object.
  static func parse(_ text: String) throws(Failure) -> Value {
    var parser = SettingsText(text)
    return try parser.whole()
  }

  /// The members of the object that the text holds; where something is wrong,
  /// those that are whole before it, and what is wrong.
  static func members(
    _ text: String
  ) -> (members: [(name: String, value: Value)], failure: Failure?) {
    var parser = SettingsText(text)
    do throws(Failure) {
      let root = try parser.whole()
      guard case .object(let members) = root.content else {
        throw Failure(root.place, "the settings are not in { }", "설정이 { } 안에 있지 않습니다")
      }
      return (members, nil)
    } catch {
      return (parser.wholeMembers, error)
    }
  }

  private mutating func whole() throws(Failure) -> Value {
    if rest.first == "\u{feff}" { rest.removeFirst() }
    try skipBlanks()
    if rest.isEmpty { return Value(place: place, content: .object([])) }
    let value = try value(depth: 1)
    try skipBlanks()
    if let next = rest.first {
      throw failure("\(next) follows the settings", "설정 뒤에 \(next) 문자가 더 있습니다")
    }
    return value
  }

  // MARK: - Scalars

  private func failure(_ english: String, _ korean: String) -> Failure {
    guard rest.isEmpty else { return Failure(place, english, korean) }
    return Failure(place, "the file ends too early", "파일이 도중에 끝났습니다")
  }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    if scalar.isLineEnd {
      // CR LF is one end of a line.
      if scalar != "\r" || rest.first != "\n" { place = Place(line: place.line + 1, column: 1) }
    } else if !scalar.properties.isGraphemeExtend {
      place.column += 1
    }
    return scalar
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard rest.first == scalar else { return false }
    _ = next()
    return true
  }

  private func isNext(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

  /// Passes over blanks and comments.
  private mutating func skipBlanks() throws(Failure) {
    while let scalar = rest.first {
      if scalar.properties.isWhitespace || scalar == "\u{feff}" {
        _ = next()
      } else if isNext("//") {
        while let scalar = rest.first, !scalar.isLineEnd { _ = next() }
      } else if isNext("/*") {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(Failure) {
    let start = place
    (_, _) = (next(), next())
    while !isNext("*/") {
      guard next() != nil else {
        throw Failure(start, "this comment has no end", "이 주석이 끝나지 않습니다")
      }
    }
    (_, _) = (next(), next())
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(Failure) -> Value {
    try skipBlanks()
    guard depth <= Self.maximumDepth else {
      throw failure("this lies too deep", "너무 깊이 들어 있습니다")
    }
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
      let isQuoted = rest.first == "\"" || rest.first == "'"
      let name = isQuoted ? try quoted() : bareWord()
      if name.isEmpty && !isQuoted {
        throw failure("a name is missing here", "여기에 이름이 없습니다")
      }
      try skipBlanks()
      guard take(":") else {
        throw failure("a : is missing after \(name)", "\(name) 뒤에 :이 없습니다")
      }
      members.append((name, try value(depth: depth + 1)))
      if depth == 1 { wholeMembers = members }
      try skipBlanks()
      if !take(",") && rest.first != "}" {
        throw failure("a , or } is missing here", "여기에 , 또는 }가 없습니다")
      }
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
      if !take(",") && rest.first != "]" {
        throw failure("a , or ] is missing here", "여기에 , 또는 ]가 없습니다")
      }
    }
  }

  private mutating func bareWord() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = rest.first,
      scalar.properties.isIDContinue || "$.+-\u{200c}\u{200d}".unicodeScalars.contains(scalar)
    {
      word.append(scalar)
      _ = next()
    }
    return String(word)
  }

  private mutating func word() throws(Failure) -> Content {
    let unknown = failure("this is no value", "값이 아닙니다")
    let word = bareWord()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "NaN", "Infinity", "+Infinity", "-Infinity": return .number(word)
    default:
      guard word.utf8.contains(where: { (0x30...0x39).contains($0) }), Double(word) != nil else {
        throw unknown
      }
      return .number(word)
    }
  }
}

extension Unicode.Scalar {
  /// What ends a line in JSON5 (ECMA-262, 12.3).
  fileprivate var isLineEnd: Bool { "\n\r\u{2028}\u{2029}".unicodeScalars.contains(self) }
}

// MARK: - Texts in quotes

extension SettingsText {
  private mutating func quoted() throws(Failure) -> String {
    let start = place
    let quote = next()
    var text = String.UnicodeScalarView()
    while let scalar = next() {
      if scalar == quote { return String(text) }
      if scalar == "\n" || scalar == "\r" { break }
      if scalar == "\\" {
        if let escaped = try escape() { text.append(escaped) }
      } else {
        text.append(scalar)
      }
    }
    throw Failure(start, "this text has no end", "이 글의 따옴표가 닫히지 않았습니다")
  }

  /// What stands behind a backslash; nil for a line that goes on.
  private mutating func escape() throws(Failure) -> Unicode.Scalar? {
    let unknown = failure("there is no such escape", "그런 이스케이프는 없습니다")
    guard let kind = next() else { throw unknown }
    switch kind {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "v": return "\u{b}"
    case "0": return "\0"
    case "x":
      guard let value = hexadecimal(2) else { throw unknown }
      return Unicode.Scalar(value)
    case "u":
      guard let scalar = unicodeEscape() else { throw unknown }
      return scalar
    case "\r":
      _ = take("\n")
      return nil
    case "1"..."9": throw unknown
    default: return kind.isLineEnd ? nil : kind
    }
  }

  /// Four digits, or four and `\u` and four for what lies beyond them.
  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = hexadecimal(4) else { return nil }
    guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
    guard take("\\"), take("u"), let second = hexadecimal(4), (0xdc00..<0xe000).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
  }

  private mutating func hexadecimal(_ count: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = rest.first, digit.isASCII, let number = Character(digit).hexDigitValue
      else { return nil }
      value = value << 4 | UInt32(number)
      _ = next()
    }
    return value
  }
}
