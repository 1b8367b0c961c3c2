internal import CPosix
internal import ChatModel
internal import Glibc

/// An image on this machine that is small enough to be decoded.
///
/// Whoever opens it does so with `O_NOFOLLOW`; it may have been removed since.
package struct ImageFile: Hashable, Sendable {
  package let path: String
  package let sizeInBytes: Int
  package let header: ImageHeader
  /// What tells it from another file that has taken its place.
  let version: Version

  /// Which file it is, how large, and when it was changed last (inode(7)).
  struct Version: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let sizeInBytes: Int
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
      (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
      sizeInBytes = Int(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// Reads no more than the header of a regular file; a pipe, a device or a
  /// link is refused without being opened, since opening alone can block or
  /// rewind something.
  /// - Throws: that there is no such file, that it is no image, or too large.
  static func read(_ path: String, limits: ImageLimits) throws(ImageFailure) -> ImageFile {
    var status = stat()
    guard !path.utf8.contains(0), lstat(path, &status) == 0, isRegular(status) else {
      throw .notAFile
    }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .notAFile }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0, isRegular(status) else { throw .notAFile }
    let size = Int(status.st_size)
    let header = try header(ofFile: descriptor, sizeInBytes: size, limits: limits)
    return ImageFile(
      path: path, sizeInBytes: size, header: header, version: Version(status))
  }

  /// The header of an open file of so many bytes.
  static func header(
    ofFile descriptor: Int32, sizeInBytes size: Int, limits: ImageLimits
  ) throws(ImageFailure) -> ImageHeader {
    guard size > 0 else { throw .empty }
    guard size <= limits.fileBytes else { throw .tooLarge(limitInBytes: limits.fileBytes) }
    let bytes = HeaderBytes(ofFile: descriptor)
    guard let header = ImageHeader(bytes) else {
      let beginning = bytes.atMost(ImageType.beginningBytes, at: 0)
      throw ImageType(beginning: beginning) == nil ? .notAnImage : .undecodable
    }
    guard header.size.count <= limits.pixels else { throw .tooManyPixels(header.size) }
    return header
  }

  private static func isRegular(_ status: stat) -> Bool {
    status.st_mode & S_IFMT == S_IFREG
  }
}
