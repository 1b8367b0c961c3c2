import Glibc
import TerminalText
import Testing

/// A real terminal, in a tmux server of its own, with the demo in it.
final class Tmux: Sendable {
  private let folder = TemporaryFolder()
  private let server: String
  private static let demo: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/.build/debug/LinePromptDemo"
  }()

  /// Starts the demo (or `command`) in a window; `inputrc` is its inputrc.
  init(
    _ columns: Int, _ rows: Int, inputrc: String = "", environment: String = "",
    command: String? = nil
  ) throws {
    server =
      "banter"
      + folder.path.split(separator: "-").joined()
      .split(separator: "/").joined()
    folder.write("inputrc", Array(inputrc.utf8))
    try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
    let variables =
      "INPUTRC=\(folder.path)/inputrc FIFO=\(folder.path)/fifo PS1='sh> ' DEMO=\(Self.demo) "
      + environment
    let program = command ?? "\(Self.demo) \(folder.path)/fifo; echo EXIT $?; sleep 60"
    _ = run("new-session -d -x \(columns) -y \(rows) \(quote("env \(variables) \(wrap(program))"))")
    _ = run("set -g escape-time 0")
    _ = run("pipe-pane \(quote("cat >> \(folder.path)/bytes"))")
  }

  deinit { _ = run("kill-server") }

  /// What was written to the terminal so far.
  var bytes: String { output(of: "cat \(folder.path)/bytes 2>/dev/null") }

  /// Types keys, by tmux's names (`C-r`, `Enter`) or as text.
  func type(_ keys: String...) {
    _ = run("send-keys " + keys.map { quote($0) }.joined(separator: " "))
  }

  /// Types text, whatever it is.
  func type(text: String) { _ = run("send-keys -l \(quote(text))") }

  /// Pastes text as the terminal's user would.
  func paste(_ text: String) {
    folder.write("paste", Array(text.utf8))
    _ = run("load-buffer \(folder.path)/paste")
    _ = run("paste-buffer -p")
  }

  /// Sends bytes as if the terminal itself did.
  func send(_ bytes: String) {
    let hex = bytes.utf8.map { String($0, radix: 16) }.joined(separator: " ")
    _ = run("send-keys -H \(hex)")
  }

  /// Lets messages arrive.
  func arrive(_ rows: String...) {
    folder.write("fifo", Array(rows.map { $0 + "\n" }.joined().utf8))
  }

  /// Sends a signal to the process whose id a script has written to `$FIFO.id`.
  func signal(_ name: String) { _ = output(of: "kill -\(name) $(cat \(folder.path)/fifo.id)") }

  /// Gives the window another size.
  func resize(_ columns: Int, _ rows: Int) { _ = run("resize-window -x \(columns) -y \(rows)") }

  /// The screen without trailing blanks and empty rows, `▮` at the cursor.
  var screen: [String] {
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
  var scrollback: [String] {
    run("capture-pane -p -S -").split(separator: "\n").map(String.init)
  }

  /// Waits until the screen is as drawn.
  func expect(_ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let rows = drawn.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try await expect(sourceLocation: sourceLocation) { $0 == rows }
  }

  /// Waits until the screen is as `isRight` wants it.
  func expect(
    sourceLocation: SourceLocation = #_sourceLocation, _ isRight: ([String]) -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    var last = screen
    while !isRight(last), ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(10))
      last = screen
    }
    guard !isRight(last) else { return }
    Issue.record("the screen is\n\(last.joined(separator: "\n"))", sourceLocation: sourceLocation)
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

  private func wrap(_ program: String) -> String { "sh -c \(quote(program))" }

  private func quote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private func run(_ arguments: String) -> String {
    output(of: "TMUX= LC_ALL=C.UTF-8 tmux -L \(server) -f /dev/null \(arguments) 2>&1")
  }

  private func output(of command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 {
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
