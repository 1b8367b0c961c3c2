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

  /// Takes a descriptor over.
  package init(_ number: Int32, path: String) {
    (self.number, self.path) = (number, path)
  }

  deinit {
    close(number)
  }
}
