internal import Glibc
internal import CPosix

/// A place between two lines of a room file, and how to tell whether the file
/// is still the one in which that place was: its first line, and the line
/// before the place, are the same.
struct FileCursor: Hashable {
  /// How many bytes of a line go into its hash: the first of the first line,
  /// which holds the id of a message, and the last of the line before.
  static let hashedBytes = 1024

  /// The hash of the file's first line; 0 at offset 0.
  var firstLine: UInt64
  /// Bytes before the place.
  var offset: Int64
  /// The hash of the line before the place; 0 at offset 0.
  var lineBefore: UInt64

  /// The beginning of any file.
  static let start = FileCursor(firstLine: 0, offset: 0, lineBefore: 0)

  init(firstLine: UInt64, offset: Int64, lineBefore: UInt64) {
    self.firstLine = firstLine
    self.offset = offset
    self.lineBefore = lineBefore
  }

  /// The place at `offset` of `file`, which is just after a newline; `nil`
  /// when it is not.
  init?(at offset: Int64, in file: borrowing Descriptor) throws(TransportError) {
    guard offset > 0 else {
      self = .start
      return
    }
    guard let before = try Self.hashOfLine(before: offset, in: file) else { return nil }
    self.init(
      firstLine: try Self.hashOfFirstLine(of: file), offset: offset, lineBefore: before)
  }

  /// Whether the place is still there in `file`.
  func matches(_ file: borrowing Descriptor) throws(TransportError) -> Bool {
    try FileCursor(at: offset, in: file) == self
  }
}

extension FileCursor {
  /// Reads what ``cursor`` has written; nil for anything else.
  init?(_ cursor: Cursor) {
    let parts = cursor.value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "f1", let first = UInt64(parts[1], radix: 36),
      let offset = Int64(parts[2]), offset >= 0, let before = UInt64(parts[3], radix: 36)
    else { return nil }
    self.init(firstLine: first, offset: offset, lineBefore: before)
  }

  /// As others see it: a version, the first line's hash, the offset, and the
  /// hash of the line before.
  var cursor: Cursor {
    let first = String(firstLine, radix: 36)
    return Cursor(value: "f1.\(first).\(offset).\(String(lineBefore, radix: 36))")
  }
}

extension FileCursor {
  /// The hash of a line without its newline, as the line before a place.
  static func hash(lineBefore line: UnsafeRawBufferPointer) -> UInt64 {
    fnv1a(UnsafeRawBufferPointer(rebasing: line.suffix(hashedBytes)))
  }

  static func hashOfFirstLine(of file: borrowing Descriptor) throws(TransportError) -> UInt64 {
    try withBytes(of: file, 0..<Int64(hashedBytes)) { bytes in
      let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      return fnv1a(UnsafeRawBufferPointer(rebasing: bytes[..<newline]))
    }
  }

  /// Nil when there is no newline just before `offset`.
  private static func hashOfLine(
    before offset: Int64, in file: borrowing Descriptor
  ) throws(TransportError) -> UInt64? {
    // One byte more than is hashed, so that a longer line is known for one.
    let start = max(0, offset - 1 - Int64(hashedBytes))
    return try withBytes(of: file, start..<offset) { bytes in
      guard Int64(bytes.count) == offset - start, bytes.last == UInt8(ascii: "\n") else {
        return nil
      }
      let line = bytes.dropLast()
      let begin = line.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      return hash(lineBefore: UnsafeRawBufferPointer(rebasing: line[begin...]))
    }
  }

  private static func withBytes<Result>(
    of file: borrowing Descriptor, _ range: Range<Int64>,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(TransportError) -> Result {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
    defer { buffer.deallocate() }
    let count = try file.read(into: buffer, at: range.lowerBound)
    return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// FNV-1a, 64 bits: short, and the same in every process and on every day.
  /// http://www.isthe.com/chongo/tech/comp/fnv/
  private static func fnv1a(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return hash
  }
}
