package import ChatModel
package import FileSystem

/// Where the images and files of a room are kept: how they get there, and how
/// they are had from there.
package protocol RoomFileStore: Sendable {
  /// Brings a copy of a file into the room.
  func store(
    _ file: OpenFile, progress: @escaping FileProgress
  ) async throws(TransportError) -> FileReference

  /// A stored file, a regular one, open on this machine, to which it is brought
  /// where it is not yet. What was opened was checked: what is at its path by
  /// then may be something else.
  /// - Parameters:
  ///   - sha256: what the message says of its contents.
  ///   - limit: what it may be large at most, in bytes: a larger one is not
  ///     brought.
  func fetch(
    _ storedPath: String, sha256: String?, limit: Int64, progress: @escaping FileProgress
  ) async throws(TransportError) -> OpenFile
}

/// Hears how many bytes of how many were copied, or have gone over a line; on no
/// particular thread. The total is nil where the line does not tell it: of a
/// file that is fetched, only the message may. Where nothing has to go anywhere
/// it is not called.
package typealias FileProgress = @Sendable (_ done: Int64, _ total: Int64?) -> Void

extension RoomFileStore {
  /// Fetches what a room may keep.
  package func fetch(
    _ storedPath: String, sha256: String?, progress: @escaping FileProgress
  ) async throws(TransportError) -> OpenFile {
    try await fetch(
      storedPath, sha256: sha256, limit: RoomFiles.maximumBytes, progress: progress)
  }
}

extension TransportError {
  /// A file that is fetched.
  static func tooLargeToFetch(limit: Int64) -> TransportError {
    TransportError(
      .tooLarge, reason: "it is larger than \(sizeText(limit)), which is the most")
  }

  /// A stored path that leads out of the folder of a room.
  static let outsideOfRoom = TransportError(
    .invalid, reason: "this file is not in the room's folder")

  /// A file whose contents are not what its name or its message says.
  static func altered(_ path: String? = nil) -> TransportError {
    TransportError(
      .altered, path: path,
      reason: "this is not what was sent: its SHA-256 is another one; ask for it to be sent again")
  }

  /// A file that is to go into a room.
  static func tooLarge(_ path: String, limit: Int64) -> TransportError {
    TransportError(
      .tooLarge, path: path,
      reason: "it is larger than \(sizeText(limit)), which is the most; send a smaller one")
  }
}
