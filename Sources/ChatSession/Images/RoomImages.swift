package import Archive
package import ChatModel
package import SessionLog
internal import Transport

/// The images of a room file, to be embedded into a page.
package struct RoomImages: Sendable {
  private let files: RoomFiles

  /// What one image may be large at most; larger ones are linked or named.
  private static let limit: Int64 = 5_000_000

  /// - Returns: nil where the room is no file.
  package init?(of room: LoggedRoom) {
    guard room.address.hasPrefix("file://") else { return nil }
    files = RoomFiles(room: String(room.address.dropFirst("file://".count)))
  }

  /// A stored image; nil when it is not there, is not what was sent, too large,
  /// or none.
  package func image(_ file: FileReference) -> EmbeddedImage? {
    guard
      let bytes = try? files.contents(of: file.path, sha256: file.sha256, limit: Self.limit),
      let type = ImageType(beginning: bytes)
    else { return nil }
    return EmbeddedImage(bytes: bytes, mediaType: type.mediaType)
  }
}
