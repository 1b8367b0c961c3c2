extension Settings {
  /// Applies what a settings file says.
  /// - Throws: ``SettingsError`` that names the file, the line and the column;
  ///   what stands before that has been applied.
  package mutating func apply(file text: String, path: String) throws(SettingsError) {
    do throws(SettingsText.Failure) {
      let (members, failure) = SettingsText.members(text)
      try apply(members, under: "")
      if let failure { throw failure }
    } catch {
      let (place, reason) = (error.place, error.reason)
      throw SettingsError(
        "\(path): line \(place.line), column \(place.column): \(reason.english)",
        "\(path): \(place.line)번째 줄 \(place.column)번째 칸: \(reason.korean)")
    }
  }

  private mutating func apply(
    _ members: [(name: String, value: SettingsText.Value)], under prefix: String
  ) throws(SettingsText.Failure) {
    for (name, value) in members {
      try apply(prefix + name, value)
    }
  }

  private mutating func apply(
    _ name: String, _ value: SettingsText.Value
  ) throws(SettingsText.Failure) {
    switch (name, value.content) {
    case ("aliases", .object(let members)):
      let what = LocalizedText("an alias", "별칭")
      for (alias, value) in members { aliases[alias] = try Self.text(value, of: what) }
    case ("images.map", .object(let members)):
      let what = LocalizedText("an image's address", "이미지 주소")
      for (prefix, value) in members { imageMap.append((prefix, try Self.text(value, of: what))) }
    case ("images.viewer", .list(let values)): imageViewer = try Self.words(values)
    case ("ignore", .list(let values)):
      let what = LocalizedText("a profile's id", "프로필 아이디")
      for value in values { ignored.insert(try Self.text(value, of: what)) }
    case ("plugins", .object(let members)):
      for (plugin, value) in members { plugins[plugin] = try Self.values(value, of: plugin) }
    case ("notify", .list(let values)): notify = try Self.words(values)
    case ("passwordCommand", .list(let values)): passwordCommand = try Self.words(values)
    case (_, .object(let members)) where Self.groups.contains(name):
      try apply(members, under: name + ".")
    default:
      try set(name, value)
    }
  }

  /// A plugin's own settings, of which Banter knows nothing.
  private static func values(
    _ settings: SettingsText.Value, of plugin: String
  ) throws(SettingsText.Failure) -> [String: String] {
    guard case .object(let members) = settings.content else {
      throw SettingsText.Failure(
        settings.place, "plugins.\(plugin) is an object", "plugins.\(plugin) 값은 객체입니다")
    }
    var values: [String: String] = [:]
    for (name, value) in members {
      switch value.content {
      case .text(let content), .number(let content): values[name] = content
      case .bool(let content): values[name] = String(content)
      case .null: break
      case .list, .object:
        throw SettingsText.Failure(
          value.place, "plugins.\(plugin).\(name) is a single value",
          "plugins.\(plugin).\(name) 값은 하나입니다")
      }
    }
    return values
  }

  /// A command, word by word.
  private static func words(_ values: [SettingsText.Value]) throws(SettingsText.Failure) -> [String]
  {
    let what = LocalizedText("a word of the command", "명령의 말")
    var words: [String] = []
    for value in values { words.append(try text(value, of: what)) }
    return words
  }

  /// Whether it is a setting that only the file can hold.
  static func isForFile(_ name: String) -> Bool {
    [
      "aliases", "images.map", "images.viewer", "ignore", "notify", "passwordCommand", "plugins",
    ].contains(name)
  }

  /// The names under which settings stand together, such as `profile`.
  private static let groups: Set<String> = {
    var groups: Set<String> = ["images"]
    for key in SettingKey.all {
      let parts = key.name.split(separator: ".")
      if parts.count > 1 { groups.insert(String(parts[0])) }
    }
    return groups
  }()

  private mutating func set(
    _ name: String, _ value: SettingsText.Value
  ) throws(SettingsText.Failure) {
    guard let key = SettingKey.named(name) else {
      throw SettingsText.Failure(
        value.place, "there is no setting \(name)", "\(name) 설정은 없습니다")
    }
    let text: String
    switch value.content {
    case .text(let content), .number(let content): text = content
    case .bool(let content): text = String(content)
    case .null: return
    case .list, .object:
      throw SettingsText.Failure(
        value.place, "\(name) is a single value", "\(name) 값은 하나입니다")
    }
    do {
      try key.write(&self, text)
    } catch {
      throw SettingsText.Failure(
        value.place, "\(name) is \(error.text.english)", "\(name): \(error.text.korean)")
    }
  }

  private static func text(
    _ value: SettingsText.Value, of what: LocalizedText
  ) throws(SettingsText.Failure) -> String {
    guard case .text(let text) = value.content else {
      throw SettingsText.Failure(
        value.place, "\(what.english) is a text in quotes", "\(what.korean): 따옴표 안의 글")
    }
    return text
  }
}
