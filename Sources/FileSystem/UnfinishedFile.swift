internal import Glibc

/// A file that somebody fills, under a hidden name until it is complete.
///
/// It is locked (flock(2)) as long as it is open, which tells others that it is
/// not abandoned.
package enum UnfinishedFile {
  private static let prefix = ".incoming-"
  /// How often one is made anew.
  private static let attempts = 16

  /// Makes one, open to be read and written.
  /// - Returns: nil, with errno(3), where none can be made.
  package static func make(
    in folder: String, mode: UInt32
  ) -> (descriptor: Int32, path: String)? {
    for _ in 0..<attempts {
      let path = "\(folder)/\(prefix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor < 0, errno == EINTR { continue }
      guard descriptor >= 0 else { return nil }
      if isOwn(descriptor) { return (descriptor, path) }
      close(descriptor)
      unlink(path)
    }
    errno = EAGAIN
    return nil
  }

  /// Takes the lock. One who looked before it was there may have removed the
  /// file; where there are no locks, nobody removes any.
  private static func isOwn(_ descriptor: Int32) -> Bool {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes what was left in a folder by programs that were killed. What cannot
  /// be removed stays.
  package static func removeAbandoned(in folder: String) {
    guard let names = FolderEntries(folder) else { return }
    for name in names where name.hasPrefix(prefix) {
      removeIfAbandoned(name, in: names.descriptor)
    }
  }

  private static func removeIfAbandoned(_ name: String, in folder: Int32) {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    unlinkat(folder, name, 0)
  }
}
