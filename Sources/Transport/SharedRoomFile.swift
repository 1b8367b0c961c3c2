package import Dispatch
internal import Glibc

/// A room file as one sees it who shares it with many: what others append is
/// news, and so is what is appended here, once, in the order of the file.
///
/// Nothing here waits for anybody: where another program has the lock, or
/// there is more news than one turn takes, appending says so. The sync comes
/// afterwards, on another queue.
///
/// Not Sendable: it stays on the queue that it was made for.
package final class SharedRoomFile {
  /// What became of lines that were to be appended.
  package enum Outcome {
    /// They are in the file, not yet synced. `news` is what came before them;
    /// `isTold` says whether they are themselves in later news.
    case appended([RoomAppender.Place], news: [RoomUpdate], isTold: Bool)
    /// Somebody has the lock; try again soon.
    case busy(news: [RoomUpdate])
    case failed(TransportError, news: [RoomUpdate])
  }

  package let path: String
  private let queue: DispatchQueue
  private let follower: FileFollower
  private let appender: RoomAppender
  private let syncQueue: DispatchQueue
  /// The file that was appended to last.
  private var syncer: FileSync?
  /// Whether a change was told that has not been looked at.
  private var mayHaveNews = true
  /// What was appended since the last sync; to more than one file where the
  /// room was replaced meanwhile.
  private var unsynced: [(file: FileSync, range: Range<Int64>)] = []

  /// Opens the room, which comes into being with the first event.
  /// - Parameters:
  ///   - isOwn: whether its name is Banter's own; one that somebody has written
  ///     has to be a room, in a folder that is there.
  ///   - onChange: called on the queue when there may be news; hand it to
  ///     ``changed(names:)``.
  package init(
    path: String, isOwn: Bool, queue: DispatchQueue,
    onChange: @escaping @Sendable (_ names: Bool) -> Void
  ) throws(TransportError) {
    self.path = path
    self.queue = queue
    syncQueue = DispatchQueue(label: "banter.room.sync")
    appender = RoomAppender(path: path, isOwn: isOwn, patience: .zero)
    follower = try FileFollower(
      path: path, tail: 0, method: .automatic, queue: queue, onChange: onChange)
  }

  /// The place up to which everything has been told.
  package var position: Cursor { place.cursor }

  private var place: FileCursor { follower.current?.position ?? .start }

  /// How much is searched for a repeat while everybody waits.
  private static let nearBytes: Int64 = 1 << 20

  /// Whether to look for what was first sent there takes long, see
  /// ``RepeatLookup``.
  package func isFarBack(_ since: Cursor) -> Bool {
    place.offset - (FileCursor(since)?.offset ?? 0) > Self.nearBytes
  }

  package func changed(names: Bool) {
    mayHaveNews = true
    follower.changed(names: names)
  }

  /// What others have appended, one turn's worth, and whether there is more.
  package func news() -> (updates: [RoomUpdate], more: Bool) {
    var batch = UpdateBatch()
    let more = follower.look(into: &batch)
    mayHaveNews = more
    return (batch.finish(), more)
  }

  /// Appends lines in their order, after whatever others have appended.
  package func append(_ lines: [OutgoingLine]) -> Outcome {
    var batch = UpdateBatch()
    do throws(TransportError) {
      let block = try appender.append(lines) { size in
        // Where nothing was told of a change and nothing was added, there is
        // nothing to look for.
        let isQuiet = !mayHaveNews && follower.isAtEnd(of: size)
        if !isQuiet, follower.look(into: &batch) { return (false, nil) }
        mayHaveNews = false
        return (true, follower.isAtEnd(of: size) ? place : nil)
      }
      guard let block else { return .busy(news: batch.finish()) }
      noteUnsynced(block)
      follower.watch.rest()
      // A file that is new, or a torn line before it, is read as others' is.
      let isSkipped =
        block.range.isEmpty
        || follower.current?.skip(from: block.range.lowerBound, to: block.end) == true
      return .appended(block.places, news: batch.finish(), isTold: !isSkipped)
    } catch {
      let news = batch.finish()
      return error.code == .busy ? .busy(news: news) : .failed(error, news: news)
    }
  }

  private func noteUnsynced(_ block: RoomAppender.Block) {
    var file = syncer
    if file?.identity != block.file.identity || file?.isUsable == false {
      file = FileSync(block.file)
    }
    guard let file else { return }
    syncer = file
    if let last = unsynced.last, last.file === file {
      let start = min(last.range.lowerBound, block.range.lowerBound)
      let end = max(last.range.upperBound, block.range.upperBound)
      unsynced[unsynced.count - 1].range = start..<end
    } else {
      unsynced.append((file, block.range))
    }
  }

  /// Puts what was appended so far on the disk, fdatasync(2), on another queue.
  /// - Parameter completion: called on the room's queue. After an error the
  ///   next sync writes anew what this one left in doubt.
  package func sync(_ completion: @escaping @Sendable (TransportError?) -> Void) {
    var due = unsynced
    unsynced = []
    if due.isEmpty, let syncer, syncer.isInDoubt { due = [(syncer, 0..<0)] }
    guard !due.isEmpty else { return completion(nil) }
    syncQueue.async { [queue, due] in
      var failure: TransportError?
      for (file, range) in due { failure = file.sync(range) ?? failure }
      queue.async { [failure] in completion(failure) }
    }
  }

  // MARK: - Reading back

  /// Whether there is a file.
  package var isThere: Bool {
    get throws(TransportError) { try FileStatus(ofPath: path) != nil }
  }

  /// Reads the room from a place on; nil when the place is not in the file.
  package func reader(after cursor: Cursor) throws(TransportError) -> RoomReader? {
    guard let place = FileCursor(cursor) else { return nil }
    guard try isThere else { return place == .start ? RoomReader(path) : nil }
    let file = try Descriptor.openFile(path, O_RDONLY)
    guard try place.matches(file) else { return nil }
    return RoomReader(path, try FollowedFile(file, from: place.offset))
  }

  /// Reads the room from its last `tail` messages on.
  package func reader(tail: Int) throws(TransportError) -> RoomReader {
    guard try isThere else { return RoomReader(path) }
    let file = try Descriptor.openFile(path, O_RDONLY)
    let count = min(tail, Self.maximumTail)
    let start = try BackwardScan.startOfLast(
      count, before: place.offset, in: file,
      within: BackwardScan.Bounds(lines: max(count * 64, 4096), bytes: Self.maximumTailBytes))
    return RoomReader(path, try FollowedFile(file, from: start))
  }

  /// What one who joins may ask for: more is history.
  private static let maximumTail = 10_000
  private static let maximumTailBytes: Int64 = 16 << 20

  /// See ``Transport/history(before:limit:)``.
  package func history(
    before cursor: Cursor?, limit: Int
  ) throws(TransportError) -> HistoryPage {
    // About what one line of the protocol takes.
    try FileHistory.page(
      of: path, before: cursor, limit: limit, maximumBytes: Int64(LineProtocol.pageBytes))
  }
}

