internal import Executors
internal import Dispatch
internal import Glibc

/// Reads a room file from its last messages on, as it grows, through rotation,
/// truncation and removal. Runs on a queue of its own.
actor RoomFileFollower {
  /// What has taken the place of a file is read from its start up to this
  /// size, since a file that was rotated away leaves a young one behind; of a
  /// larger one only the last messages are news.
  static let youngBytes: Int64 = 4 * 1024 * 1024
  /// How long it waits for a writer who still holds a file that was rotated
  /// away.
  static let patience = Duration.seconds(5)

  private let executor = QueueExecutor(label: "banter.room.reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let method: FileWatch.Method
  private var watch: FileWatch?
  private var current: FollowedFile?
  private var tail = 0
  /// Whether there was a file before, whose cursors are void in the next one.
  private var hadFile = false
  private var state: ConnectionState?
  private var rotatedSince: ContinuousClock.Instant?
  private var waiter: CheckedContinuation<Void, Never>?
  /// The next look that nobody else asks for.
  private var pendingWake: DispatchWorkItem?
  private var isClosed = false
  /// How often it has looked at the file so far.
  private(set) var lookCount = 0

  init(path: String, method: FileWatch.Method) {
    self.path = path
    self.method = method
  }

  func join(tail: Int) throws(TransportError) {
    precondition(watch == nil, "a room is joined once")
    self.tail = tail
    // Watched before it is opened, so that nothing falls in between.
    watch = FileWatch(path: path, method: method, queue: executor.queue) { [weak self] names in
      self?.assumeIsolated { $0.changed(names: names) }
    }
    current = try open { size in (tail: true, replayEnd: size) }
  }

  /// See ``Transport/next()``.
  func next() async -> [RoomUpdate]? {
    precondition(waiter == nil, "one task reads a room")
    while !isClosed, !Task.isCancelled {
      var batch = UpdateBatch()
      let hasMore = look(into: &batch)
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
    watch = nil
    current = nil
    wake()
  }

  /// How much of a last line that is not finished has been read.
  var unfinishedBytes: Int64 { current?.unfinishedBytes ?? 0 }

  /// Whether a file that was rotated away is still held by a writer.
  var isWaitingForWriter: Bool { rotatedSince != nil }

  // MARK: Looking

  /// Takes one look at the file; returns whether to look again at once.
  private func look(into batch: inout UpdateBatch) -> Bool {
    lookCount += 1
    do throws(TransportError) {
      let hasMore = try follow(into: &batch)
      tell(.online, in: &batch)
      return hasMore
    } catch {
      tell(.offline(reason: error), in: &batch)
      if watch?.isPolling != true { wakeLater(.seconds(1)) }
      return false
    }
  }

  private func follow(into batch: inout UpdateBatch) throws(TransportError) -> Bool {
    guard let file = current else { return try begin(into: &batch) }
    // First the path, then the file: what is appended in between is not lost.
    let named = try FileStatus(ofPath: path)
    guard try file.isUnchanged() else {
      current = nil
      return true
    }
    if try file.read(into: &batch) { return true }
    guard let named, named.identity != file.identity else {
      rotatedSince = nil
      return false
    }
    return try leave(file, into: &batch)
  }

  /// Goes on with what the path names now, if anything.
  private func begin(into batch: inout UpdateBatch) throws(TransportError) -> Bool {
    let isFirst = !hadFile
    guard
      let file = try open({ size in
        size > Self.youngBytes ? (tail: true, replayEnd: size) : (tail: false, replayEnd: nil)
      })
    else {
      if state == nil { batch.add(.live(FileCursor.start.cursor)) }
      return false
    }
    if !isFirst { batch.add(.reset) }
    current = file
    watch?.arm()
    return true
  }

  /// Finishes a file that was rotated away.
  private func leave(
    _ file: FollowedFile, into batch: inout UpdateBatch
  ) throws(TransportError) -> Bool {
    let since = rotatedSince ?? .now
    rotatedSince = since
    guard file.isLetGo() || ContinuousClock.now - since > Self.patience else {
      wakeLater(.milliseconds(50))
      return false
    }
    // Once more: a writer may have been in the middle the first time.
    if try file.read(into: &batch) { return true }
    try file.finish(into: &batch)
    rotatedSince = nil
    current = nil
    return true
  }

  /// Opens what the path names; nil when that is nothing.
  private func open(
    _ plan: (_ size: Int64) -> (tail: Bool, replayEnd: Int64?)
  ) throws(TransportError) -> FollowedFile? {
    guard try FileStatus(ofPath: path) != nil else { return nil }
    let file = try Descriptor.openFile(path, O_RDONLY)
    let status = try FileStatus(of: file)
    let (fromTail, replayEnd) = plan(status.sizeInBytes)
    let bounds = BackwardScan.Bounds(lines: max(min(tail, 1 << 40) * 64, 65536))
    let start =
      try fromTail
      ? BackwardScan.startOfLast(tail, before: status.sizeInBytes, in: file, within: bounds) : 0
    hadFile = true
    return try FollowedFile(file, identity: status.identity, from: start, replayEnd: replayEnd)
  }

  private func tell(_ state: ConnectionState, in batch: inout UpdateBatch) {
    guard state != self.state else { return }
    self.state = state
    if state == .online { batch.begin(with: .state(state)) } else { batch.add(.state(state)) }
  }

  // MARK: Waiting

  private func change() async {
    let queue = executor.queue
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter = $0 }
    } onCancel: {
      queue.async { self.assumeIsolated { $0.wake() } }
    }
  }

  private func changed(names: Bool) {
    if names { watch?.arm() }
    wake()
  }

  private func wake() {
    pendingWake?.cancel()
    pendingWake = nil
    waiter?.resume()
    waiter = nil
  }

  /// Wakes it once, in place of whatever it was to be woken by later.
  private func wakeLater(_ delay: DispatchTimeInterval) {
    pendingWake?.cancel()
    let wake = DispatchWorkItem { [weak self] in self?.assumeIsolated { $0.wake() } }
    pendingWake = wake
    executor.queue.asyncAfter(deadline: .now() + delay, execute: wake)
  }
}
