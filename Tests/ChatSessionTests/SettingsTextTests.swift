import FoundationEssentials
import TestSupport
import Testing

@testable import ChatSession

struct SettingsTextTests {
  /// A value of JSON in a form that can be compared and that `JSONDecoder`
  /// makes, too.
  indirect enum Tree: Decodable, Equatable {
    case text(String)
    case number(Double)
    case bool(Bool)
    case null
    case list([Tree])
    case object([String: Tree])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let bool = try? container.decode(Bool.self) {
        self = .bool(bool)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else if let list = try? container.decode([Tree].self) {
        self = .list(list)
      } else {
        self = .object(try container.decode([String: Tree].self))
      }
    }

    init(_ value: SettingsText.Value) {
      self =
        switch value.content {
        case .text(let text): .text(text)
        case .number(let text): .number(Double(text) ?? .nan)
        case .bool(let bool): .bool(bool)
        case .null: .null
        case .list(let values): .list(values.map(Tree.init))
        case .object(let members):
          .object(
            Dictionary(members.map { ($0.name, Tree($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }
  }

  @Test(arguments: [
    "{}", "[]", "null", "true", "{a: 1}", "{\"a\": 'b',}", "[1, 2.5, -3, +4, .5, 6., 1e3, 0x1F,]",
    "// c\n{a: 1, /* x\n */ b: [true, false, null]} // end", "{'a b': \"c'd\", \"é\": '\"'}",
    #"["\n\t\r\b\f\\\/\"\u0041\ud83d\ude00"]"#,
    "{$x_1: {y: {z: []}}}", "\u{feff}{ a : 'x' }", "{\"\": 1}",
    "{\"\u{301}a\": \"\u{fe0f}\u{301}\"}",
    "{이름: '민수'}", "[\"a\u{301}\"]", "\r\n[\r\n1\r\n]\r\n",
  ])
  func `reads JSON5 as JSONDecoder does`(_ text: String) throws {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let expected = try decoder.decode(Tree.self, from: Data(text.utf8))
    #expect(Tree(try SettingsText.parse(text)) == expected)
  }

  // Parts of JSON5 that `JSONDecoder` does not read.
  @Test(arguments: [
    (#"'\v\0\x41\'\q'"#, "\u{b}\0A'q"), ("'a\\\nb'", "ab"), ("'a\\\r\nb'", "ab"),
    ("\u{b}\u{c}\u{a0}'x'", "x"), ("'\u{2028}'", "\u{2028}"),
  ])
  func `reads the rest of JSON5`(_ text: String, _ expected: String) throws {
    #expect(Tree(try SettingsText.parse(text)) == .text(expected))
  }

  @Test(arguments: 0..<300) func `reads what is generated as JSONDecoder does`(_ seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let text = generated(&random, depth: 0)
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let expected = try decoder.decode(Tree.self, from: Data(text.utf8))
    #expect(Tree(try SettingsText.parse(text)) == expected, "\(text)")
  }

  private func generated(_ random: inout SeededRandom, depth: Int) -> String {
    let blanks = ["", " ", "\n", "\t", "/* c */", "// c\n"]
    let texts = ["'a'", "\"b\"", #"'\u00e9'"#, #""\"""#, "'\u{301}'", "\"민\"", "'//'", "'/*'"]
    let scalars = texts + ["1", "-0.5", "0xff", "true", "false", "null", "1E2"]
    func blank() -> String { blanks.randomElement(using: &random) ?? "" }
    let count = Int.random(in: 0...3, using: &random)
    let comma = count > 0 && Bool.random(using: &random) ? "," : ""
    switch depth > 3 ? 0 : Int.random(in: 0...3, using: &random) {
    case 1:
      let items = (0..<count).map { _ in blank() + generated(&random, depth: depth + 1) + blank() }
      return "[" + items.joined(separator: ",") + comma + blank() + "]"
    case 2:
      let items = (0..<count).map { number in
        "\(blank())k\(number)\(blank()):\(blank())\(generated(&random, depth: depth + 1))\(blank())"
      }
      return "{" + items.joined(separator: ",") + comma + blank() + "}"
    default: return scalars.randomElement(using: &random) ?? "1"
    }
  }

  @Test(arguments: [
    "{a:}", "{a 1}", "{,}", "[1,,2]", "{\"a\": tru}", "{a: 1} x", "{", "]", "{a: 1,, b: 2}", "'x",
    "{1 2}", "- 1", "0x", "1e", "/* x", "[1}", "{'a'}",
  ])
  func `refuses what JSONDecoder refuses`(_ text: String) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    #expect(throws: DecodingError.self) { try decoder.decode(Tree.self, from: Data(text.utf8)) }
    #expect(throws: SettingsText.Failure.self) { try SettingsText.parse(text) }
  }

  @Test(arguments: [
    ("{", 1, 2, "the file ends too early"), ("{a: 1 b: 2}", 1, 7, "a , or } is missing here"),
    ("{\n  a 1}", 2, 5, "a : is missing after a"), ("{\r\n\r\n  a: ?}", 3, 6, "this is no value"),
    ("[1, 2", 1, 6, "the file ends too early"), ("{} x", 1, 4, "x follows the settings"),
    ("{\n a: 'x\n}", 2, 5, "this text has no end"), ("/* x", 1, 1, "this comment has no end"),
    ("/*/ {}", 1, 1, "this comment has no end"),
    (#"{민수: '\u12'}"#, 1, 8, "there is no such escape"),
    (#"['\ud83d']"#, 1, 4, "there is no such escape"),
    (#"['\u+123']"#, 1, 4, "there is no such escape"), ("{a: nan}", 1, 5, "this is no value"),
    ("{,}", 1, 2, "a name is missing here"), ("[,]", 1, 2, "this is no value"),
    ("{e\u{301}: ?}", 1, 5, "this is no value"),
  ])
  func `tells line and column of what is wrong`(
    _ text: String, _ line: Int, _ column: Int, _ reason: String
  ) {
    let failure = #expect(throws: SettingsText.Failure.self) { try SettingsText.parse(text) }
    #expect(failure?.place == SettingsText.Place(line: line, column: column))
    #expect(failure?.reason.english == reason)
    #expect(failure?.reason.korean.contains { $0 >= "가" } == true)
  }

  @Test func `does not follow nesting without end`() {
    #expect(throws: SettingsText.Failure.self) {
      try SettingsText.parse(String(repeating: "[", count: 100_000))
    }
  }
}
