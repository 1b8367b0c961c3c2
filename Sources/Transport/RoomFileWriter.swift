internal import Executors
internal import ChatModel
internal import Dispatch

/// Appends events to a room file. Runs on a queue of its own; what is sent
/// while a sync is under way goes together in the next one.
actor RoomFileWriter {
  /// How much goes to the disk at once, about.
  private static let commitBytes = 8 * 1024 * 1024

  private struct Waiting {
    var events: [OutgoingEvent]
    var continuation: CheckedContinuation<[Receipt], Never>
  }

  private let executor = QueueExecutor(label: "banter.room.writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let path: String
  private let appender: RoomAppender
  private var waiting: [Waiting] = []
  private var recent = RecentValues<Cursor>()
  private var isClosed = false
  /// How often lines were written and synced so far.
  private(set) var commitCount = 0

  init(path: String, isOwn: Bool, patience: Duration) {
    self.path = path
    appender = RoomAppender(path: path, isOwn: isOwn, patience: patience)
  }

  /// See ``Transport/send(_:)``.
  func send(_ events: [OutgoingEvent]) async -> [Receipt] {
    guard !isClosed else {
      let error = TransportError(.closed, path: path, reason: "the room was closed")
      return events.map { _ in .failed(error) }
    }
    return await withCheckedContinuation { continuation in
      waiting.append(Waiting(events: events, continuation: continuation))
      guard waiting.count == 1 else { return }
      // Behind the sends that are on the queue by now: they come along.
      executor.queue.async { self.assumeIsolated { $0.commit() } }
    }
  }

  /// Refuses what is sent from now on.
  func close() {
    isClosed = true
  }

  private func commit() {
    let round = waiting
    waiting = []
    var receipts = receipts(for: round.flatMap(\.events))[...]
    for sender in round {
      sender.continuation.resume(returning: Array(receipts.prefix(sender.events.count)))
      receipts = receipts.dropFirst(sender.events.count)
    }
  }

  private func receipts(for events: [OutgoingEvent]) -> [Receipt] {
    var receipts: [Receipt?] = []
    var lines: [(index: Int, line: OutgoingLine)] = []
    var bytes = 0
    // Once one chunk has failed, the later ones must not overtake it.
    var failure: TransportError?
    for outgoing in events {
      if let cursor = recent[outgoing.event.id] {
        receipts.append(.sent(cursor, duplicate: true))
        continue
      }
      receipts.append(nil)
      do throws(TransportError) {
        let line = try OutgoingLine(outgoing, path: path)
        lines.append((receipts.count - 1, line))
        bytes += line.bytes.count
      } catch {
        receipts[receipts.count - 1] = .failed(error)
      }
      guard bytes >= Self.commitBytes else { continue }
      append(lines, failure: &failure, receipts: &receipts)
      (lines, bytes) = ([], 0)
    }
    append(lines, failure: &failure, receipts: &receipts)
    return receipts.compactMap { $0 }
  }

  private func append(
    _ lines: [(index: Int, line: OutgoingLine)], failure: inout TransportError?,
    receipts: inout [Receipt?]
  ) {
    guard !lines.isEmpty else { return }
    do throws(TransportError) {
      if let failure { throw failure }
      commitCount += 1
      let places = try appender.append(lines.map(\.line))
      for ((index, line), place) in zip(lines, places) {
        receipts[index] = .sent(place.cursor, duplicate: place.isDuplicate)
        recent.remember(line.id, place.cursor)
      }
    } catch {
      failure = error
      for (index, _) in lines { receipts[index] = .failed(error) }
    }
  }
}
