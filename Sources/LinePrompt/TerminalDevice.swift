import Glibc

/// The two ends of the terminal, as descriptors.
struct TerminalDevice {
  /// Read from.
  let input: Int32
  /// Written to.
  let output: Int32
  /// The same terminal, opened anew where that is allowed, so that a write to
  /// it does not block; others who have it open do not notice.
  private let writer: Int32

  /// The terminal of two descriptors, which stay the caller's.
  init(input: Int32, output: Int32) {
    self.input = input
    self.output = output
    writer = Self.reopen(output) ?? output
  }

  private static func reopen(_ output: Int32) -> Int32? {
    guard isatty(output) == 1 else { return nil }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let opened = open("/proc/self/fd/\(output)", flags)
    guard opened >= 0 else { return nil }
    defer { Glibc.close(opened) }
    // Standard input may be closed, and must not become this terminal.
    let own = fcntl(opened, F_DUPFD_CLOEXEC, 3)
    return own >= 0 ? own : nil
  }

  /// Closes what was opened here.
  func close() { if writer != output { Glibc.close(writer) } }

  /// Columns and rows of the window (ioctl_tty(2), TIOCGWINSZ), else of the
  /// environment, else 80 by 24; each at least 1.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    for descriptor in [output, input] where ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 {
      if size.ws_col > 0, size.ws_row > 0 { return (Int(size.ws_col), Int(size.ws_row)) }
    }
    return (Self.environment("COLUMNS") ?? 80, Self.environment("LINES") ?? 24)
  }

  /// Whether another process group has the terminal (tcgetpgrp(3)).
  var isInBackground: Bool {
    let group = tcgetpgrp(input)
    return group > 0 && group != getpgrp()
  }

  /// Whether the terminal gives whole lines (termios(3), ICANON).
  var readsLines: Bool {
    var settings = termios()
    return tcgetattr(input, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) != 0
  }

  /// Writes all of `bytes`, waiting where the terminal is slow; false when it
  /// is gone, or when it takes nothing and the program is to end.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writer, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard !EndWatch.isOver else { return false }
        wait(writer, POLLOUT, milliseconds: 100)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// What can be read now, at most `limit` bytes; nil when the terminal is
  /// gone or at its end.
  func read(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    while bytes.count < limit, wait(input, POLLIN, milliseconds: 0) {
      let count = Glibc.read(input, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return bytes.isEmpty ? nil : bytes
      } else {
        break
      }
    }
    return bytes
  }

  /// Whether there is something to read within `milliseconds`.
  func hasInput(within milliseconds: Int) -> Bool {
    wait(input, POLLIN, milliseconds: Int32(clamping: milliseconds))
  }

  @discardableResult
  private func wait(_ descriptor: Int32, _ events: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  private static func environment(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap {
      (1...10_000).contains($0) ? $0 : nil
    }
  }
}
