import Glibc
@_exported public import TestSupport
import Testing

/// A real terminal, in a tmux server of its own, with the demo in it.
final class Tmux: TmuxWindow {
  let folder = TemporaryFolder()
  private static let demo: String = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/.build/debug/LinePromptDemo"
  }()

  /// Starts the demo (or `command`) in a window; `inputrc` is its inputrc.
  init(
    _ columns: Int, _ rows: Int, inputrc: String = "", environment: String = "",
    command: String? = nil
  ) throws {
    folder.write("inputrc", Array(inputrc.utf8))
    try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
    let variables =
      "INPUTRC=\(folder.path)/inputrc FIFO=\(folder.path)/fifo PS1='sh> ' DEMO=\(Self.demo) "
      + environment
    let program = command ?? "\(Self.demo) \(folder.path)/fifo; echo EXIT $?; sleep 60"
    open(columns, rows, running: "env \(variables) sh -c \(quoted(program))")
  }

  deinit { end() }

  /// What was written to the terminal so far.
  var bytes: String { String(decoding: folder.read("bytes") ?? [], as: UTF8.self) }

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
  func signal(_ name: String) {
    _ = Program.runAndWait("kill -\(name) $(cat \(folder.path)/fifo.id)")
  }

  /// Waits until the screen is as drawn.
  func expect(_ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let rows = drawn.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try await expect(sourceLocation: sourceLocation) { $0 == rows }
  }
}
