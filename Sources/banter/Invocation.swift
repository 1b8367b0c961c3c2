internal import CPosix
internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// Everything that a subcommand is told: words, options, settings and what
/// the environment says.
struct Invocation {
  var words: [String]
  var options: Options
  var settings = Settings()
  var folders: Folders
  var environment: [String: String]
  /// What was wrong with the settings file, to be told once.
  var settingsProblem: SettingsError?
  let plugins: Plugins
  /// The session log, which is opened when it is first asked for something.
  let log: LogStore

  init(_ options: Options, _ words: [String]) throws {
    self.options = options
    self.words = words
    environment = Self.environment
    let account = LocalUser(environment: environment)
    folders = Folders(environment: environment, home: account.home)
    log = LogStore(path: folders.log)
    plugins = Plugins(environment: environment, data: folders.data)
    settings.profile = Profile(id: account.name, name: account.fullName)
    settings.language = nil
    readSettingsFile()
    try apply(options)
  }

  /// The process's environment, environ(7).
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = posix_environment()
    while let entry = next?.pointee {
      let pair = String(cString: entry).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
      next = next?.advanced(by: 1)
    }
    return variables
  }

  /// A bad settings file is told, and what stands before the fault counts.
  private mutating func readSettingsFile() {
    let path = folders.settingsFile
    guard let bytes = readFile(path, limit: 1 << 20) else {
      if errno != ENOENT && errno != ENOTDIR {
        settingsProblem = SettingsError(unreadable: path, errorNumber: errno)
      }
      return
    }
    do {
      try settings.apply(file: String(decoding: bytes, as: UTF8.self), path: path)
    } catch {
      settingsProblem = error
    }
  }

  private mutating func apply(_ options: Options) throws {
    if let name = options.name {
      guard !name.trimmed.isEmpty else {
        throw UsageError("--as wants a name", "--as 뒤에 이름이 필요합니다")
      }
      // Somebody else's name without an id is somebody else.
      if name != settings.profile.name {
        let id = name.beginning(ofBytes: EventCodec.maximumIDBytes)
        settings.profile = Profile(id: id, name: name)
      }
    }
    if let id = options.profileID {
      guard (1...EventCodec.maximumIDBytes).contains(id.utf8.count) else {
        throw UsageError(
          "--profile-id wants an id of \(EventCodec.maximumIDBytes) bytes at most",
          "--profile-id 뒤에 \(EventCodec.maximumIDBytes)바이트를 넘지 않는 아이디가 필요합니다")
      }
      settings.profile.id = id
    }
    for (key, option, value) in [
      ("style", "--style", options.style), ("color", "--color", options.color),
      ("tail", "--tail", options.tail),
    ] {
      guard let value, let key = SettingKey.named(key) else { continue }
      do {
        try key.write(&settings, value)
      } catch {
        throw UsageError(
          "\(option) wants \(error.text.english), not \(value)",
          "\(option) 값은 \(error.text.korean)입니다. \(value) 값은 쓸 수 없습니다")
      }
    }
  }

  /// The room that the words name; `lobby` where there is none.
  func room() throws(UsageError) -> RoomAddress {
    guard words.count <= 1 else {
      throw UsageError(
        "one room at a time; \(words[1]) is too much", "방은 하나만 쓰세요. \(words[1])가 더 있습니다")
    }
    return try Self.room(words.first ?? "lobby")
  }

  static func room(_ word: String) throws(UsageError) -> RoomAddress {
    do {
      return try RoomAddress(word)
    } catch {
      throw UsageError("\(error)", "방 이름을 읽을 수 없습니다: \(error)")
    }
  }

  /// How many messages `-n` asks for.
  func count(otherwise standard: Int) throws(UsageError) -> Int {
    let wanted = options.count ?? String(standard)
    guard let count = Int(wanted), count >= 0 else {
      throw UsageError(
        "-n wants a whole number, not \(wanted)", "-n 값은 정수입니다. \(wanted) 값은 쓸 수 없습니다")
    }
    return count
  }

  var language: Language { settings.language ?? Language { environment[$0] } }

  /// Tells on standard error what was wrong with the settings file, if
  /// anything.
  func tellSettingsProblem() {
    if let settingsProblem { Banter.complain(language(settingsProblem.text)) }
  }
}

/// Who runs this process (getpwuid(3)).
struct LocalUser {
  var name: String
  var fullName: String
  var home: String

  init(environment: [String: String]) {
    let entry = getpwuid(getuid())?.pointee
    let text = { (pointer: UnsafeMutablePointer<CChar>?) in pointer.map { String(cString: $0) } }
    name = entry.flatMap { text($0.pw_name) } ?? environment["USER"] ?? "user\(getuid())"
    let information = entry.flatMap { text($0.pw_gecos) } ?? ""
    let fullName = information.prefix { $0 != "," }
    self.fullName = fullName.isEmpty ? name : String(fullName)
    home = environment["HOME"] ?? entry.flatMap { text($0.pw_dir) } ?? "/"
  }
}
