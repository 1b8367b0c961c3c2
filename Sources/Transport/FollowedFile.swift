internal import ChatModel
internal import Glibc

/// A room file that is being read as it grows: where the reading is, and
/// whether the file is still what was read.
///
/// Not Sendable: it stays with the follower that opened it.
final class FollowedFile {
  /// How much is read before others on the queue get their turn.
  private static let turnBytes = 8 * 1024 * 1024

  let file: Descriptor
  let identity: FileStatus.Identity
  private var scanner: LineScanner
  /// Just after the last line that was read.
  private(set) var position: FileCursor
  /// What was there on joining ends here; nil when its end has been told.
  private var replayEnd: Int64?
  /// Lines before `position`; nil when the file is not read from its start.
  private var lineNumber: Int?
  private var hasReachedEnd = false

  /// Begins at `start`, which is the start of a line. What is before
  /// `replayEnd`, if any, is told as replay.
  init(
    _ file: consuming Descriptor, identity: FileStatus.Identity, from start: Int64,
    replayEnd: Int64?
  ) throws(TransportError) {
    position = try FileCursor(at: start, in: file) ?? .start
    self.file = file
    self.identity = identity
    self.replayEnd = replayEnd
    scanner = LineScanner(at: position.offset)
    lineNumber = position.offset == 0 ? 0 : nil
  }

  /// Passes over what is known to be between its place, at which nothing is
  /// unfinished, and another one.
  /// - Returns: false when there is something else.
  func skip(from start: Int64, to end: FileCursor) -> Bool {
    guard position.offset == start, scanner.pendingBytes == 0, replayEnd == nil else {
      return false
    }
    position = end
    scanner.skip(to: end.offset)
    return true
  }

  /// How much of a last line that is not finished has been read.
  var unfinishedBytes: Int64 { scanner.pendingBytes }

  /// Whether the file still has at its place what was read; it does not when
  /// it was truncated or written over.
  func isUnchanged() throws(TransportError) -> Bool {
    let size = try FileStatus(of: file).sizeInBytes
    guard size >= position.offset, try position.matches(file) else { return false }
    let isCutBack = size < scanner.lineOffset + scanner.pendingBytes
    if hasReachedEnd || isCutBack { scanner.rereadUnfinished(force: isCutBack) }
    return true
  }

  /// Reads on until the batch is full, or the end of the file, or for one
  /// turn. Returns whether there may be more at once.
  func read(into batch: inout UpdateBatch) throws(TransportError) -> Bool {
    hasReachedEnd = false
    var left = Self.turnBytes
    while !batch.isFull, left > 0 {
      if let line = scanner.next() {
        try take(line, into: &batch)
        continue
      }
      let count = try scanner.fill(from: file)
      left -= count
      if count == 0 {
        hasReachedEnd = true
        endReplay(in: &batch)
        return false
      }
    }
    return true
  }

  /// Tells what is there of a last line that nobody will finish any more.
  func finish(into batch: inout UpdateBatch) throws(TransportError) {
    if let line = scanner.takeUnfinished() { try take(line, into: &batch) }
  }

  /// Whether no writer is in the middle of something here, flock(2): one that
  /// comes later finds that the path names another file.
  func isLetGo() -> Bool {
    guard flock(file.number, LOCK_SH | LOCK_NB) == 0 else { return false }
    flock(file.number, LOCK_UN)
    return true
  }

  private func take(_ line: FileLine, into batch: inout UpdateBatch) throws(TransportError) {
    if let replayEnd, line.end > replayEnd { endReplay(in: &batch) }
    position = try place(after: line)
    if let number = lineNumber { lineNumber = number + 1 }
    switch line.content {
    case .event(let event):
      batch.add(
        RoomEvent(event: event, cursor: position.cursor), sizeInBytes: line.length,
        asReplay: replayEnd != nil)
    case .nothing: break
    case .bad(let reason):
      batch.add(
        RoomProblem(
          source: file.path, byteOffset: line.offset, lineNumber: lineNumber, reason: reason))
    }
  }

  private func place(after line: FileLine) throws(TransportError) -> FileCursor {
    // Of a line that is cut off the end is not at hand.
    if line.isCutOff || position.offset == 0 {
      return try FileCursor(at: line.end, in: file) ?? position
    }
    return FileCursor(
      firstLine: position.firstLine, offset: line.end,
      lineBefore: FileCursor.hash(lineBefore: line.raw))
  }

  private func endReplay(in batch: inout UpdateBatch) {
    guard replayEnd != nil else { return }
    replayEnd = nil
    batch.add(.live(position.cursor))
  }
}
