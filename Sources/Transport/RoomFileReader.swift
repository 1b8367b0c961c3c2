package import ChatModel
internal import Glibc

/// Reads a room file once from front to back, or its last messages, with
/// bounded memory: for `tail`, for checking, for copying.
///
/// Blocks while it reads; not for the prompt, which follows a room through
/// ``FileRoom``.
package struct RoomFileReader: ~Copyable {
  private let file: Descriptor
  /// How many bytes there are at the moment of opening; what is appended
  /// afterwards is left out.
  package let sizeInBytes: Int64

  /// Opens the room file at `path`; throws when it is not there, must not be
  /// read, or is no regular file.
  package init(path: String) throws(TransportError) {
    let file = try Descriptor.openFile(path, O_RDONLY)
    sizeInBytes = try FileStatus(of: file).sizeInBytes
    self.file = file
  }

  /// Where the last `count` messages begin; 0 when there are not more.
  package func startOfLast(_ count: Int) throws(TransportError) -> Int64 {
    try BackwardScan.startOfLast(count, before: sizeInBytes, in: file)
  }

  /// Calls `body` with each line from `offset`, the start of a line, to the
  /// end; a line without a newline comes last. What `body` throws ends it.
  package func forEachLine(
    from offset: Int64 = 0, _ body: (FileLine) throws -> Void
  ) throws {
    var scanner = LineScanner(at: offset)
    while scanner.lineOffset + scanner.pendingBytes < sizeInBytes {
      guard try scanner.fill(from: file) > 0 else { break }
      while let line = scanner.next() {
        guard line.offset < sizeInBytes else { return }
        try body(line)
      }
    }
    if let rest = scanner.takeUnfinished() { try body(rest) }
  }

  /// Calls `body` with each event, and each line that is none, of the last
  /// `count` messages or (nil) of the whole file, oldest first.
  ///
  /// A last line without a newline counts when it is a whole event; else it
  /// is a problem like any other bad line. Problems have line numbers when the
  /// whole file is read. What `body` throws ends it.
  package func forEachEvent(
    last count: Int? = nil, _ body: (RoomFileItem) throws -> Void
  ) throws {
    let start = if let count { try startOfLast(count) } else { Int64(0) }
    var lineNumber = 0
    try forEachLine(from: start) { line in
      lineNumber += 1
      switch line.content {
      case .event(let event): try body(.event(event, line))
      case .nothing: break
      case .bad(let reason):
        let problem = RoomProblem(
          source: file.path, byteOffset: line.offset, lineNumber: start == 0 ? lineNumber : nil,
          reason: line.isFinished ? reason : "the last line is not finished: \(reason)")
        try body(.problem(problem))
      }
    }
  }
}

extension RoomFileReader {
  /// A part of the file, from its beginning on.
  package struct Part: Sendable {
    /// In the order of the file; lines that are none are passed over.
    package var events: [Event]
    /// Where the next part begins.
    package var end: Cursor
    /// The same in bytes from the start of the file.
    package var endInBytes: Int64
    /// Whether there is nothing behind this part.
    package var isLast: Bool
  }

  /// About `limit` bytes of events behind a cursor; nil, and a cursor that does
  /// not fit this file, is the beginning. An unfinished last line is left.
  package func part(after cursor: Cursor?, limit: Int64) throws(TransportError) -> Part {
    let place = cursor.flatMap { FileCursor($0) } ?? .start
    let start = try place.matches(file) ? place.offset : 0
    var events: [Event] = []
    var end = start
    var scanner = LineScanner(at: start)
    while end < start + limit, try scanner.fill(from: file) > 0 {
      while let line = scanner.next() {
        end = line.end
        if case .event(let event) = line.content { events.append(event) }
      }
    }
    let next = try FileCursor(at: end, in: file) ?? .start
    return Part(
      events: events, end: next.cursor, endInBytes: end, isLast: end < start + limit)
  }
}

/// What ``RoomFileReader`` finds.
package enum RoomFileItem {
  /// An event, and the line that it is on, for those who want its very bytes.
  case event(Event, FileLine)
  case problem(RoomProblem)
}
