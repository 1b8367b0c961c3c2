package import LinePrompt

/// What a session needs of a prompt: a line that is typed, and rows above it.
///
/// `LinePrompt` is one in a terminal, ``StreamPrompt`` where the output is
/// none; tests have one that records.
@MainActor
package protocol PromptSurface: AnyObject {
  /// How wide the terminal is.
  var columns: Int { get }
  /// How many rows it has.
  var rows: Int { get }
  /// Whether it takes escape sequences, so that pictures can be shown.
  var showsPictures: Bool { get }
  /// Whether nobody can read or type any more, so that there is no use in
  /// asking anything.
  var isGone: Bool { get }
  /// What stands before the typed line; may contain SGR sequences.
  var prompt: String { get set }
  /// What has been typed so far.
  var line: String { get }
  /// Whom to tell what the user does; set before `start()`.
  var events: LinePrompt.Events { get set }
  /// What Tab may complete; set before `start()`.
  var completer: (CompletionRequest) -> CompletionReply { get set }

  /// Keys of Banter's that the user's own settings give another meaning; known
  /// after `start()`.
  var keyConflicts: [String] { get }

  func start()
  /// Gives the terminal back as it was; may be called more than once.
  func stop()
  /// Shows rows above the prompt, in one go.
  func show(_ rows: [String])
  /// Puts a text in place of the typed line, its cursor at the end.
  func replaceLine(_ text: String)
  /// Keeps a line in the input history.
  func addHistory(_ entry: String)
  func clearScreen()
  /// Hides prompt and line until the next key.
  func hideLine()
  /// Rings the bell.
  func ring()
  /// Asks the terminal something, `LinePrompt.query(_:)`.
  func query(_ question: String) -> Bool
  /// Puts a text into the clipboard, `LinePrompt.copy(base64:)`.
  func copy(base64 text: String)
  /// Reads an answer in the line's place, `LinePrompt.ask(_:isSecret:)`; nil
  /// where nobody answers.
  func ask(_ prompt: String, isSecret: Bool) async -> String?
  /// Lends the terminal to another program until `reclaim()`.
  func release()
  func reclaim()
}

extension PromptSurface {
  package var rows: Int { 24 }
  package var showsPictures: Bool { false }
  package var keyConflicts: [String] { [] }
  package func query(_ question: String) -> Bool { false }
  package func copy(base64 text: String) {}
  package func ask(_ prompt: String, isSecret: Bool) async -> String? { nil }
}

extension LinePrompt: PromptSurface {
  package var showsPictures: Bool { !isPlain }
}
