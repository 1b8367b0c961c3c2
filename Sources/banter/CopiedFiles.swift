internal import ChatModel
internal import Transport

/// The images and files of a room that is copied.
@MainActor
final class CopiedFiles {
  private let source: RoomFiles
  private let target: (any RoomFileStore)?
  /// Where in the target a stored file is.
  private var places: [StoredFile: String] = [:]
  /// What could not be copied.
  private(set) var missing: [String] = []

  init(from source: RoomFiles, to target: (any RoomFileStore)?) {
    (self.source, self.target) = (source, target)
  }

  /// The event with its files in the target, once they are there.
  func bringing(_ event: Event) async throws -> Event {
    guard case .message(var message) = event else { return event }
    for (index, image) in message.attachedImages.enumerated() {
      message.images[index] = try await place(
        of: StoredFile(path: image.path, sha256: image.file?.sha256))
    }
    for (index, file) in message.files.enumerated() {
      message.files[index].path = try await place(
        of: StoredFile(path: file.path, sha256: file.sha256))
    }
    return .message(message)
  }

  /// A file in the source, and what the message says of its contents.
  private struct StoredFile: Hashable {
    var path: String
    var sha256: String?
  }

  private func place(of stored: StoredFile) async throws -> String {
    let path = stored.path
    // What is named by its address is where it is.
    guard source.location(of: path) != nil, !path.contains(":") else { return path }
    if let place = places[stored] { return place }
    do throws(TransportError) {
      guard let target else { throw TransportError(.invalid, reason: "no files are kept there") }
      // What was checked is what is sent, whatever is at its path by then.
      let file = try await source.fetch(path, sha256: stored.sha256) { _, _ in }
      places[stored] = try await target.store(file) { _, _ in }.path
    } catch {
      if error.code.isTransient { throw error }
      missing.append(path)
      places[stored] = path
    }
    return places[stored] ?? path
  }
}
