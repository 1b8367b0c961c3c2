import ChatModel
import TerminalText
import Testing

@testable import ChatSession

struct SettingsTests {
  @Test func `takes everything that a settings file may hold`() throws {
    var settings = Settings()
    try settings.apply(
      file: """
        {
          // who I am
          profile: {id: 'kim', name: "김", image: 'https://x.example/kim.png'},
          style: 'plain', color: "never", language: 'ko', tail: 7, bell: 'off', hold: true,
          emojiWidth: 'narrow', history: {limit: 3}, clock: null,
          images: {map: {'a/': 'https://a.example/'}},
          aliases: {brb: '/me is away'}, ignore: ['troll'],
        }
        """, path: "config.json")
    #expect(settings.profile == Profile(id: "kim", name: "김", image: "https://x.example/kim.png"))
    #expect(settings.style == .plain && settings.color == .never && settings.language == .korean)
    #expect(settings.tail == 7 && settings.bell == .off && settings.holdsArrivals)
    #expect(settings.historyLimit == 3 && settings.clock == .automatic)
    #expect(settings.imageMap.map(\.address) == ["https://a.example/"])
    #expect(settings.aliases == ["brb": "/me is away"] && settings.ignored == ["troll"])
  }

  @Test(arguments: [
    ("{\n  stile: 'plain'\n}", "2, column 10", "there is no setting stile"),
    ("{tail: 'many'}", "1, column 8", "tail is a whole number from 0 to 10000"),
    ("{tail: 10001}", "1, column 8", "tail is a whole number from 0 to 10000"),
    ("{style: 'round'}", "1, column 9", "style is one of bubble, compact, plain"),
    ("{style: []}", "1, column 9", "style is a single value"),
    ("{profile: {id: ''}}", "1, column 16", "profile.id is a text that is not empty"),
    ("{ignore: [1]}", "1, column 11", "a profile's id is a text in quotes"),
    ("{aliases: {x: 1}}", "1, column 15", "an alias is a text in quotes"),
    ("[]", "1, column 1", "the settings are not in { }"),
  ])
  func `names file, line, column and reason`(_ text: String, _ place: String, _ reason: String) {
    var settings = Settings()
    let error = #expect(throws: SettingsError.self) {
      try settings.apply(file: text, path: "/c/config.json")
    }
    #expect(error?.description == "/c/config.json: line \(place): \(reason)")
    #expect(error?.text.korean.contains("번째 줄") == true)
  }

  @Test func `keeps what stands before a fault`() {
    var settings = Settings()
    #expect(throws: SettingsError.self) { try settings.apply(file: "{tail: 9, no: 1}", path: "") }
    #expect(settings.tail == 9)
  }

  @Test(arguments: SettingKey.all.map(\.name)) func `reads back what it writes`(_ name: String)
    throws
  {
    let key = try #require(SettingKey.named(name))
    let addresses = ["https://x.example/a.png", ""]
    let values =
      name == "profile.image" ? addresses : key.choices.isEmpty ? ["7", "1"] : key.choices
    var settings = Settings()
    for value in values + values.reversed() {
      try key.write(&settings, value)
      #expect(key.read(settings) == value)
    }
    #expect(!key.english.isEmpty && !key.korean.isEmpty)
  }

  @Test(arguments: [
    "me.png", "/home/me/me.png", "~/me.png", "file:///me.png", "data:,x",
  ])
  func `takes no picture of one's own that others cannot fetch`(_ value: String) throws {
    let key = try #require(SettingKey.named("profile.image"))
    var settings = Settings()
    let error = #expect(throws: SettingsError.self) { try key.write(&settings, value) }
    #expect(error?.description.contains("others cannot see a file of yours") == true)
    #expect(settings.profile.image == nil)
  }

  @Test(arguments: [
    "https://", "https://x.example/my cat.png", "https://me@x.example/a.png", "https://한글.kr/a.png",
  ])
  func `says what an address of the web may not have`(_ value: String) throws {
    let key = try #require(SettingKey.named("profile.image"))
    var settings = Settings()
    let error = #expect(throws: SettingsError.self) { try key.write(&settings, value) }
    #expect(error?.description.contains("an address of the web without spaces") == true)
    #expect(settings.profile.image == nil)
  }

  @Test(arguments: [
    "style", "color", "language", "clock", "emojiWidth", "tail", "bell", "hold", "history.limit",
  ])
  func `refuses what cannot be, and changes nothing`(_ name: String) throws {
    let key = try #require(SettingKey.named(name))
    var settings = Settings()
    let before = key.read(settings)
    for value in ["", "nonsense", "-1", "9999999999999999999999"] {
      #expect(throws: SettingsError.self) { try key.write(&settings, value) }
    }
    #expect(key.read(settings) == before)
  }
}
