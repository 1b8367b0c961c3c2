package import ChatModel
package import Transport

extension RoomFileStore {
  /// Brings the file at a path into the room.
  package func store(
    _ path: String, progress: @escaping FileProgress = { _, _ in }
  ) async throws(TransportError) -> FileReference {
    try await store(
      try RoomFiles.open(path, limit: RoomFiles.maximumBytes), progress: progress)
  }
}
