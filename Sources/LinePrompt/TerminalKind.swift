import CReadline
import Glibc

/// Which terminal readline is to take this one for (terminfo(5)).
@MainActor
enum TerminalKind {
  /// Families of terminals that all know ECMA-48 cursor motion.
  private static let families = [
    "alacritty", "eterm", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole", "linux",
    "mintty", "rxvt", "screen", "st-", "tmux", "vte", "wezterm", "xterm",
  ]

  /// readline's own drawing function.
  private static var ownRedisplay: (@convention(c) () -> Void)?

  /// Tells readline the terminal's name, before it is initialised. A terminal that is not in terminfo
  /// here (often so after ssh) but belongs to a known family is taken for a
  /// plain member of it. False when the terminal is dumb, unknown or unnamed:
  /// then no escape sequence may be written.
  static func choose(isPlain: Bool) -> Bool {
    // With a drawing function of ours, readline would not even ask terminfo.
    if ownRedisplay == nil { ownRedisplay = rl_redisplay_function }
    rl_redisplay_function = ownRedisplay
    let name = getenv("TERM").map { String(cString: $0) } ?? ""
    guard !isPlain, name != "dumb", !name.isEmpty else { return use("dumb") && false }
    if canMove(as: name) { return use(name) }
    guard families.contains(where: { name.lowercased().hasPrefix($0) }) else { return false }
    for substitute in ["screen-256color", "screen", "xterm", "vt100"] where canMove(as: substitute)
    {
      // readline turns bracketed paste off once it has seen a dumb terminal.
      rl_variable_bind("enable-bracketed-paste", "on")
      return use(substitute)
    }
    return false
  }

  private static func use(_ name: String) -> Bool {
    rl_terminal_name = lasting(name)
    return true
  }

  private static func canMove(as name: String) -> Bool {
    rl_reset_terminal(name)
    return rl_get_termcap("up") != nil
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
