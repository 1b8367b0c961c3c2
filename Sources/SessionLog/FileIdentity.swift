internal import Glibc

/// Which file it is that has a path, stat(2).
struct FileIdentity: Hashable {
  private let device: UInt
  private let number: UInt

  /// Nil when nothing has the path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt(status.st_dev), UInt(status.st_ino))
  }

  /// The size of a file in bytes; `.some(nil)` when it is no regular file, nil
  /// when nothing has the path.
  static func size(of path: String) -> Int?? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return .some(status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil)
  }

  /// Where the journal of a file is: beside it, not beside a symbolic link that
  /// leads to it.
  static func journal(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path + "-wal" }
    defer { free(real) }
    return String(cString: real) + "-wal"
  }

  /// Whether there is something in the journal of a file.
  static func hasJournal(_ path: String) -> Bool {
    (size(of: journal(of: path)) ?? nil) ?? 0 > 0
  }
}
