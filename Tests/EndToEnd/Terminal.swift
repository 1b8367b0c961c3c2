import Glibc
import TerminalText
import Testing

/// A real terminal: a tmux server of its own, gone with this object.
final class Terminal: TmuxWindow {
  let folder = TemporaryFolder()
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
    let program = world.command(script ?? "exec $banter \(arguments)", keeping: ["TMUX"])
    open(columns, rows, running: program)
  }

  deinit { end() }

  /// What was written to the terminal so far.
  var bytes: [UInt8] { folder.read("bytes") ?? [] }

  /// Types a line and enters it.
  func enter(_ text: String) { _ = run("send-keys -l -- \(quoted(text)) \\; send-keys Enter") }

  /// Pastes text as the terminal's user would.
  func paste(_ text: String) {
    folder.write("paste", text)
    _ = run("load-buffer \(folder.path)/paste \\; paste-buffer -p -r")
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
}
