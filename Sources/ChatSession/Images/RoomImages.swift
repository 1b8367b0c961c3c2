package import Archive
internal import Glibc
package import SessionLog
internal import Transport

/// The images of a room file, to be embedded into a page.
package struct RoomImages: Sendable {
  private let files: RoomFiles

  /// What one image may be large at most; larger ones are linked or named.
  private static let limit = 5 << 20

  /// - Returns: nil where the room is no file.
  package init?(of room: LoggedRoom) {
    guard room.address.hasPrefix("file://") else { return nil }
    files = RoomFiles(room: String(room.address.dropFirst("file://".count)))
  }

  /// The image of a stored path; nil when it is not there, too large, or none.
  package func image(_ path: String) -> EmbeddedImage? {
    let types = [
      "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
      "webp": "image/webp",
    ]
    guard let type = path.split(separator: ".").last.flatMap({ types[$0.lowercased()] }),
      let location = files.location(of: path), isSmallFile(location),
      let bytes = readFile(location, limit: Self.limit)
    else { return nil }
    return EmbeddedImage(bytes: bytes, mediaType: type)
  }

  private func isSmallFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size <= Self.limit
  }
}
