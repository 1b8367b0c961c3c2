internal import Glibc

/// The names in a folder, one after another, in no particular order; `.` and
/// `..` are left out (readdir(3)).
///
/// Belongs to one thread at a time.
package final class FolderEntries: Sequence, IteratorProtocol {
  private let stream: OpaquePointer

  /// - Returns: nil when the folder cannot be read, with errno(3) set.
  package init?(_ path: String) {
    guard let stream = opendir(path) else { return nil }
    self.stream = stream
  }

  deinit {
    closedir(stream)
  }

  /// The folder itself, for openat(2) and its like; good as long as this lives.
  package var descriptor: Int32 { dirfd(stream) }

  /// The next name; what is not UTF-8 is repaired.
  package func next() -> String? {
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { return name }
    }
    return nil
  }
}
