import ChatModel
import FileSystem
import Transport

/// A room in memory that also has files, which come when a test lets them.
actor RoomWithFiles: Transport {
  nonisolated let capabilities: Capabilities
  nonisolated let files: (any RoomFileStore)?
  private let room: any Transport

  init(_ room: any Transport, _ files: any RoomFileStore) {
    (self.room, self.files) = (room, files)
    capabilities = room.capabilities
  }

  func join(tail: Int) async throws(TransportError) { try await room.join(tail: tail) }
  func next() async -> [RoomUpdate]? { await room.next() }
  func send(_ events: [OutgoingEvent]) async -> [Receipt] { await room.send(events) }
  func history(before: Cursor?, limit: Int) async throws(TransportError) -> HistoryPage {
    try await room.history(before: before, limit: limit)
  }
  func close() async { await room.close() }
}

/// Files that are at a path on this machine once a test lets them go.
actor HeldFiles: RoomFileStore {
  private let paths: [String: String]
  private var isHolding: Bool
  private var held: [String: CheckedContinuation<Void, Never>] = [:]
  private var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// What was asked for, in its order.
  private(set) var asked: [String] = []
  /// What nobody wanted any more.
  private(set) var cancelled: [String] = []
  private var cancellationObserver: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  /// - Parameter paths: where the stored paths lead to; all others are refused.
  init(_ paths: [String: String] = [:], isHolding: Bool = false) {
    (self.paths, self.isHolding) = (paths, isHolding)
  }

  func store(
    _ file: OpenFile, progress: @escaping FileProgress
  ) async throws(TransportError) -> FileReference {
    throw TransportError(.denied, reason: "nothing is stored here")
  }

  func fetch(
    _ storedPath: String, sha256: String?, limit: Int64, progress: @escaping FileProgress
  ) async throws(TransportError) -> OpenFile {
    asked.append(storedPath)
    for observer in observers where observer.count <= asked.count {
      observer.continuation.resume()
    }
    observers.removeAll { $0.count <= asked.count }
    if isHolding {
      await withTaskCancellationHandler {
        await withCheckedContinuation { held[storedPath] = $0 }
      } onCancel: {
        Task { await cancel(storedPath) }
      }
    }
    guard let path = paths[storedPath] else { throw TransportError(.notFound, reason: "none") }
    return try RoomFiles.open(path, limit: .max)
  }

  private func cancel(_ path: String) {
    guard let continuation = held.removeValue(forKey: path) else { return }
    cancelled.append(path)
    continuation.resume()
    guard let observer = cancellationObserver, observer.count <= cancelled.count else { return }
    cancellationObserver = nil
    observer.continuation.resume()
  }

  /// Returns when so many were given up.
  func waitUntilCancelled(_ count: Int) async {
    guard cancelled.count < count else { return }
    await withCheckedContinuation { cancellationObserver = (count, $0) }
  }

  /// Returns when so many were asked for.
  func waitUntilAsked(_ count: Int) async {
    guard asked.count < count else { return }
    await withCheckedContinuation { observers.append((count, $0)) }
  }

  /// How many are held.
  var heldCount: Int { held.count }

  /// Lets one go that is held.
  func release(_ path: String) { held.removeValue(forKey: path)?.resume() }

  /// Lets those go that were asked for first.
  func release(first count: Int) {
    for path in asked.prefix(count) { held.removeValue(forKey: path)?.resume() }
  }

  /// Lets all go that are held, and holds no more.
  func release() {
    isHolding = false
    for continuation in held.values { continuation.resume() }
    held = [:]
  }
}
