import CReadline
import Glibc

/// Which terminal readline is to take this one for (terminfo(5)).
@MainActor
struct TerminalKind {
  /// A terminal to which no escape sequence may be written.
  static let dumb = TerminalKind(name: "dumb", isSubstitute: false)

  /// Its name in terminfo.
  let name: String
  /// Whether it is another of the terminal's family, which terminfo does not
  /// know here (often so after ssh).
  let isSubstitute: Bool

  /// Whether no escape sequence may be written.
  var isDumb: Bool { name == Self.dumb.name }

  /// Families of terminals that all know ECMA-48 cursor motion.
  private static let families = [
    "alacritty", "eterm", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole", "linux",
    "mintty", "rxvt", "screen", "st-", "tmux", "vte", "wezterm", "xterm",
  ]

  /// readline's own drawing function: with one of ours, it would not even ask
  /// terminfo.
  private static let ownRedisplay = rl_redisplay_function

  /// Asks terminfo about `TERM`: a terminal that is unknown or unnamed there
  /// is dumb. It is readline that asks, and that takes the terminal for the
  /// last it has asked about until ``use()``.
  static func lookUp() -> TerminalKind {
    let redisplay = rl_redisplay_function
    rl_redisplay_function = ownRedisplay
    defer { rl_redisplay_function = redisplay }
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !name.isEmpty, name != dumb.name else { return dumb }
    if askCanMove(as: name) { return TerminalKind(name: name, isSubstitute: false) }
    guard families.contains(where: { name.lowercased().hasPrefix($0) }) else { return dumb }
    let substitutes = ["screen-256color", "screen", "xterm", "vt100"]
    guard let substitute = substitutes.first(where: askCanMove) else { return dumb }
    return TerminalKind(name: substitute, isSubstitute: true)
  }

  private static func askCanMove(as name: String) -> Bool {
    rl_reset_terminal(name)
    return rl_get_termcap("up") != nil
  }

  /// Tells readline, before it is initialised, and lets it ask terminfo then.
  func use() {
    rl_redisplay_function = Self.ownRedisplay
    rl_terminal_name = Self.lasting(name)
    // readline turns bracketed paste off once it has seen a dumb terminal.
    if isSubstitute { rl_variable_bind("enable-bracketed-paste", "on") }
  }

  /// A C string that lives as long as the program, made once for each text.
  static func lasting(_ text: String) -> UnsafePointer<CChar>? {
    if let known = lastingTexts[text] { return known }
    let copy = strdup(text).map { UnsafePointer($0) }
    lastingTexts[text] = copy
    return copy
  }

  private static var lastingTexts: [String: UnsafePointer<CChar>] = [:]
}
