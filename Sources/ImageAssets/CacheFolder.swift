internal import CPosix
internal import FileSystem
internal import Glibc
internal import TransportSecurity

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

  /// Removes what nobody fills any more, and of the rest what was not used for
  /// the longest time until the limits are kept.
  func makeRoom(besides kept: String) {
    UnfinishedFile.removeAbandoned(in: path)
    var files = CachedFiles()
    for name in FolderEntries(path)?.filter(SHA256.isDigest) ?? [] { files.add("\(path)/\(name)") }
    files.makeRoom(
      limitInBytes: Int64(limitInBytes), limitInFiles: limitInFiles, besides: "\(path)/\(kept)")
  }
}
