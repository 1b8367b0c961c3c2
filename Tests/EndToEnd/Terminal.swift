import Glibc
import TerminalText
import Testing

/// A real terminal: a tmux server of its own, gone with this object.
final class Terminal: Sendable {
  private let folder = TemporaryFolder()
  private let server: String
  /// Kept as long as the program that uses it.
  private let world: World

  /// Opens a window in which `script`, run by bash, has the terminal; by
  /// default the program under test with those arguments. What it writes from
  /// its first byte on is kept.
  init(
    _ world: World, _ arguments: String = "", columns: Int = 80, rows: Int = 24,
    script: String? = nil
  ) throws {
    self.world = world
    server = "end" + (folder.path.split(separator: "-").last.map(String.init) ?? "")
    let program = world.command(script ?? "exec $banter \(arguments)", keeping: ["TMUX"])
    _ = run(
      "new-session -d -x \(columns) -y \(rows) "
        + quoted("tmux -L \(server) wait-for begin; exec \(program)"))
    _ = run("set -g escape-time 0 \\; set -g history-limit 100000 \\; set -g remain-on-exit on")
    _ = run("pipe-pane \(quoted("exec cat >> \(folder.path)/bytes"))")
    _ = run("wait-for -S begin")
  }

  deinit { end() }

  /// Closes the window and all that is in it.
  func end() { _ = run("kill-server") }

  /// What was written to the terminal so far.
  var bytes: [UInt8] { folder.read("bytes") ?? [] }

  /// Types keys, by tmux's names (`C-r`, `Enter`) or as text.
  func type(_ keys: String...) {
    _ = run("send-keys " + keys.map { quoted($0) }.joined(separator: " "))
  }

  /// Types text, whatever it is.
  func type(text: String) { _ = run("send-keys -l -- \(quoted(text))") }

  /// Types a line and enters it.
  func enter(_ text: String) { _ = run("send-keys -l -- \(quoted(text)) \\; send-keys Enter") }

  /// Pastes text as the terminal's user would.
  func paste(_ text: String) {
    folder.write("paste", text)
    _ = run("load-buffer \(folder.path)/paste \\; paste-buffer -p -r")
  }

  /// Gives the window another size.
  func resize(_ columns: Int, _ rows: Int) { _ = run("resize-window -x \(columns) -y \(rows)") }

  /// What tmux knows about the window, by its format.
  func ask(_ format: String) -> String {
    run("display -p \(quoted(format))").split(separator: "\n").first.map(String.init) ?? ""
  }

  /// The process that began in the window.
  var process: pid_t { pid_t(ask("#{pane_pid}")) ?? -1 }

  /// The exit status of the script, once it has ended; 128 and the signal.
  ///
  /// tmux 3.3a now and then misses the end of a child, which then stays a
  /// zombie: what proc(5) says of it counts as well.
  var status: Int? {
    if let status = zombieStatus { return status }
    let told = ask("#{pane_dead} #{pane_dead_status} #{pane_dead_signal}")
      .split(separator: " ", omittingEmptySubsequences: false)
    guard told.count == 3, told[0] == "1" else { return nil }
    return Int(told[1]) ?? Int(told[2]).map { 128 + $0 }
  }

  /// The wait(2) status in field 52 of proc_pid_stat(5), of a process whose
  /// state in field 3 is Z.
  private var zombieStatus: Int? {
    guard let bytes = contents(of: "/proc/\(process)/stat") else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let name = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: name)...].split(whereSeparator: \.isWhitespace)
    guard fields.count > 49, fields[0] == "Z", let status = Int(fields[49]) else { return nil }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

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

  /// The same with rows that the terminal itself has broken put together.
  var joinedScrollback: [String] {
    run("capture-pane -p -J -S -").split(separator: "\n").map(String.init)
  }

  /// Waits until the screen is as it should be, and tells how it is when it
  /// does not become so.
  func expect(
    within time: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
    _ isRight: ([String]) -> Bool
  ) async throws {
    guard await !eventually(within: time, { isRight(screen) }) else { return }
    let drawn = screen.joined(separator: "\n")
    Issue.record("the screen is\n\(drawn)", sourceLocation: sourceLocation)
    throw Unfulfilled()
  }

  /// Waits until the last row is this one.
  func expect(
    last row: String, within time: Duration = .seconds(10),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(within: time, sourceLocation: sourceLocation) { $0.last == row }
  }

  /// Waits until a row of the screen contains this.
  func expect(
    _ part: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await expect(sourceLocation: sourceLocation) { $0.contains { $0.contains(part) } }
  }

  /// Waits for the program's end.
  func expectEnd(
    status expected: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var ended: Int?
    let hasEnded = await eventually {
      ended = status
      return ended != nil
    }
    guard hasEnded else {
      Issue.record(
        "it has not ended\n\(screen.joined(separator: "\n"))", sourceLocation: sourceLocation)
      throw Unfulfilled()
    }
    #expect(ended == expected, sourceLocation: sourceLocation)
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

  private func run(_ arguments: String) -> String {
    Program.runAndWait(
      "TMUX= LC_ALL=C.UTF-8 tmux -u -L \(server) -f /dev/null \(arguments) 2>&1", seconds: 10
    ).text
  }
}

/// A condition that did not come true; what was there instead is recorded.
struct Unfulfilled: Error {}
