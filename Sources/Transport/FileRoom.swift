internal import ChatModel

/// A room that is a file: one event a line, appended by any number of
/// processes. It reads and writes on two queues, so that neither waits for the
/// other.
package actor FileRoom: Transport {
  package nonisolated let capabilities = Capabilities(
    history: .full, order: .total, removesDuplicates: true,
    maximumEventBytes: EventCodec.maximumEventBytes)

  package nonisolated let files: RoomFiles?
  private let reader: RoomFileFollower
  private let writer: RoomFileWriter

  /// The room in the file at `path`, which is opened on joining and made on
  /// sending, with the folders above it.
  package init(path: String) {
    self.init(path: path, watching: .automatic)
  }

  /// The same, with a choice of how the file is watched and how long another
  /// program's lock is waited for.
  init(path: String, watching method: FileWatch.Method, patience: Duration = .seconds(5)) {
    files = RoomFiles(room: path)
    reader = RoomFileFollower(path: path, method: method)
    writer = RoomFileWriter(path: path, patience: patience)
  }

  /// How often lines were written and synced so far.
  var commitCount: Int {
    get async { await writer.commitCount }
  }

  /// How much of a last line that is not finished has been read.
  var unfinishedBytes: Int64 {
    get async { await reader.unfinishedBytes }
  }

  /// How often the file was looked at so far.
  var lookCount: Int {
    get async { await reader.lookCount }
  }

  /// Whether a file that was rotated away is still held by a writer.
  var isWaitingForWriter: Bool {
    get async { await reader.isWaitingForWriter }
  }

  package func join(tail: Int) async throws(TransportError) {
    try await reader.join(tail: tail)
  }

  package func next() async -> [RoomUpdate]? {
    await reader.next()
  }

  package func send(_ events: [OutgoingEvent]) async -> [Receipt] {
    await writer.send(events)
  }

  package func history(
    before cursor: Cursor?, limit: Int
  ) async throws(TransportError) -> HistoryPage {
    try await reader.history(before: cursor, limit: limit)
  }

  package func close() async {
    await reader.close()
    await writer.close()
  }
}
