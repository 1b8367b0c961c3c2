internal import Glibc

/// Appends lines to a room file so that they are whole, once and durable,
/// whoever else does the same at that moment.
///
/// Blocks, and is not Sendable: it stays with the writer that made it.
package final class RoomAppender {
  /// How long it waits for another program's lock.
  private let patience: Duration
  private let path: String
  private let isOwn: Bool
  private var current: WritableFile?

  /// A line that is in the file now.
  package struct Place: Sendable {
    package var cursor: Cursor
    /// Whether it was there before.
    package var isDuplicate: Bool
  }

  /// What was appended without a sync.
  struct Block {
    var places: [Place]
    /// Where it lies in the file; empty when every line was there before.
    var range: Range<Int64>
    /// The place at its end.
    var end: FileCursor
    let file: WritableFile
  }

  init(path: String, isOwn: Bool = true, patience: Duration = .seconds(5)) {
    self.path = path
    self.isOwn = isOwn
    self.patience = patience
  }

  /// Appends all lines that are not there yet with one write, and returns when
  /// they are on the disk: one place a line, in order. When it throws, none of
  /// them is in the file.
  func append(_ lines: [OutgoingLine]) throws(TransportError) -> [Place] {
    let file = try lockedFile()
    defer { file.unlock() }
    let size = try FileStatus(of: file.file).sizeInBytes
    return try append(lines, to: file, size, knownEnd: nil) {
      bytes throws(TransportError) in try file.write(bytes, at: size)
    }.places
  }

  /// The same without the sync.
  /// - Parameter prepare: called with the file's size when it is locked;
  ///   returns the place at its end, where that is known, or says that nothing
  ///   is to be appended, and nil is returned.
  func append(
    _ lines: [OutgoingLine], after prepare: (_ size: Int64) -> (isReady: Bool, end: FileCursor?)
  ) throws(TransportError) -> Block? {
    let file = try lockedFile()
    defer { file.unlock() }
    let size = try FileStatus(of: file.file).sizeInBytes
    let (isReady, end) = prepare(size)
    guard isReady else { return nil }
    return try append(lines, to: file, size, knownEnd: end) {
      bytes throws(TransportError) in try file.append(bytes, at: size)
    }
  }

  private func append(
    _ lines: [OutgoingLine], to file: WritableFile, _ size: Int64, knownEnd: FileCursor?,
    _ write: ([UInt8]) throws(TransportError) -> Int64
  ) throws(TransportError) -> Block {
    var known = try RepeatSearch.places(of: lines, in: file.file)
    let isAtLine = if knownEnd != nil { true } else { try file.endsInNewline(at: size) }
    var block = isAtLine ? [] : [UInt8(ascii: "\n")]
    var ends: [(end: Int64, hash: UInt64)?] = []
    for line in lines {
      if known[line.id] != nil {
        ends.append(nil)
        continue
      }
      block += line.bytes
      block.append(UInt8(ascii: "\n"))
      let hash = line.bytes.withUnsafeBytes { FileCursor.hash(lineBefore: $0) }
      ends.append((size + Int64(block.count), hash))
      known[line.id] = .start
    }
    let start = try write(block)
    // Somebody who takes no lock was there first.
    if start != size { ends = ends.map { $0.map { ($0.end + start - size, $0.hash) } } }
    let knownFirst = size > 0 ? knownEnd?.firstLine : nil
    let firstLine =
      if let knownFirst { knownFirst } else { try FileCursor.hashOfFirstLine(of: file.file) }
    let places = places(of: lines, endingAt: ends, known: known, firstLine: firstLine)
    let end = ends.lastIndex { $0 != nil }.flatMap { FileCursor(places[$0].cursor) }
    return Block(
      places: places, range: start..<(start + Int64(block.count)), end: end ?? .start, file: file)
  }

  private func places(
    of lines: [OutgoingLine], endingAt ends: [(end: Int64, hash: UInt64)?],
    known: [String: FileCursor], firstLine: UInt64
  ) -> [Place] {
    var known = known
    var places: [Place] = []
    for (line, end) in zip(lines, ends) {
      if let end {
        known[line.id] = FileCursor(firstLine: firstLine, offset: end.end, lineBefore: end.hash)
      }
      let cursor = known[line.id, default: .start].cursor
      places.append(Place(cursor: cursor, isDuplicate: end == nil))
    }
    return places
  }

  /// The file that the path names, locked. One that was moved away in the
  /// meantime is let go of, and what is there now is opened, or made.
  private func lockedFile() throws(TransportError) -> WritableFile {
    let deadline = ContinuousClock.now + patience
    while true {
      let file =
        if let current { current } else {
          try WritableFile(path: path, isOwn: isOwn)
        }
      current = file
      try file.lock(until: deadline)
      let named = try FileStatus(ofPath: path)
      if named?.identity == file.identity { return file }
      file.unlock()
      current = nil
      if ContinuousClock.now > deadline { throw .busy(path) }
    }
  }
}

extension TransportError {
  /// Another program has held the lock of `path` for too long.
  static func busy(_ path: String) -> TransportError {
    TransportError(
      .busy, errorNumber: EWOULDBLOCK, path: path,
      reason: "another program keeps the file locked; see who it is with fuser, and send again")
  }
}
