internal import CPosix
internal import Glibc

/// Which sessions are alive: each holds a lock on one byte of a file, at the
/// offset of its number, which the kernel gives up for it however it ends
/// (fcntl(2), open file description locks).
final class OwnerLocks {
  private let path: String
  private var descriptor: Int32 = -1

  init(path: String) {
    self.path = path
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Takes the lock of a session.
  /// - Returns: whether it is ours now; false where locks cannot be had.
  @discardableResult
  func take(_ session: Int64) -> Bool {
    guard open() else { return false }
    return posix_lock_byte(descriptor, session) == 0
  }

  func release(_ session: Int64) {
    if descriptor >= 0 { posix_unlock_byte(descriptor, session) }
  }

  /// Whether another process, or another log of this one, holds the lock.
  func isAlive(_ session: Int64) -> Bool {
    guard open() else { return false }
    return posix_is_byte_locked(descriptor, session) == 1
  }

  private func open() -> Bool {
    if descriptor < 0 {
      descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    return descriptor >= 0
  }
}