/// Reads a room's events from a place on, a part at a time, for one who is
/// behind the others.
package final class RoomReader {
  /// What a look at the file brings.
  package enum Step {
    /// At most as many as ``Transport/next()`` tells at once.
    case events([RoomEvent])
    /// Nothing that is an event, and there may be more.
    case more
    /// Nothing, for now.
    case end
    /// The file does not go on from there: it was truncated or written over,
    /// or cannot be read.
    case void
  }

  private let path: String
  /// Nil until there is one.
  private var file: FollowedFile?

  fileprivate init(_ path: String, _ file: FollowedFile? = nil) {
    self.path = path
    self.file = file
  }

  /// Whether it has less before it than another one of the same file.
  package func isBefore(_ other: RoomReader) -> Bool {
    (file?.position.offset ?? 0) < (other.file?.position.offset ?? 0)
  }

  /// The place behind what was read.
  package var position: Cursor { (file?.position ?? .start).cursor }

  /// Whether the path names another file than the one that is read.
  package var isReplaced: Bool {
    guard let file, let named = try? FileStatus(ofPath: path) else { return false }
    return named.identity != file.identity
  }

  package func next() -> Step {
    (try? look()) ?? .void
  }

  private func look() throws(TransportError) -> Step {
    if file == nil, try FileStatus(ofPath: path) != nil {
      file = try FollowedFile(try Descriptor.openFile(path, O_RDONLY), from: 0)
    }
    guard let file else { return .end }
    guard try file.isUnchanged() else { return .void }
    var batch = UpdateBatch()
    let hasMore = try file.read(into: &batch)
    let events = batch.finish().flatMap { update -> [RoomEvent] in
      guard case .events(let events) = update else { return [] }
      return events
    }
    return events.isEmpty ? hasMore ? .more : .end : .events(events)
  }
}

extension FollowedFile {
  fileprivate convenience init(
    _ file: consuming Descriptor, from start: Int64
  ) throws(TransportError) {
    let identity = try FileStatus(of: file).identity
    try self.init(file, identity: identity, from: start, replayEnd: nil)
  }
}
