internal import CPosix
internal import FileSystem
internal import Glibc

/// A folder of files that can be had again, named by digests; several programs
/// use it at once. Whatever else is in there is left alone.
struct CacheFolder: Hashable, Sendable {
  let path: String
  /// What all files may take together.
  let limitInBytes: Int
  /// How many they may be, so that looking through them stays quick.
  let limitInFiles: Int

  /// Makes it, for its owner only.
  /// - Returns: false, and errno, where it cannot be, or belongs to somebody
  ///   else: then that one could put images there.
  func prepare() -> Bool {
    guard posix_make_private_folder(path) == 0 else { return false }
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
      errno = EPERM
      return false
    }
    return status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
  }

  private struct Entry {
    var name: String
    var sizeInBytes: Int
    var usedAt: timespec
  }

  /// Removes what nobody fills any more, and of the rest what was not used for
  /// the longest time until the limits are kept.
  func makeRoom(besides kept: String) {
    guard let names = FolderEntries(path) else { return }
    let folder = names.descriptor
    var entries: [Entry] = []
    for name in names {
      if name.hasPrefix(IncomingImage.prefix) {
        if Self.isAbandoned(name, in: folder) { unlinkat(folder, name, 0) }
      } else if Self.isKey(name), let entry = Self.entry(name, in: folder) {
        entries.append(entry)
      }
    }
    entries.sort { ($0.usedAt.tv_sec, $0.usedAt.tv_nsec) < ($1.usedAt.tv_sec, $1.usedAt.tv_nsec) }
    var total = entries.reduce(0) { $0 + $1.sizeInBytes }
    var count = entries.count
    for entry in entries where total > limitInBytes || count > limitInFiles {
      guard entry.name != kept else { continue }
      unlinkat(folder, entry.name, 0)
      total -= entry.sizeInBytes
      count -= 1
    }
  }

  private static func isKey(_ name: String) -> Bool {
    name.utf8.count == 64
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func entry(_ name: String, in folder: Int32) -> Entry? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Entry(name: name, sizeInBytes: Int(status.st_size), usedAt: status.st_atim)
  }

  /// Whether nobody holds its lock, see ``IncomingImage``.
  private static func isAbandoned(_ name: String, in folder: Int32) -> Bool {
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
