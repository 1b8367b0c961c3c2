internal import ChatModel
package import FileSystem
internal import Glibc

/// An image on this machine that is small enough to be decoded.
package struct ImageFile: Hashable, Sendable {
  package let path: String
  package let sizeInBytes: Int
  package let header: ImageHeader
  /// What tells it from another file that has taken its place, and from what
  /// somebody has made of it.
  private let version: FileVersion

  /// Reads no more than the header.
  /// - Parameter file: what the version is of; what was checked of it before
  ///   stays true of the image.
  /// - Throws: that it is no image, or too large.
  init(_ file: OpenFile, limits: ImageLimits) throws(ImageFailure) {
    guard let version = file.version else { throw .notAFile }
    (path, self.version) = (file.path, version)
    sizeInBytes = Int(version.sizeInBytes)
    header = try Self.header(ofFile: file.number, sizeInBytes: sizeInBytes, limits: limits)
  }

  /// The image of the file at a path.
  /// - Throws: also that there is no such file.
  static func read(
    _ path: String, limits: ImageLimits, isCached: Bool = false
  ) throws(ImageFailure) -> ImageFile {
    try ImageFile(try open(path, isCached: isCached), limits: limits)
  }

  /// Opens a regular file; a pipe, a device or a link is refused without being
  /// opened, since opening alone can block or rewind something.
  static func open(_ path: String, isCached: Bool = false) throws(ImageFailure) -> OpenFile {
    var status = stat()
    guard !path.utf8.contains(0), lstat(path, &status) == 0, isRegular(status) else {
      throw .notAFile
    }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = Glibc.open(path, flags)
    guard descriptor >= 0 else { throw .notAFile }
    let file = OpenFile(descriptor, path: path, isCached: isCached)
    guard fstat(descriptor, &status) == 0, isRegular(status) else { throw .notAFile }
    return file
  }

  /// The file, if it is still what was looked at.
  package func open() throws(ImageFailure) -> OpenFile {
    let file = try Self.open(path, isCached: version.isCached)
    guard file.version == version else { throw .notAFile }
    return file
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
