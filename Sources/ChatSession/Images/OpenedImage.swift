internal import ChatModel
internal import CPosix
internal import FileSystem
internal import Glibc
internal import ImageAssets

/// The file that another program opens to show an image.
///
/// Which program that is, the end of the name decides (xdg-open(1)): so it ends
/// as the contents say, never as a stranger has called it.
enum OpenedImage {
  /// After which time, in seconds, nobody looks at a copy any more.
  private static let oldAge = 24 * 3600

  /// The image where it is, if its name ends as its contents say; else a copy
  /// for its owner only, which goes when one is made a day later.
  /// - Parameters:
  ///   - name: what it is called.
  ///   - folders: the first that takes the copy gets it.
  @concurrent
  static func path(
    of file: WholeImage, name: String, folders: [String]
  ) async throws(SavedFile.Failure) -> String {
    let (opened, known) = (file.file, file.type.fileExtension)
    guard !SavedFile.ends(opened.path, in: known) else { return opened.path }
    var failure = SavedFile.Failure(path: opened.path, errorNumber: ENOENT)
    for folder in folders {
      do throws(SavedFile.Failure) {
        try prepare(folder)
        let name = SavedFile.name(name, extension: known)
        return try await SavedFile.copy(opened, as: name, in: folder)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Makes the folder, and removes what is old in it.
  private static func prepare(_ folder: String) throws(SavedFile.Failure) {
    guard posix_make_private_folder(folder) == 0, let entries = FolderEntries(folder) else {
      throw SavedFile.Failure(path: folder, errorNumber: errno)
    }
    for name in entries { removeIfOld(name, in: entries.descriptor) }
  }

  private static func removeIfOld(_ name: String, in folder: Int32) {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG, status.st_mtim.tv_sec < time(nil) - oldAge
    else { return }
    unlinkat(folder, name, 0)
  }
}
