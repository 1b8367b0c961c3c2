internal import Dispatch
internal import Glibc

/// Follows a room file from its last messages on, as it grows, through
/// rotation, truncation and removal: ``look(into:)`` tells what is new.
///
/// Not Sendable: it stays on the queue that it was made for.
final class FileFollower {
  /// What has taken the place of a file is read from its start up to this
  /// size, since a file that was rotated away leaves a young one behind; of a
  /// larger one only the last messages are news.
  static let youngBytes: Int64 = 4 * 1024 * 1024
  /// How long it waits for a writer who still holds a file that was rotated
  /// away.
  static let patience = Duration.seconds(5)

  private let path: String
  private let tail: Int
  private let queue: DispatchQueue
  private let onChange: @Sendable (_ names: Bool) -> Void
  let watch: FileWatch
  private(set) var current: FollowedFile?
  /// Whether there was a file before, whose cursors are void in the next one.
  private var hadFile = false
  private var state: ConnectionState?
  private var rotatedSince: ContinuousClock.Instant?
  /// The next look that nobody else asks for.
  private var pendingWake: DispatchWorkItem?
  /// How often it has looked at the file so far.
  private(set) var lookCount = 0

  /// Opens the file, if it is there, at its last `tail` messages.
  /// - Parameter onChange: called on the queue when it is time to look;
  ///   ``changed(names:)`` is to be told first.
  init(
    path: String, tail: Int, method: FileWatch.Method, queue: DispatchQueue,
    onChange: @escaping @Sendable (_ names: Bool) -> Void
  ) throws(TransportError) {
    (self.path, self.tail, self.queue, self.onChange) = (path, tail, queue, onChange)
    // Watched before it is opened, so that nothing falls in between.
    watch = FileWatch(path: path, method: method, queue: queue, onChange: onChange)
    current = try open { size in (tail: true, replayEnd: size) }
  }

  deinit {
    pendingWake?.cancel()
  }

  /// Goes by what was told of a change.
  func changed(names: Bool) {
    pendingWake?.cancel()
    pendingWake = nil
    if names { watch.arm() }
  }

  /// Whether everything is read of a file of that size.
  func isAtEnd(of size: Int64) -> Bool {
    guard let current else { return false }
    return current.position.offset == size && current.unfinishedBytes == 0
  }

  /// Whether a file that was rotated away is still held by a writer.
  var isWaitingForWriter: Bool { rotatedSince != nil }

  /// Takes one look at the file; returns whether to look again at once.
  func look(into batch: inout UpdateBatch) -> Bool {
    lookCount += 1
    do throws(TransportError) {
      let hasMore = try follow(into: &batch)
      tell(.online, in: &batch)
      return hasMore
    } catch {
      tell(.offline(reason: error), in: &batch)
      if !watch.isPolling { wakeLater(.seconds(1)) }
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
    watch.arm()
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

  /// Looks once more, in place of whatever look was to come later.
  private func wakeLater(_ delay: DispatchTimeInterval) {
    pendingWake?.cancel()
    let wake = DispatchWorkItem { [onChange] in onChange(false) }
    pendingWake = wake
    queue.asyncAfter(deadline: .now() + delay, execute: wake)
  }
}
