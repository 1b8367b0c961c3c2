internal import ChatModel
internal import ImageAssets
internal import TerminalText

/// One setting that has a single value: its name in `config.json` and for
/// `/set`, what it means, and how it is read and written.
package struct SettingKey: Sendable {
  package var name: String
  /// What may stand there, for completion; empty where anything may.
  package var choices: [String] = []
  package var english: String
  package var korean: String
  /// Whether it counts only when Banter starts, so that `/set` cannot have it.
  package var isForStart = false
  /// The value as text.
  package var read: @Sendable (Settings) -> String
  /// - Throws: what may stand there.
  package var write: @Sendable (inout Settings, String) throws(SettingsError) -> Void

  package static func named(_ name: String) -> SettingKey? {
    all.first { $0.name == name }
  }

  /// Every setting, in the order in which `/set` lists them.
  package static let all: [SettingKey] = [
    text("profile.id", \.profile.id, "who you are: the id that stays", "바뀌지 않는 내 아이디"),
    text("profile.name", \.profile.name, "the name that others see", "다른 사람에게 보이는 이름"),
    SettingKey(
      name: "profile.image", english: "the address of your picture on the web",
      korean: "웹에 있는 내 사진의 주소", read: { $0.profile.image ?? "" },
      write: { (settings, value) throws(SettingsError) in
        // A path would be sent as it is, and lead others nowhere.
        if !ImageAddress.isOfWeb(value), ImageAddress.begins(value) {
          throw SettingsError(
            "an address of the web without spaces (%20 stands for one), user name or other letters "
              + "than a to z in the host's name",
            "빈칸(%20으로 씁니다)이나 사용자 이름이 없고, 호스트 이름이 영문자인 웹 주소")
        }
        guard value.isEmpty || ImageAddress.isOfWeb(value) else {
          throw SettingsError(
            "an address that begins with https:// or http://: others cannot see a file of yours",
            "https://나 http://로 시작하는 주소. 내 컴퓨터의 파일은 다른 사람이 볼 수 없습니다")
        }
        settings.profile.image = value.isEmpty ? nil : value
      }),
    choice("style", \.style, "how messages look", "메시지 모양"),
    choice("color", \.color, "when colours are used", "색을 쓸 때"),
    SettingKey(
      name: "language", choices: ["auto", "en", "ko"],
      english: "the language of what Banter says", korean: "안내문의 언어",
      read: { $0.language?.rawValue ?? "auto" },
      write: { (settings, value) throws(SettingsError) in
        settings.language =
          value == "auto" ? nil : try chosen(value, of: Language.allCases, or: "auto")
      }),
    choice("clock", \.clock, "how times are written", "시각 표시"),
    choice(
      "emojiWidth", \.emojiWidth, "narrow where the terminal draws some emoji in one column",
      "일부 이모지를 한 칸에 그리는 터미널이면 narrow"
    ).forStart,
    number(
      "tail", \.tail, 0...10_000, "messages shown when a room is opened", "방을 열 때 보이는 메시지 수"
    ).forStart,
    choice("bell", \.bell, "what the bell rings for", "벨이 울릴 때"),
    flag(
      "hold", \.holdsArrivals, "in plain style, arrivals wait while you type",
      "plain 모양에서 입력 중에는 새 메시지를 미룸"),
    choice(
      "images.inline", \.inlineImages, "when pictures are shown", "그림을 보여 줄 때"),
    SettingKey(
      name: "images.protocol", choices: ["auto"] + GraphicsProtocol.allCases.map(\.rawValue),
      english: "how the terminal shows pictures", korean: "터미널이 그림을 보이는 방법",
      read: { $0.graphics?.rawValue ?? "auto" },
      write: { (settings, value) throws(SettingsError) in
        settings.graphics =
          value == "auto" ? nil : try chosen(value, of: GraphicsProtocol.allCases, or: "auto")
      }),
    choice(
      "images.prefetch", \.prefetch, "which images are fetched when they arrive",
      "도착하면 미리 받을 이미지"),
    flag(
      "images.private", \.fetchesPrivate, "images may come from addresses that are not public",
      "공개되지 않은 주소의 이미지도 받음"
    ).forStart,
    number(
      "images.parallel", \.parallelFetches, 1...16, "images that are fetched at once",
      "동시에 받는 이미지 수"
    ).forStart,
    flag(
      "images.keepPlace", \.keepsPlace, "photos and films are sent with all they tell",
      "사진과 동영상의 촬영 위치를 지우지 않음"),
    flag(
      "log", \.keepsLog, "what is said is kept in the session log", "세션 기록을 남김"
    ).forStart,
    number(
      "history.limit", \.historyLimit, 0...1_000_000, "entries of the input history that are kept",
      "보관할 입력 기록 수"
    ).forStart,
  ]

  private var forStart: SettingKey {
    var key = self
    key.isForStart = true
    return key
  }

  private static func chosen<Value: RawRepresentable>(
    _ value: String, of cases: [Value], or other: String? = nil
  ) throws(SettingsError) -> Value where Value.RawValue == String {
    if let value = Value(rawValue: value) { return value }
    let names = (other.map { [$0] } ?? []) + cases.map(\.rawValue)
    let list = names.joined(separator: ", ")
    throw SettingsError("one of \(list)", "\(list) 중 하나")
  }

  private static func choice<Value>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ english: String,
    _ korean: String
  ) -> SettingKey
  where
    Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String,
    Value.AllCases: SendableMetatype
  {
    SettingKey(
      name: name, choices: Value.allCases.map(\.rawValue), english: english, korean: korean,
      read: { $0[keyPath: path].rawValue },
      write: { (settings, value) throws(SettingsError) in
        settings[keyPath: path] = try chosen(value, of: Array(Value.allCases))
      })
  }

  private static func flag(
    _ name: String, _ path: any WritableKeyPath<Settings, Bool> & Sendable, _ english: String,
    _ korean: String
  ) -> SettingKey {
    SettingKey(
      name: name, choices: ["true", "false"], english: english, korean: korean,
      read: { String($0[keyPath: path]) },
      write: { (settings, value) throws(SettingsError) in
        guard let flag = Bool(value) else { throw SettingsError("true or false", "true 또는 false") }
        settings[keyPath: path] = flag
      })
  }

  private static func text(
    _ name: String, _ path: any WritableKeyPath<Settings, String> & Sendable, _ english: String,
    _ korean: String
  ) -> SettingKey {
    SettingKey(
      name: name, english: english, korean: korean, read: { $0[keyPath: path] },
      write: { (settings, value) throws(SettingsError) in
        if value.isEmpty { throw SettingsError("a text that is not empty", "비어 있지 않은 글") }
        settings[keyPath: path] = value
      })
  }

  private static func number(
    _ name: String, _ path: any WritableKeyPath<Settings, Int> & Sendable,
    _ range: ClosedRange<Int>,
    _ english: String, _ korean: String
  ) -> SettingKey {
    SettingKey(
      name: name, english: english, korean: korean, read: { String($0[keyPath: path]) },
      write: { (settings, value) throws(SettingsError) in
        guard let number = Int(value), range.contains(number) else {
          throw SettingsError(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            "\(range.lowerBound)부터 \(range.upperBound)까지의 정수")
        }
        settings[keyPath: path] = number
      })
  }
}
