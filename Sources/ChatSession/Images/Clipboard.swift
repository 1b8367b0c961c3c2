internal import Processes
internal import TerminalText

/// What keeps a program from putting text into the clipboard through the
/// terminal (OSC 52).
enum Clipboard {
  /// Nil where nothing is known to: a terminal does not say whether it took it.
  static func obstacle(_ environment: [String: String]) async -> LocalizedText? {
    if environment["TMUX"]?.isEmpty == false { return await obstacleOfTmux(environment) }
    guard environment["STY"]?.isEmpty == false else { return nil }
    return LocalizedText(
      "screen lets no program set the clipboard; select it here:",
      "screen 안에서는 클립보드에 복사할 수 없습니다. 여기서 선택하세요:")
  }

  /// tmux takes it where `set-clipboard` is `on`, which is not the default
  /// (tmux(1)).
  private static func obstacleOfTmux(_ environment: [String: String]) async -> LocalizedText? {
    let question = ["tmux", "show-options", "-sv", "set-clipboard"]
    let answer = try? await ChildProcess.collect(
      question, environment: environment, within: .seconds(2), limit: 1 << 12)
    guard let answer, answer.status == 0 else { return nil }
    let policy = String(decoding: answer.output, as: UTF8.self).prefix { !$0.isWhitespace }
    guard policy != "on" else { return nil }
    return LocalizedText(
      "tmux's set-clipboard is \(policy); tmux set -s set-clipboard on allows it, or select it here:",
      "tmux의 set-clipboard가 \(policy)입니다. tmux set -s set-clipboard on으로 허용하거나, 여기서 선택하세요:"
    )
  }
}
