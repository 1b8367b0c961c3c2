extension Settings {
  /// Applies what a settings file says.
  /// - Throws: ``SettingsError`` that names the file, the line and the column;
  ///   what stands before that has been applied.
  package mutating func apply(file text: String, path: String) throws(SettingsError) {
    do throws(SettingsText.Failure) {
      let root = try SettingsText.parse(text)
      guard case .object(let members) = root.content else {
        throw SettingsText.Failure(place: root.place, reason: "the settings are not in { }")
      }
      try apply(members, under: "")
    } catch {
      throw SettingsError(
        "\(path): line \(error.place.line), column \(error.place.column): \(error.reason)")
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
      for (alias, value) in members { aliases[alias] = try Self.text(value, of: "an alias") }
    case ("images.map", .object(let members)):
      for (prefix, value) in members {
        imageMap.append((prefix, try Self.text(value, of: "an image's address")))
      }
    case ("ignore", .list(let values)):
      for value in values { ignored.insert(try Self.text(value, of: "a profile's id")) }
    case (_, .object(let members)) where Self.groups.contains(name):
      try apply(members, under: name + ".")
    default:
      try set(name, value)
    }
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
      throw SettingsText.Failure(place: value.place, reason: "there is no setting \(name)")
    }
    let text: String
    switch value.content {
    case .text(let content), .number(let content): text = content
    case .bool(let content): text = String(content)
    case .null: return
    case .list, .object:
      throw SettingsText.Failure(place: value.place, reason: "\(name) is a single value")
    }
    do {
      try key.write(&self, text)
    } catch {
      throw SettingsText.Failure(place: value.place, reason: "\(name) is \(error)")
    }
  }

  private static func text(
    _ value: SettingsText.Value, of what: String
  ) throws(SettingsText.Failure) -> String {
    guard case .text(let text) = value.content else {
      throw SettingsText.Failure(place: value.place, reason: "\(what) is a text in quotes")
    }
    return text
  }
}
