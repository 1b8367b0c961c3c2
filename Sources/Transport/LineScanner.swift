internal import ChatModel
internal import Glibc

/// Cuts a file into lines, forwards, with memory for one block or one event,
/// however long a line is.
///
/// ``fill(from:)`` reads on, ``next()`` gives the lines that are whole; what
/// remains waits for the next filling.
struct LineScanner: ~Copyable {
  /// How much is read at once.
  static let blockBytes = 256 * 1024
  /// How much of a line is kept: an event, a byte order mark and a carriage
  /// return.
  static let keptBytes = EventCodec.maximumEventBytes + 4

  private var buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: LineScanner.blockBytes, alignment: 16)
  /// The current line in `buffer`: where it begins, how far it was searched
  /// for its newline, and where what was read ends.
  private var start = 0
  private var searched = 0
  private var end = 0
  /// How much of the current line was read and let go of.
  private var dropped: Int64 = 0
  /// Where the current line, which is not finished, begins in the file.
  private(set) var lineOffset: Int64

  init(at offset: Int64) {
    lineOffset = offset
  }

  deinit {
    buffer.deallocate()
  }

  /// How much memory it takes at the moment.
  var bufferBytes: Int { buffer.count }

  /// How much of the current line has been read.
  var pendingBytes: Int64 { Int64(end - start) + dropped }

  /// Reads the next block. Returns how many bytes there were: 0 at the end of
  /// the file.
  mutating func fill(from file: borrowing Descriptor) throws(TransportError) -> Int {
    makeRoom()
    let space = UnsafeMutableRawBufferPointer(rebasing: buffer[end...].prefix(Self.blockBytes))
    let count = try file.read(into: space, at: lineOffset + pendingBytes)
    end += count
    return count
  }

  /// The next whole line, until nothing but an unfinished one is left. Good
  /// until the next call that changes the scanner.
  mutating func next() -> FileLine? {
    let rest = UnsafeRawBufferPointer(buffer)[searched..<end]
    guard let base = rest.base.baseAddress,
      let found = memchr(base + searched, 0x0A, rest.count)
    else {
      searched = end
      dropExcess()
      return nil
    }
    let newline = UnsafeRawPointer(found) - base
    let line = currentLine(endingAt: newline, isFinished: true)
    start = newline + 1
    searched = start
    lineOffset = line.end
    dropped = 0
    return line
  }

  /// What is there of the current line as if the file ended here for good;
  /// nil when that is nothing.
  mutating func takeUnfinished() -> FileLine? {
    guard pendingBytes > 0 else { return nil }
    let line = currentLine(endingAt: end, isFinished: false)
    start = end
    lineOffset = line.end
    dropped = 0
    return line
  }

  /// Forgets what was read from the current line on, in order to read it anew:
  /// a writer may have cut it off, and another one begun. Unless forced, a
  /// line that is over the limit stays, since reading it again is costly.
  mutating func rereadUnfinished(force: Bool) {
    guard dropped == 0 || force else { return }
    end = start
    searched = start
    dropped = 0
  }

  /// Goes to a place behind everything that was read.
  mutating func skip(to offset: Int64) {
    (start, searched, end, dropped) = (0, 0, 0, 0)
    lineOffset = offset
  }

  private func currentLine(endingAt index: Int, isFinished: Bool) -> FileLine {
    let kept = min(index - start, Self.keptBytes)
    return FileLine(
      raw: UnsafeRawBufferPointer(rebasing: buffer[start..<(start + kept)]),
      offset: lineOffset, length: Int64(index - start) + dropped, isFinished: isFinished)
  }

  /// Lets go of what is over the limit in a line that has not ended.
  private mutating func dropExcess() {
    let excess = end - start - Self.keptBytes
    guard excess > 0 else { return }
    dropped += Int64(excess)
    end -= excess
    searched = end
  }

  private mutating func makeRoom() {
    if start > 0 {
      let kept = buffer[start..<end]
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: kept))
      searched -= start
      end -= start
      start = 0
    }
    guard buffer.count - end < Self.blockBytes / 2 else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(buffer.count * 2, Self.keptBytes + Self.blockBytes), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
    buffer.deallocate()
    buffer = larger
  }
}
