internal import Glibc

/// Which file something is, how large, and when it was changed last (inode(7)).
package struct FileVersion: Hashable, Sendable {
  private struct Time: Hashable {
    var seconds: Int
    var nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  private let device: UInt64
  private let inode: UInt64
  package let sizeInBytes: Int64
  private let modifiedAt: Time
  /// Nobody can set this one back. Nil in a cache, whose owner alone writes
  /// there and marks what is used, which counts as a change.
  private let changedAt: Time?

  /// Nil where the number is that of no open file.
  init?(of number: Int32, isCached: Bool) {
    var status = stat()
    guard fstat(number, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    sizeInBytes = Int64(status.st_size)
    modifiedAt = Time(status.st_mtim)
    changedAt = isCached ? nil : Time(status.st_ctim)
  }

  /// Whether the file is in a cache.
  package var isCached: Bool { changedAt == nil }
}
