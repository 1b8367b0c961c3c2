internal import Glibc

extension Slice<UnsafeRawBufferPointer> {
  /// Where the first newline is, by memchr(3).
  var firstNewline: Int? {
    guard let start = base.baseAddress, !isEmpty else { return nil }
    guard let found = memchr(start + startIndex, 0x0a, count) else { return nil }
    return UnsafeRawPointer(found) - start
  }
}
