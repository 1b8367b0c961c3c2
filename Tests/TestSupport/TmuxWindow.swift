internal import TerminalText
package import Testing

/// A window of a real terminal, in a tmux server of its own. Who has one ends
/// it when it goes.
package protocol TmuxWindow: AnyObject, Sendable {
  /// Holds what the window leaves behind, and names its server.
  var folder: TemporaryFolder { get }
}

extension TmuxWindow {
  /// The name of the tmux server.
  package var server: String {
    "banter" + (folder.path.split(separator: "-").last.map(String.init) ?? "")
  }

  /// Opens the window, in which a command of the shell has the terminal. What
  /// it writes from its first byte on is kept in `bytes` in the folder.
  package func open(_ columns: Int, _ rows: Int, running command: String) {
    _ = run(
      "new-session -d -x \(columns) -y \(rows) "
        + quoted("tmux -L \(server) wait-for begin; exec \(command)"))
    _ = run("set -g escape-time 0 \\; set -g history-limit 100000 \\; set -g remain-on-exit on")
    _ = run("pipe-pane \(quoted("exec cat >> \(folder.path)/bytes"))")
    _ = run("wait-for -S begin")
  }

  /// Closes the window and all that is in it.
  package func end() { _ = run("kill-server") }

  /// Types keys, by tmux's names (`C-r`, `Enter`) or as text.
  package func type(_ keys: String...) {
    _ = run("send-keys " + keys.map { quoted($0) }.joined(separator: " "))
  }

  /// Types text, whatever it is.
  package func type(text: String) { _ = run("send-keys -l -- \(quoted(text))") }

  /// Gives the window another size.
  package func resize(_ columns: Int, _ rows: Int) {
    _ = run("resize-window -x \(columns) -y \(rows)")
  }

  /// What tmux knows about the window, by its format.
  package func ask(_ format: String) -> String {
    run("display -p \(quoted(format))").split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The screen without trailing blanks and empty rows, `▮` at the cursor.
  package var screen: [String] {
    let parts = run("capture-pane -p \\; display -p '#{cursor_x} #{cursor_y}'")
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let place = parts.last(where: { !$0.isEmpty })?.split(separator: " ").compactMap { Int($0) }
    var rows = Array(parts.dropLast(2))
    if let place, place.count == 2, place[1] < rows.count {
      rows[place[1]] = Self.mark(rows[place[1]], at: place[0])
    }
    while rows.last?.isEmpty == true { rows.removeLast() }
    return rows
  }

  /// The whole history of the window, without the cursor.
  package var scrollback: [String] {
    run("capture-pane -p -S -").split(separator: "\n").map(String.init)
  }

  /// The same with rows that the terminal itself has broken put together.
  package var joinedScrollback: [String] {
    run("capture-pane -p -J -S -").split(separator: "\n").map(String.init)
  }

  /// Waits until the screen is as it should be, and tells how it is when it
  /// does not become so.
  package func expect(
    within time: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
    _ isRight: ([String]) -> Bool
  ) async throws {
    guard await !eventually(within: time, { isRight(screen) }) else { return }
    let drawn = screen.joined(separator: "\n")
    Issue.record("the screen is\n\(drawn)", sourceLocation: sourceLocation)
    throw Unfulfilled()
  }

  private static func mark(_ row: String, at column: Int) -> String {
    let measure = TextMeasure()
    var result = ""
    var reached = 0
    for cluster in row {
      if reached == column { result += "▮" }
      result.append(cluster)
      reached += measure.columns(cluster)
    }
    if reached <= column { result += String(repeating: " ", count: column - reached) + "▮" }
    return result
  }

  /// Runs a command of tmux.
  /// - Returns: what it says.
  package func run(_ arguments: String) -> String {
    Program.runAndWait(
      "TMUX= LC_ALL=C.UTF-8 tmux -u -L \(server) -f /dev/null \(arguments) 2>&1", seconds: 10
    ).text
  }
}

/// A condition that did not come true; what was there instead is recorded.
package struct Unfulfilled: Error {
  package init() {}
}
