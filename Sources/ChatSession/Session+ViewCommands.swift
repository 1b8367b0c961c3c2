internal import ChatModel
internal import TerminalText

/// What the commands about the view and the settings do.
extension Session {
  /// Where meanings begin in a list of commands.
  private static let usageColumns = 30

  func showHelp(_ argument: String) throws(CommandError) {
    guard argument.isEmpty else {
      let name = argument.hasPrefix("/") ? String(argument.dropFirst()) : argument
      if let text = settings.aliases[name] { return say("/\(name) = \(text)") }
      guard let command = Command.named(name) else {
        if let command = current.commands.first(where: { $0.name == name }) {
          return say("\(command.synopsis): \(command.help)")
        }
        throw CommandError(language("there is no command /\(name)", "/\(name) 명령은 없습니다"))
      }
      return say("\(command.synopsis(language)): \(language(command.english, command.korean))")
    }
    var rows = Command.all.flatMap { command in
      helpRows(command.synopsis(language), language(command.english, command.korean))
    }
    if !current.commands.isEmpty {
      let name = current.label ?? current.name
      rows += noteRows(language("and what \(name) has besides:", "\(name)에만 있는 명령:"))
      rows += current.commands.flatMap { helpRows($0.synopsis, $0.help) }
    }
    show(rows, messages: 0)
    say(
      language(
        "Tab completes; Alt-Enter begins a new line; Alt-e opens $EDITOR; Alt-a turns to the next room with something new; Ctrl-D leaves",
        "Tab 자동 완성, Alt-Enter 줄 바꿈, Alt-e 편집기, Alt-a 새 메시지가 있는 다음 방, Ctrl-D 나가기"))
  }

  private func helpRows(_ usage: String, _ meaning: String) -> [String] {
    let room = Self.usageColumns - transcript.options.measure.columns(usage)
    // A usage that is long has a row of its own.
    return room > 1
      ? noteRows(usage + String(repeating: " ", count: room) + meaning)
      : noteRows("\(usage)\n \(String(repeating: " ", count: Self.usageColumns))\(meaning)")
  }

  func set(_ arguments: String) throws(CommandError) {
    let (name, value) = arguments.firstWord
    let group = SettingKey.all.filter { name.isEmpty || $0.name.hasPrefix("\(name).") }
    if value.isEmpty, !group.isEmpty { return list(group) }
    guard let key = SettingKey.named(name) else {
      guard group.isEmpty else {
        throw CommandError(
          language(
            "\(name) is a group of settings; /set \(name) lists them",
            "\(name)은 설정의 묶음입니다. /set \(name) 목록"))
      }
      if Settings.isForFile(name) {
        throw CommandError(
          language(
            "\(name) is a list: write it into config.json", "\(name) 설정은 목록입니다. config.json에 쓰세요"))
      }
      throw CommandError(
        language("there is no setting \(name); /set lists them", "\(name) 설정은 없습니다. /set 목록"))
    }
    guard !value.isEmpty else { return say("\(key.name) = \(key.read(settings))") }
    var changed = settings
    do {
      // Quotes with nothing in them are how an empty value is typed.
      try key.write(&changed, value == "\"\"" ? "" : value)
    } catch {
      throw CommandError("\(name): \(language(error.text))")
    }
    guard !key.isForStart else {
      throw CommandError(
        language(
          "\(name) counts when Banter starts: write it into config.json",
          "\(name) 설정은 시작할 때 적용됩니다. config.json에 적으세요"))
    }
    settings = changed
    applySettings()
    say("\(key.name) = \(key.read(settings))")
  }

  private func list(_ keys: [SettingKey]) {
    let rows = keys.flatMap { key in
      noteRows(
        "\(key.name) = \(key.read(settings))  # \(language(key.english, key.korean))"
          + (key.choices.isEmpty ? "" : ": \(key.choices.joined(separator: ", "))"))
    }
    show(rows, messages: 0)
  }

  /// Lets the view follow settings that have changed.
  func applySettings() {
    var options = transcript.options
    options.style = settings.style
    options.clock = settings.clock
    options.measure = TextMeasure(emojiWidth: settings.emojiWidth)
    options.ownProfileID = settings.profile.id
    options.mentionNames = mentionNames
    options.palette = palette
    options.language = settings.language ?? parts.transcript.language
    transcript.options = options
    updatePrompt()
  }

  /// What one is called, in whichever room.
  var mentionNames: [String] {
    var names = [settings.profile.displayName]
    for room in rooms {
      let name = ownProfile(in: room).displayName
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The options for what is shown of one room.
  func options(of room: JoinedRoom) -> TranscriptOptions {
    var options = transcript.options
    options.ownProfileID = ownID(in: room)
    return options
  }

  /// The colours that the setting asks for, as far as the terminal has them.
  private var palette: Palette {
    switch (settings.color, parts.transcript.palette.depth) {
    case (.never, _): Palette(depth: .none)
    case (.always, .none): Palette(depth: .ansi16)
    case (.auto, _), (.always, _): parts.transcript.palette
    }
  }

  func alias(_ arguments: String) throws(CommandError) {
    let (word, expansion) = arguments.firstWord
    let name = word.hasPrefix("/") ? String(word.dropFirst()) : word
    guard !word.isEmpty else {
      if settings.aliases.isEmpty { return say(language("there are no aliases", "별칭이 없습니다")) }
      for (alias, text) in settings.aliases.sorted(by: { $0.key < $1.key }) {
        say("/\(alias) = \(text)")
      }
      return
    }
    guard !expansion.isEmpty else {
      guard let text = settings.aliases[name] else {
        throw CommandError(language("there is no alias \(name)", "\(name) 별칭은 없습니다"))
      }
      return say("/\(name) = \(text)")
    }
    guard Command.named(name) == nil else {
      throw CommandError(language("/\(name) is a command already", "이미 있는 명령입니다: /\(name)"))
    }
    guard expansion != "\"\"" else {
      settings.aliases[name] = nil
      return say(language("/\(name) is no alias any more", "/\(name) 별칭을 지웠습니다"))
    }
    settings.aliases[name] = expansion
    say("/\(name) = \(expansion)")
  }
}
