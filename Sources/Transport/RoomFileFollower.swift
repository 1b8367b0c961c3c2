internal import Dispatch
internal import Executors

/// Reads a room file as it grows, for one who waits for news. Runs on a queue
/// of its own.
actor RoomFileFollower {
  private let executor = QueueExecutor(label: "banter.room.reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let method: FileWatch.Method
  private var follower: FileFollower?
  private var waiter: CheckedContinuation<Void, Never>?
  private var isClosed = false

  init(path: String, method: FileWatch.Method) {
    self.path = path
    self.method = method
  }

  func join(tail: Int) throws(TransportError) {
    precondition(follower == nil, "a room is joined once")
    follower = try FileFollower(
      path: path, tail: tail, method: method, queue: executor.queue
    ) { [weak self] names in
      self?.assumeIsolated { $0.changed(names: names) }
    }
  }

  /// See ``Transport/next()``.
  func next() async -> [RoomUpdate]? {
    precondition(waiter == nil, "one task reads a room")
    while !isClosed, !Task.isCancelled {
      var batch = UpdateBatch()
      let hasMore = follower?.look(into: &batch) ?? false
      if !batch.isEmpty { return batch.finish() }
      if hasMore { await Task.yield() } else { await change() }
    }
    return nil
  }

  /// See ``Transport/history(before:limit:)``.
  func history(before cursor: Cursor?, limit: Int) throws(TransportError) -> HistoryPage {
    try FileHistory.page(of: path, before: cursor, limit: limit)
  }

  func close() {
    isClosed = true
    follower = nil
    wake()
  }

  /// How much of a last line that is not finished has been read.
  var unfinishedBytes: Int64 { follower?.current?.unfinishedBytes ?? 0 }

  /// How often it has looked at the file so far.
  var lookCount: Int { follower?.lookCount ?? 0 }

  /// Whether a file that was rotated away is still held by a writer.
  var isWaitingForWriter: Bool { follower?.isWaitingForWriter ?? false }

  private func change() async {
    let queue = executor.queue
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter = $0 }
    } onCancel: {
      queue.async { self.assumeIsolated { $0.wake() } }
    }
  }

  private func changed(names: Bool) {
    follower?.changed(names: names)
    wake()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
