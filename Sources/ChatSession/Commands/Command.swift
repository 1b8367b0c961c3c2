package import TerminalText

/// One slash command, defined once: what it is called, what Tab completes,
/// what `/help` says, and what it does.
package struct Command: Sendable {
  /// What an argument is, for completion.
  package enum Argument: Sendable {
    case none
    case text
    /// A message's number, then text.
    case message
    case profile
    /// One that can be joined.
    case room
    case openRoom
    case files
    /// Numbers of a message and an image, what to do with it, and a folder.
    case images
    case setting
    case command
    case choice(@Sendable () -> [String])
  }

  package var name: String
  /// The arguments as help shows them.
  package var usage: String
  package var argument: Argument
  package var english: String
  package var korean: String
  /// Does it; the arguments have no blanks around them.
  /// - Throws: why it cannot be done; the line then comes back for editing.
  package var run: @MainActor @Sendable (Session, String) throws(CommandError) -> Void

  package init(
    _ name: String, _ usage: String = "", _ argument: Argument = .none, _ english: String,
    _ korean: String,
    run: @escaping @MainActor @Sendable (Session, String) throws(CommandError) -> Void
  ) {
    self.name = name
    self.usage = usage
    self.argument = argument
    self.english = english
    self.korean = korean
    self.run = run
  }

  /// Every command of Banter itself, sorted by name.
  package static let all = (messageCommands + peopleCommands + roomCommands + viewCommands)
    .sorted { $0.name < $1.name }

  /// The name with its slash, and the arguments.
  package func synopsis(_ language: Language) -> String {
    "/\(name) \(language(usage, koreanUsage))".trimmed
  }

  /// The usage with the words that stand for something in Korean; what is to be
  /// typed as it is stays.
  private var koreanUsage: String {
    var usage = usage[...]
    var result = ""
    while let first = usage.first {
      let word = usage.prefix { $0.isLetter }
      result += word.isEmpty ? String(first) : Self.koreanWords[String(word)] ?? String(word)
      usage = usage.dropFirst(max(1, word.count))
    }
    return result
  }

  private static let koreanWords = [
    "message": "메시지", "text": "내용", "emoji": "이모지", "words": "검색어", "n": "번호",
    "PATH": "경로", "FOLDER": "폴더", "page": "쪽", "FILE": "파일", "caption": "설명", "NAME": "이름",
    "name": "이름", "id": "아이디", "profile": "사람", "date": "날짜", "or": "또는",
    "command": "명령", "key": "항목", "value": "값", "ROOM": "방", "room": "방",
  ]

  package static func named(_ name: String) -> Command? {
    all.first { $0.name == name }
  }

  /// The name of a command, or of one of `others`, that is most like a mistyped
  /// one; nil when none is: at least one character must be right, and of long
  /// names half of them.
  package static func nearest(to name: String, besides others: [String] = []) -> String? {
    let name = name.lowercased().prefix(32)
    let distances = (all.map(\.name) + others).map { ($0, distance: editDistance(name, $0)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= min(max(2, name.count / 2), name.count - 1) ? best.0 : nil
  }
}

/// Why a command was not carried out, for its user.
package struct CommandError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
