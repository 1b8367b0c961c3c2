internal import Glibc

/// Bytes at places that a file itself names, and so may not be there.
struct HeaderBytes {
  /// So many bytes from an offset on, or fewer at the end.
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]

  /// - Parameter read: called with what is not negative.
  init(_ read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
    self.read = read
  }

  /// Those of an open file, pread(2).
  init(ofFile descriptor: Int32) {
    read = { offset, count in
      [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
      }
    }
  }

  /// Fewer at the end.
  func atMost(_ count: Int, at offset: Int) -> [UInt8] { read(offset, count) }

  private func all(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = read(offset, count)
    return bytes.count == count ? bytes : nil
  }

  /// Nil behind the end, as with the others.
  func byte(at offset: Int) -> Int? { all(1, at: offset).map { Int($0[0]) } }

  /// A number of up to four bytes, the highest first.
  func big(_ count: Int, at offset: Int) -> Int? {
    all(count, at: offset).map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  /// The same, the lowest first.
  func little(_ count: Int, at offset: Int) -> Int? {
    all(count, at: offset).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Whether ASCII text stands there.
  func hasText(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { atMost($0.count, at: offset).elementsEqual($0) }
  }
}
