import Dispatch
import Synchronization

/// Appends entries to a history file in their order, without holding up who
/// gives them: another process may have the file's lock.
final class HistoryWriter: Sendable {
  private let file: HistoryFile
  private let queue = DispatchQueue(label: "banter.history")
  private let waiting = Mutex<[String]>([])

  /// A writer, the only one in this process, to a file.
  init(_ file: HistoryFile) { self.file = file }

  /// Appends an entry, soon.
  func append(_ entry: String) {
    waiting.withLock { $0.append(entry) }
    queue.async { self.write() }
  }

  /// Returns when everything is in the file, or cannot be.
  func finish() { queue.sync { write() } }

  /// What waits goes under one lock: waiting for it is done once.
  private func write() {
    let entries = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    if !entries.isEmpty { file.append(entries) }
  }
}
