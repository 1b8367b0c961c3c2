internal import ChatModel
internal import ChatSession
internal import Glibc
internal import LinePrompt
internal import TerminalText

/// How messages are to look on an output: what the settings ask for, as far
/// as the terminal, if it is one, can do it.
@MainActor
struct TerminalView {
  let transcript: TranscriptOptions
  /// Whether the terminal moves its cursor only forwards (`TERM=dumb`), or
  /// nothing is known about it.
  let isDumb: Bool

  init(_ invocation: Invocation, output: Output) {
    let isTerminal = output.isTerminal
    isDumb = !isTerminal || LinePrompt.askWhetherTerminalIsDumb()
    let settings = invocation.settings
    // A style that was asked for by name is printed into a file as well.
    let isChosen = invocation.options.style != nil
    let style = isDumb && (isTerminal || !isChosen) ? .plain : settings.style
    transcript = TranscriptOptions(
      style: style, columns: Self.columns(output, invocation.environment),
      palette: Palette(
        depth: Self.depth(invocation, isColorful: isTerminal && !isDumb && style != .plain)),
      measure: TextMeasure(emojiWidth: settings.emojiWidth), language: invocation.language,
      clock: settings.clock, zone: .system, ownProfileID: settings.profile.id,
      mentionNames: [settings.profile.displayName], isUTF8: true)
  }

  private static func columns(_ output: Output, _ environment: [String: String]) -> Int {
    var size = winsize()
    if ioctl(output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return environment["COLUMNS"].flatMap { Int($0) }.map { min(max($0, 1), 10_000) } ?? 80
  }

  /// `NO_COLOR` (no-color.org) counts when it is not empty, unless colours are
  /// asked for.
  private static func depth(_ invocation: Invocation, isColorful: Bool) -> ColorDepth {
    let environment = invocation.environment
    switch invocation.settings.color {
    case .never: return .none
    case .auto where !isColorful || environment["NO_COLOR"]?.isEmpty == false: return .none
    case .auto, .always: break
    }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]) { return .trueColor }
    return environment["TERM"]?.contains("256color") == true ? .palette256 : .ansi16
  }
}
