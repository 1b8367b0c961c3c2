internal import CPosix
internal import Glibc

/// Which sessions are alive: each holds a lock on one byte of a file, at the
/// offset of its number, which the kernel gives up for it however it ends
/// (fcntl(2), open file description locks).
final class OwnerLocks {
  private let path: String
  private var descriptor: Int32 = -1
  private var taken: Set<Int64> = []

  init(path: String) {
    self.path = path
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Takes the lock of a session, where locks can be had.
  func take(_ session: Int64) {
    if open(), posix_lock_byte(descriptor, session) == 0 { taken.insert(session) }
  }

  func release(_ session: Int64) {
    taken.remove(session)
    if descriptor >= 0 { posix_unlock_byte(descriptor, session) }
  }

  /// Whether the lock was taken here.
  func isOwn(_ session: Int64) -> Bool { taken.contains(session) }

  /// Whether another process, or another log of this one, holds the lock.
  func isAlive(_ session: Int64) -> Bool {
    guard open() else { return false }
    return posix_is_byte_locked(descriptor, session) == 1
  }

  /// Runs `body` while nobody runs anything ``exclusively(_:)``.
  func together<Result>(
    _ body: () throws(LogError) -> Result
  ) throws(LogError) -> Result {
    try holding(LOCK_SH, body)
  }

  /// Runs `body` while nobody else runs anything by these locks.
  func exclusively<Result>(
    _ body: () throws(LogError) -> Result
  ) throws(LogError) -> Result {
    try holding(LOCK_EX, body)
  }

  /// Where the lock cannot be had, `body` runs without: in a folder that may
  /// not be written it does no harm, and who has stopped holding it must not
  /// stop others.
  private func holding<Result>(
    _ kind: Int32, _ body: () throws(LogError) -> Result
  ) throws(LogError) -> Result {
    guard open() else { return try body() }
    var isHeld = false
    for _ in 0..<500 where !isHeld {
      isHeld = flock(descriptor, kind | LOCK_NB) == 0
      if !isHeld { usleep(20_000) }
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
  }

  private func open() -> Bool {
    if descriptor < 0 {
      descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    return descriptor >= 0
  }
}
