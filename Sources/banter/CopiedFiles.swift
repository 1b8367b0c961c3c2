internal import ChatModel
internal import Transport

/// The images and files of a room that is copied.
@MainActor
final class CopiedFiles {
  private let source: RoomFiles
  private let target: (any RoomFileStore)?
  /// Where in the target a stored file is, by where it is in the source.
  private var places: [String: String] = [:]
  /// What could not be copied.
  private(set) var missing: [String] = []

  init(from source: RoomFiles, to target: (any RoomFileStore)?) {
    (self.source, self.target) = (source, target)
  }

  /// The event with its files in the target, once they are there.
  func bringing(_ event: Event) async throws -> Event {
    guard case .message(var message) = event else { return event }
    for index in message.images.indices {
      message.images[index] = try await place(of: message.images[index])
    }
    for index in message.files.indices {
      message.files[index].path = try await place(of: message.files[index].path)
    }
    return .message(message)
  }

  private func place(of path: String) async throws -> String {
    // What is named by its address is where it is.
    guard source.location(of: path) != nil, !path.contains(":") else { return path }
    if let place = places[path] { return place }
    do throws(TransportError) {
      guard let target else { throw TransportError(.invalid, reason: "no files are kept there") }
      let file = try RoomFiles.open(
        try await source.fetch(path, sha256: nil) { _, _ in }, limit: RoomFiles.maximumBytes)
      places[path] = try await target.store(file) { _, _ in }.path
    } catch {
      if error.code.isTransient { throw error }
      missing.append(path)
      places[path] = path
    }
    return places[path] ?? path
  }
}
