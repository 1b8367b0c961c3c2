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
  package var isGone: Bool { isInputAtEnd || isOutputGone }
  /// Whether nobody will type any more.
  private var isInputAtEnd = false
  /// Whether nobody reads the output any more, as after `| head`.
  private var isOutputGone = false
  private var source: (any DispatchSourceRead)?
  private var unfinished: [UInt8] = []
  /// Whether the unfinished line has lost its end.
  private var isCut = false

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

  /// Most bytes that are read in one turn of the main queue.
  private static let readLimit = 1 << 18
  /// Most bytes of a line; the rest of a longer one is dropped.
  private static let lineLimit = 1 << 20

  /// Reads all that is there: of an end that comes along with the last bytes
  /// the source tells only once.
  private func readInput() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var total = 0
    while source != nil, wait(STDIN_FILENO, POLLIN, milliseconds: 0) != 0 {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return }
      guard count > 0 else { return takeEnd() }
      take(buffer[..<count])
      total += count
      guard total < Self.readLimit else {
        return DispatchQueue.main.async { [weak self] in
          MainActor.assumeIsolated { self?.readInput() }
        }
      }
    }
  }

  private func take(_ bytes: ArraySlice<UInt8>) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, part) in lines.enumerated() {
      if index > 0 { finishLine() }
      let room = Self.lineLimit - unfinished.count
      unfinished += part.prefix(room)
      guard part.count > room, !isCut else { continue }
      isCut = true
      events.onPaste(LinePrompt.Paste(text: "", isCut: true, isWholeLine: false))
    }
  }

  private func finishLine() {
    let line = String(decoding: unfinished, as: UTF8.self)
    unfinished = []
    isCut = false
    events.onLine(line)
  }

  /// An end of input, which on a terminal can come more than once: the second
  /// tells that the user means it. After a hang-up there is no second.
  private func takeEnd() {
    let state = wait(STDIN_FILENO, POLLIN, milliseconds: 0)
    isInputAtEnd = isatty(STDIN_FILENO) == 0 || state & (POLLHUP | POLLERR) != 0
    if isInputAtEnd { stop() }
    if !unfinished.isEmpty { finishLine() }
    events.onEndOfInput()
  }

  package func show(_ rows: [String]) {
    guard !isOutputGone else { return }
    var rest = Array(rows.joined(separator: "\n").utf8)[...] + [UInt8(ascii: "\n")]
    while !rest.isEmpty {
      guard wait(STDOUT_FILENO, POLLOUT, milliseconds: 100) != 0 else {
        guard EndWatch.isOver else { continue }
        // Whoever asked for the end goes on with it.
        isOutputGone = true
        return
      }
      // A pipe that can be written to takes that much without blocking.
      let written = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress, $0.count)
      }
      if written < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard written > 0 else {
        // The conversation is over.
        isOutputGone = true
        return events.onEndOfInput()
      }
      rest = rest.dropFirst(written)
    }
  }

  /// What poll(2) says of a descriptor; 0 when there was nothing in time.
  private func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32) -> Int32 {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, milliseconds) > 0 ? Int32(entry.revents) : 0
  }

  package func replaceLine(_ text: String) {}
  package func addHistory(_ entry: String) {}
  package func clearScreen() {}
  package func hideLine() {}
  package func ring() {}
  package func release() {}
  package func reclaim() {}
}
