internal import ChatSession
internal import Glibc

/// The lines of a descriptor, in the groups in which they come.
struct InputLines {
  private let descriptor: Int32
  private var rest: [UInt8] = []
  private var isAtEnd = false

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next lines without their newlines; nil at the end. What is not UTF-8
  /// is repaired.
  mutating func next() throws(ExitError) -> [String]? {
    while !isAtEnd {
      let newlyRead = try read()
      isAtEnd = newlyRead.isEmpty
      rest += newlyRead
      guard let last = newlyRead.lastIndex(of: UInt8(ascii: "\n")) else {
        guard rest.count <= Self.lineLimit else { throw Self.tooLong }
        continue
      }
      let end = rest.count - newlyRead.count + last
      let lines = rest[..<end].split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      defer { rest.removeFirst(end + 1) }
      return lines.map { String(decoding: $0, as: UTF8.self) }
    }
    guard !rest.isEmpty else { return nil }
    defer { rest = [] }
    return [String(decoding: rest, as: UTF8.self)]
  }

  /// Twice what a room takes; beyond that it is no use to read on.
  private static let lineLimit = 1 << 20

  private static let tooLong = ExitError(
    status: EX_DATAERR,
    text: LocalizedText(
      "standard input: a line is longer than 512 KiB; not sent from here on",
      "표준 입력: 512 KiB보다 긴 줄이 있습니다. 여기부터 보내지 못함"))

  private func read() throws(ExitError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count >= 0 { return Array(buffer.prefix(count)) }
      // Closed from the start (0<&-) is as good as empty.
      if errno == EBADF { return [] }
      if errno == EINTR { continue }
      throw ExitError(
        status: EX_IOERR, text: .system("standard input", "표준 입력", errno))
    }
  }
}
