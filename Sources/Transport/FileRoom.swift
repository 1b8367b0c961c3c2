internal import ChatModel

/// A room that is a file: one event a line, appended by any number of
/// processes. It reads and writes on two queues, so that neither waits for the
/// other.
package actor FileRoom: Transport {
  package nonisolated let capabilities = Capabilities(
    history: .full, order: .total, removesDuplicates: true,
    maximumEventBytes: EventCodec.maximumEventBytes)

  package nonisolated let files: (any RoomFileStore)?
  private let path: String
  private let isOwn: Bool
  private let reader: RoomFileFollower
  private let writer: RoomFileWriter

  /// The room in the file at `path`, which is opened on joining and made on
  /// sending.
  ///
  /// - Parameter isOwn: whether the path is one of Banter's own, so that the
  ///   folders above it are made as well. False for one that the user typed:
  ///   a folder that is missing is then a slip of the pen, and so is a file
  ///   that holds something else than a room. Nothing is sent to it.
  package init(path: String, isOwn: Bool = true) {
    self.init(path: path, isOwn: isOwn, watching: .automatic)
  }

  /// The same, with a choice of how the file is watched and how long another
  /// program's lock is waited for.
  init(
    path: String, isOwn: Bool = true, watching method: FileWatch.Method,
    patience: Duration = .seconds(5)
  ) {
    self.path = path
    self.isOwn = isOwn
    files = RoomFiles(room: path)
    reader = RoomFileFollower(path: path, method: method)
    writer = RoomFileWriter(path: path, isOwn: isOwn, patience: patience)
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
    if !isOwn { try WritableFile.requireFolder(of: path) }
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
