internal import CPosix

/// Finds where the last messages of a file begin, from its end backwards, so
/// that it costs the same however long the file is.
struct BackwardScan: ~Copyable {
  /// How much is looked at at once.
  static let blockBytes = 64 * 1024

  /// How far back it goes for messages, at most.
  struct Bounds {
    var lines = Int.max
    var bytes = Int64.max

    /// No further than the start of the file.
    static let none = Bounds()
  }

  private let block = UnsafeMutableRawBufferPointer.allocate(
    byteCount: BackwardScan.blockBytes, alignment: 16)
  private var blockStart: Int64
  private var blockEnd: Int64
  /// For a line that is not whole in `block`; made when the first one comes.
  private var lineBuffer: UnsafeMutableRawBufferPointer?

  private init(before end: Int64) {
    blockStart = end
    blockEnd = end
  }

  deinit {
    block.deallocate()
    lineBuffer?.deallocate()
  }

  /// Where the last `count` messages before `end` begin: the start of a line.
  ///
  /// When there are fewer, or the bounds are reached, that of the first line
  /// looked at. An unfinished line at the end counts for nothing.
  static func startOfLast(
    _ count: Int, before end: Int64, in file: borrowing Descriptor, within bounds: Bounds = .none
  ) throws(TransportError) -> Int64 {
    var scan = BackwardScan(before: end)
    guard var newline = try scan.newline(before: end, in: file) else { return 0 }
    var found = 0
    var lines = 0
    var lineStart = newline + 1
    while found < count, lines < bounds.lines, end - lineStart < bounds.bytes {
      let previous = try scan.newline(before: newline, in: file)
      lineStart = previous.map { $0 + 1 } ?? 0
      lines += 1
      if try scan.isMessage(lineStart..<newline, in: file) { found += 1 }
      guard let previous else { break }
      newline = previous
    }
    return lineStart
  }

  private mutating func newline(
    before offset: Int64, in file: borrowing Descriptor
  ) throws(TransportError) -> Int64? {
    var offset = offset
    while true {
      if offset <= blockStart {
        guard offset > 0 else { return nil }
        blockStart = max(0, offset - Int64(Self.blockBytes))
        let wanted = UnsafeMutableRawBufferPointer(rebasing: block[..<Int(offset - blockStart)])
        blockEnd = blockStart + Int64(try file.read(into: wanted, at: blockStart))
        // The file has become shorter; whoever follows it will find out.
        guard blockEnd == offset else { return nil }
      }
      if let base = UnsafeRawPointer(block.baseAddress),
        let found = posix_memrchr(base, 0x0A, Int(offset - blockStart))
      {
        return blockStart + Int64(found - base)
      }
      offset = blockStart
    }
  }

  private mutating func isMessage(
    _ range: Range<Int64>, in file: borrowing Descriptor
  ) throws(TransportError) -> Bool {
    let bytes: UnsafeRawBufferPointer
    if range.lowerBound >= blockStart, range.upperBound <= blockEnd {
      let start = Int(range.lowerBound - blockStart)
      bytes = UnsafeRawBufferPointer(rebasing: block[start..<(start + range.count)])
    } else {
      let buffer = lineBuffer ?? .allocate(byteCount: LineScanner.keptBytes, alignment: 16)
      lineBuffer = buffer
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.count))
      let count = try file.read(into: part, at: range.lowerBound)
      bytes = UnsafeRawBufferPointer(rebasing: part[..<count])
    }
    let line = FileLine(
      raw: bytes, offset: range.lowerBound, length: Int64(range.count), isFinished: true)
    return line.isMessage
  }
}
