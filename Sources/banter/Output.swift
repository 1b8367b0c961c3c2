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

  /// Writes all of it; throws when nobody reads any more or the disk is full.
  func write(_ text: String) throws(OutputFailure) {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws(OutputFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          waitUntilWritable()
          continue
        }
        throw OutputFailure(errorNumber: errno)
      }
      rest = rest.dropFirst(written)
    }
  }

  private func waitUntilWritable() {
    var descriptors = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
    _ = poll(&descriptors, 1, -1)
  }
}

/// Why not all was written.
struct OutputFailure: Error {
  /// What write(2) said.
  var errorNumber: Int32

  /// Whether the reader has had enough, such as `head`: that is no failure of
  /// the program.
  var isEndOfReader: Bool { errorNumber == EPIPE }

  var text: LocalizedText { .system("standard output", "표준 출력", errorNumber) }
}
