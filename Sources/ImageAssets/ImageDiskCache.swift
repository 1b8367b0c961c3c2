internal import CPosix
internal import Executors
internal import FileSystem
internal import Glibc

/// Images on the disk, each in a file named by the SHA-256 of its address, for
/// nobody else. Several programs may use the same folders at once.
///
/// An image has its name only when all of it is there. What was not used for
/// the longest time is removed when there is too much.
package actor ImageDiskCache {
  private let executor = QueueExecutor(label: "banter.images")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let folders: [CacheFolder]

  /// - Parameters:
  ///   - folders: the first that takes a file gets it; those behind it are for
  ///     full disks and folders that cannot be written to, so that an image can
  ///     be shown all the same.
  ///   - limitInBytes: what the files of each folder may take together.
  ///   - limitInFiles: how many they may be.
  package init(folders: [String], limitInBytes: Int = 256 << 20, limitInFiles: Int = 4_096) {
    self.folders = folders.map {
      CacheFolder(path: $0, limitInBytes: limitInBytes, limitInFiles: limitInFiles)
    }
  }

  /// The image of that key, which counts as used just now; nil when it is not
  /// there. What is no image, because something has damaged it, is removed.
  func image(_ key: String, limits: ImageLimits) -> ImageFile? {
    for folder in folders {
      let path = "\(folder.path)/\(key)"
      do throws(ImageFailure) {
        let file = try ImageFile.read(path, limits: limits, isCached: true)
        posix_note_use(path)
        return file
      } catch {
        if error != .notAFile { unlink(path) }
      }
    }
    return nil
  }

  /// An image that somebody else keeps.
  func image(of file: OpenFile, limits: ImageLimits) throws(ImageFailure) -> ImageFile {
    try ImageFile(file, limits: limits)
  }

  /// Whether a file is still what it was; one of the cache counts as used just
  /// now.
  func isThere(_ file: ImageFile) -> Bool {
    guard (try? file.open()) != nil else { return false }
    if folders.contains(where: { file.path.hasPrefix($0.path + "/") }) {
      posix_note_use(file.path)
    }
    return true
  }

  /// A file to be filled.
  func makePart() throws(ImageFailure) -> IncomingImage {
    try IncomingImage(in: folders)
  }

  /// Keeps what was filled under a key, if it is an image.
  func keep(
    _ part: IncomingImage, as key: String, limits: ImageLimits
  ) throws(ImageFailure) -> ImageFile {
    _ = try part.header(limits)
    let (path, folder) = try part.rename(to: key)
    posix_note_use(path)
    folder.makeRoom(besides: key)
    return try ImageFile.read(path, limits: limits, isCached: true)
  }
}
