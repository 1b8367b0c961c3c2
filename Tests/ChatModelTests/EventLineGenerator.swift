import TestSupport

/// Makes lines that are events, nearly events, and damaged events.
struct EventLineGenerator {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  private static let fields = [
    "type", "messageID", "eventID", "profileID", "profileName", "profileImage", "content", "images",
    "files", "createdAt", "replyTo", "action", "truncated", "reaction", "removed", "present",
    "about",
    "path", "name", "size",
  ]
  private static let types = [
    "message", "message", "edit", "delete", "reaction", "profile", "presence", "notice", "typing",
  ]
  private static let pieces = [
    "a", "hello ", "안녕", "é", "e\u{301}", "😀", "👨‍👩‍👧", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}",
    "\u{fffd}", #"\n"#, #"\""#, #"\\"#, #"\/"#, #"\u0041"#, #"\u0000"#, #"\ud83d\ude00"#,
    #"\uD55C"#,
    #"\t"#, "{", "]", ":", ",", "'", "0", "12345678",
  ]
  private static let oddPieces = [
    #"\ud83d"#, #"\ude00"#, #"\x"#, #"\u12"#, "\u{1}", "\t", "\u{0}", "\"", "\\",
  ]
  private static let numbers = ["0", "7", "-3", "42", "1796026560123", "9223372036854775807"]
  private static let oddNumbers = [
    "-0", "1e5", "1.0", "1.5", "-1E-2", "01", "1.", ".5", "+1", "-", "1e", "0x1",
    "9223372036854775808",
    "123456789012345678901234567890", "1e400", "NaN", "00",
  ]

  // MARK: - Values

  private mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text += random.once(in: 900) ? random.pick(Self.oddPieces) : random.pick(Self.pieces)
    }
    return "\"\(text)\""
  }

  private mutating func blank() -> String {
    if random.once(in: 1_500) { return random.pick(["\u{a0}", "\u{b}", "\u{0}"]) }
    return random.once(in: 25) ? random.pick([" ", "\t", "\r", "\n", "  "]) : ""
  }

  private mutating func list(_ element: (inout Self) -> String) -> String {
    let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in element(&self) + blank() }
    return "[" + blank() + elements.joined(separator: ",") + "]"
  }

  private mutating func anything(depth: Int = 0) -> String {
    switch Int.random(in: 0..<(depth > 4 ? 5 : 7), using: &random) {
    case 0: text()
    case 1: random.pick(Self.numbers)
    case 2: random.once(in: 4) ? random.pick(Self.oddNumbers) : "12"
    case 3: random.pick(["true", "false", "null"])
    case 4: random.once(in: 20) ? random.pick(["tru", "nulll", "True", "", "\u{0}"]) : "null"
    case 5: list { $0.anything(depth: depth + 1) }
    default: object { $0.anything(depth: depth + 1) }
    }
  }

  private mutating func object(_ value: (inout Self) -> String) -> String {
    let members = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      let name = random.once(in: 2) ? "\"\(random.pick(Self.fields))\"" : text()
      return name + blank() + ":" + value(&self)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func file() -> String {
    var members = ["\"path\":\(text())"]
    for name in ["name", "mediaType", "sha256"] where random.once(in: 2) {
      members.append("\"\(name)\":\(text())")
    }
    if random.once(in: 2) { members.append("\"size\":\(random.pick(Self.numbers))") }
    if random.once(in: 8) { members.append("\"x\":\(anything())") }
    return "{\(members.shuffled(using: &random).joined(separator: ","))}"
  }

  private mutating func date() -> String {
    random.pick([
      #""2026-11-30T08:16:00.123Z""#, #""2026-11-30t17:16:00+09:00""#,
      #""2026-11-30T08:16:00\u005A""#,
      #""yesterday""#, "17",
    ])
  }

  private mutating func value(of field: String) -> String {
    if random.once(in: 100) { return anything() }
    switch field {
    case "type": return "\"\(random.pick(Self.types))\""
    case "messageID", "eventID", "profileID", "replyTo":
      if random.once(in: 80) { return random.pick(Self.oddNumbers) }
      return random.once(in: 6)
        ? random.pick(Self.numbers) : "\"0199c0de-\(random.pick(["a", "b"]))\""
    case "images": return list { $0.text() }
    case "files": return list { $0.file() }
    case "createdAt": return date()
    case "action", "truncated", "removed", "present": return random.pick(["true", "false", "null"])
    case "size": return random.pick(Self.numbers)
    default: return text()
    }
  }

  /// A field's name, some letters of it as escapes now and then.
  private mutating func name(_ field: String) -> String {
    guard random.once(in: 40) else { return "\"\(field)\"" }
    let letters = field.unicodeScalars.map { letter in
      random.once(in: 3) ? "\\u00" + String(letter.value, radix: 16) : String(letter)
    }
    return "\"\(letters.joined())\""
  }

  // MARK: - Lines

  /// An event, mostly; no name stands in it twice.
  mutating func event() -> [UInt8] {
    let rarely = Set(["createdAt", "files", "images", "present", "removed", "path", "name", "size"])
    let members = Self.fields.shuffled(using: &random).compactMap { field -> String? in
      if random.once(in: rarely.contains(field) ? 2 : 12) { return nil }
      return blank() + name(field) + blank() + ":" + blank() + value(of: field) + blank()
    }
    let mark = random.once(in: 40) ? "\u{feff}" : ""
    return Array((mark + blank() + "{" + members.joined(separator: ",") + "}" + blank()).utf8)
  }

  /// The line with one to three injuries.
  mutating func damaged(_ line: [UInt8]) -> [UInt8] {
    var line = line
    for _ in 0..<Int.random(in: 1...3, using: &random) where !line.isEmpty {
      let place = Int.random(in: line.indices, using: &random)
      let end = min(line.count, place + Int.random(in: 1...12, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: line[place] = UInt8.random(in: 0...255, using: &random)
      case 2: line.removeSubrange(place...)
      case 3: line.removeSubrange(place..<end)
      case 4: line.insert(contentsOf: line[place..<end], at: place)
      case 5: line.insert(random.pick(Array(#""\{}[],:0-.e"#.utf8)), at: place)
      case 6: line.insert(contentsOf: random.pick(Self.oddNumbers).utf8, at: place)
      default:
        let other = Int.random(in: line.indices, using: &random)
        line.swapAt(place, other)
      }
    }
    return line
  }
}
