internal import Dispatch
internal import Glibc
package import LinePrompt

/// A prompt that is none: lines as the terminal driver edits them, rows on
/// standard output. For when that is a file or a pipe.
@MainActor
package final class StreamPrompt: PromptSurface {
  package let columns: Int
  package var prompt = ""
  package var line: String { "" }
  package var events = LinePrompt.Events()
  package var completer: (CompletionRequest) -> CompletionReply = { _ in CompletionReply() }
  /// Whether nobody reads the output any more, as after `| head`.
  package private(set) var isGone = false
  private var source: (any DispatchSourceRead)?
  private var unfinished: [UInt8] = []

  package init(columns: Int) {
    self.columns = columns
  }

  package func start() {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readInput() } }
    source.activate()
    self.source = source
  }

  package func stop() {
    source?.cancel()
    source = nil
  }

  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
    guard count > 0 else { return takeEnd() }
    unfinished += buffer.prefix(count)
    while let newline = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: unfinished[..<newline], as: UTF8.self)
      unfinished.removeFirst(newline + 1)
      events.onLine(line)
    }
  }

  /// An end of input, which on a terminal can come more than once: the second
  /// tells that the user means it. A terminal that is gone tells it again and
  /// again.
  private func takeEnd() {
    if !unfinished.isEmpty {
      let line = String(decoding: unfinished, as: UTF8.self)
      unfinished = []
      events.onLine(line)
    }
    events.onEndOfInput()
  }

  package func show(_ rows: [String]) {
    guard !isGone else { return }
    let bytes = Array(rows.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else {
        // The conversation is over.
        isGone = true
        return events.onEndOfInput()
      }
      rest = rest.dropFirst(written)
    }
  }

  package func replaceLine(_ text: String) {}
  package func addHistory(_ entry: String) {}
  package func clearScreen() {}
  package func hideLine() {}
  package func ring() {}
  package func release() {}
  package func reclaim() {}
}
