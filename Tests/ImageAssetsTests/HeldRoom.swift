import ChatModel
import FileSystem
import Synchronization
import TestSupport

@testable import ImageAssets

/// A room that hands its files out when it is told to, and counts.
final class HeldRoom: Sendable {
  private struct State {
    var asked: [String] = []
    var cancelled: [String] = []
    var running = 0
    var mostRunning = 0
    var held: [String: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())
  private let folder = TemporaryFolder()
  private let holds: Bool
  private let endsAtOnce: Bool

  /// - Parameters:
  ///   - holds: whether files wait until they are released.
  ///   - endsAtOnce: whether they wait no longer when nobody wants them.
  init(holds: Bool = true, endsAtOnce: Bool = true) {
    (self.holds, self.endsAtOnce) = (holds, endsAtOnce)
    folder.write("image.png", Samples.picture)
  }

  /// The names of what was asked for, in order.
  var asked: [String] { state.withLock(\.asked) }
  var cancelled: [String] { state.withLock(\.cancelled) }
  var mostRunning: Int { state.withLock(\.mostRunning) }

  /// See ``ImageLibrary/StoredFile``. What begins with `bad` times out.
  func file(_ path: String) async throws -> OpenFile {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock {
      $0.asked.append(path)
      $0.running += 1
      $0.mostRunning = max($0.mostRunning, $0.running)
      $0.held[path] = continuation
    }
    defer { state.withLock { $0.running -= 1 } }
    if holds, endsAtOnce {
      for await _ in stream { break }
    } else if holds {
      await Task { for await _ in stream { break } }.value
    } else {
      await Task.yield()
    }
    if Task.isCancelled {
      state.withLock { $0.cancelled.append(path) }
      throw CancellationError()
    }
    if path.hasPrefix("bad") { throw ImageFailure.timedOut }
    return try ImageFile.open("\(folder.path)/image.png")
  }

  /// Waits until a file is asked for, and hands it out.
  func release(_ path: String) async {
    var held: AsyncStream<Void>.Continuation?
    _ = await eventually {
      held = state.withLock { $0.held.removeValue(forKey: path) }
      return held != nil
    }
    held?.yield()
    held?.finish()
  }

  /// Waits until so many files were asked for.
  func asked(_ count: Int) async -> Bool { await eventually { asked.count >= count } }
}
