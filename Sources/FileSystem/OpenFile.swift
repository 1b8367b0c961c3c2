internal import Glibc

/// A file that is open to be read at any place (pread(2)), closed when nobody
/// has it any more.
///
/// What was looked at through it is what is read through it, whatever its path
/// leads to by then.
package final class OpenFile: Sendable {
  package let number: Int32
  /// What it is called: the path by which it was opened.
  package let path: String
  /// What it was when it was taken over; nil where fstat(2) did not tell.
  package let version: FileVersion?

  /// Takes a descriptor over.
  /// - Parameter isCached: whether it is in a cache of this user's.
  package init(_ number: Int32, path: String, isCached: Bool = false) {
    (self.number, self.path) = (number, path)
    version = FileVersion(of: number, isCached: isCached)
  }

  deinit {
    close(number)
  }

  /// Whether nobody has written to it since it was taken over.
  package var isUnchanged: Bool {
    version.map { FileVersion(of: number, isCached: $0.isCached) == $0 } ?? false
  }
}
