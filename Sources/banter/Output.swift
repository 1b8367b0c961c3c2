internal import ChatSession
internal import Glibc
internal import TerminalText

/// Standard output or standard error, written to without a buffer between.
struct Output {
  let descriptor: Int32

  static let standard = Output(descriptor: STDOUT_FILENO)
  static let error = Output(descriptor: STDERR_FILENO)

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Untrusted text on one line, so that it acts on no terminal.
  func inert(_ text: String) -> String { neutralized(text) }

  /// - Returns: whether all of it was written; false, with errno(3), when
  ///   nobody reads any more or the disk is full.
  @discardableResult
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  @discardableResult
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          waitUntilWritable()
          continue
        }
        return false
      }
      rest = rest.dropFirst(written)
    }
    return true
  }

  /// What it means, by errno(3), that not all was written: a reader that has
  /// had enough, such as `head`, is no failure.
  func brokenOff() throws(ExitError) -> Int32 {
    guard errno != EPIPE else { return EX_OK }
    throw ExitError(status: EX_IOERR, text: .system("standard output", "표준 출력", errno))
  }

  private func waitUntilWritable() {
    var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    _ = poll(&descriptors, 1, -1)
  }
}

extension LocalizedText {
  /// What the system says about something, strerror(3).
  static func system(
    _ english: String, _ korean: String, _ number: Int32,
    advice: (english: String, korean: String)? = nil
  ) -> LocalizedText {
    let said = String(cString: strerror(number))
    return LocalizedText(
      "\(english): \(said)" + (advice.map { "; \($0.english)" } ?? ""),
      "\(korean): \(said)" + (advice.map { "; \($0.korean)" } ?? ""))
  }
}
