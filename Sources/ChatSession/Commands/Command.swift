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
    case room
    case files
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
  package var synopsis: String { "/\(name) \(usage)".trimmed }

  package static func named(_ name: String) -> Command? {
    all.first { $0.name == name }
  }

  /// The command whose name is most like a mistyped one; nil when none is:
  /// at least one character must be right, and of long names half of them.
  package static func nearest(to name: String) -> Command? {
    let name = name.lowercased().prefix(32)
    let distances = all.map { (command: $0, distance: editDistance(name, $0.name)) }
    guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= min(max(2, name.count / 2), name.count - 1) ? best.command : nil
  }
}

/// Why a command was not carried out, for its user.
package struct CommandError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
