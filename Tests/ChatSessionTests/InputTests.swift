import ChatModel
import FoundationEssentials
import LinePrompt
import Testing

@testable import ChatSession

/// What lines mean, how profiles are named in them, and how settings are read.
@Suite struct InputTests {
  @Test(
    arguments: [
      ("hello", .message("hello")), ("  hello ", .message("  hello ")), ("   ", .empty),
      ("//x", .message("/x")), ("/me  waves ", .command(name: "me", arguments: "waves")),
      (" /quit", .indentedCommand),
      ("\t/x", .indentedCommand), ("/", .command(name: "", arguments: "")),
      ("a /quit", .message("a /quit")),
    ] as [(String, InputLine)])
  func `a slash is never said by mistake`(line: String, meaning: InputLine) {
    #expect(InputLine(line) == meaning)
  }

  private static let hostileNames = [
    "", "민수", "Max \"plew\" M", "O'Neil", "a b", "/admin", "#x", "back\\slash", "İstanbul", "ß",
    "jane", "Jane", "JANE", " padded ", "a\nb", "\u{1b}[31m", "\u{301}\u{301}", "\"quoted\"", "id1",
    "\u{202e}evil", "👨‍👩‍👧", "12", "-x", "@x", ":x:",
  ]

  @Test func `what names a profile in an argument names exactly that one`() {
    var profiles: [Profile] = []
    for (index, name) in Self.hostileNames.enumerated() {
      profiles.append(Profile(id: "id\(index)", name: name))
      profiles.append(Profile(id: name.isEmpty ? "empty" : name, name: "id\(index + 1)"))
      profiles.append(Profile(id: "twin\(index)", name: name))
    }
    var ids: Set<String> = []
    profiles.removeAll { !ids.insert($0.id).inserted }
    let reference = ProfileReference(profiles)
    for profile in profiles {
      let argument = reference.argument(for: profile)
      #expect(reference.resolve(argument) == .found(profile), "\(argument.debugDescription)")
      #expect(argument == argument.trimmed)
    }
  }

  private var completer: Completer {
    Completer(
      commands: Command.all, aliases: ["brb"],
      profiles: [
        Profile(id: "minsu", name: "민수"), Profile(id: "j1", name: "Jane"),
        Profile(id: "j2", name: "Jane"), Profile(id: "ist", name: "İstanbul"),
        Profile(id: "nfd", name: "cafe\u{301}"),
      ], rooms: { ["lobby", "team"] }, files: { _ in [] }, messageNumbers: { [12, 11, 1] })
  }

  @Test(arguments: [
    ("/prof", ["/profile "]), ("/profile ㅁㅅ", ["민수"]), ("/profile jan", ["j1", "j2"]),
    ("/profile ist", ["İstanbul"]), ("/profile caf\u{e9}", ["cafe\u{301}"]), ("민", ["민수: "]),
    ("hello @ㅁ", ["@민수 "]), ("nice :tada", ["🎉"]), ("/reply 1", ["12 ", "11 ", "1 "]),
    ("/set sty", ["style"]), ("/set style c", ["compact"]), ("/br", ["/brb "]), ("/quit x", []),
    ("hello there ja", []),
  ])
  func `Tab completes`(typed: String, expected: [String]) {
    let reply = completer.complete(typed)
    #expect(reply.candidates.map(\.insert) == expected)
    #expect(reply.range.upperBound == typed.utf8.count || expected.isEmpty)
  }

  @Test func `equal names are told apart by id`() {
    let labels = completer.complete("/profile jan").candidates.map(\.label)
    #expect(labels == ["Jane (j1)", "Jane (j2)"])
  }

  @Test(arguments: [#"a b"#, #"it's"#, #"back\slash"#, #""q""#, "tab\there", "한글 이름.png"])
  func `a file's name that was completed is read back`(name: String) {
    #expect(FileNames.split(FileNames.quoted(name)).words == [name])
  }

  @Test(arguments: [
    ("{ tail: 5, }", 5), ("// c\n{\"tail\": '7' /* x */}", 7), ("", 50), ("{}", 50),
  ])
  func `settings are JSON as people write it`(text: String, tail: Int) throws {
    var settings = Settings()
    try settings.apply(file: text, path: "config.json")
    #expect(settings.tail == tail)
  }

  @Test(arguments: [
    ("{\n  tail: }", "line 2, column 9"), ("{\n  tail: 5\n  bell: \"off\" }", "line 3, column 3"),
    ("{ style: \"pretty\" }", "line 1, column 10: style is one of bubble, compact, plain"),
    ("{\n\n  nonsense: 1 }", "line 3, column 13: there is no setting nonsense"),
    ("{ tail: -1 }", "column 9: tail is a whole number"), ("[", "line 1, column 2"),
    ("{ profile: 5 }", "there is no setting profile"), ("{ a: \"x", "this text has no end"),
    ("{ /* x", "this comment has no end"),
  ])
  func `a slip in the settings is told with its place`(text: String, part: String) {
    var settings = Settings()
    let error = #expect(throws: SettingsError.self) {
      try settings.apply(file: text, path: "config.json")
    }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    "{a: 1, b: [1, 2,], 'c': \"x\\n\\u0041\", d: {e: null, f: true},}", "[]", "{\"a\":-1.5e3}",
    "/* a */ {} // b", "{a:}", "{a 1}", "{,}", "[1,,2]", "{\"a\": tru}", "{a: 1} x", "{",
  ])
  func `what JSONDecoder takes for JSON5 is taken`(text: String) {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let isValid = (try? decoder.decode(AnyJSON.self, from: Data(text.utf8))) != nil
    #expect(((try? SettingsText.parse(text)) != nil) == isValid)
  }

  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        for key in container.allKeys { _ = try container.decode(AnyJSON.self, forKey: key) }
      } else if var list = try? decoder.unkeyedContainer() {
        while !list.isAtEnd { _ = try list.decode(AnyJSON.self) }
      }
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test func `every setting reads back what it writes, and refuses what it cannot be`() throws {
    for key in SettingKey.all {
      var settings = Settings()
      for value in key.choices.isEmpty ? [] : key.choices {
        try key.write(&settings, value)
        #expect(key.read(settings) == value)
      }
      if !key.choices.isEmpty {
        #expect(throws: SettingsError.self) { try key.write(&settings, "nonsense") }
      }
    }
  }

  @Test func `a folder that is not absolute is passed over`() {
    let folders = Folders(
      environment: ["XDG_DATA_HOME": "relative", "XDG_STATE_HOME": "/s"], home: "/home/x")
    #expect(folders.rooms == "/home/x/.local/share/banter/rooms")
    #expect(folders.inputHistory == "/s/banter/history")
  }
}
