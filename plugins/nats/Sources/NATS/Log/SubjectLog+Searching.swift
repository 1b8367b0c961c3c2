/// Places in a log.
extension SubjectLog {
  /// Where the last `count` events before a place begin, or the first event
  /// where there are fewer.
  func start(ofLast count: Int, before end: LogPoint) async throws(ClusterFault) -> LogPoint {
    guard count > 0 else { return end }
    let messageEnd = end.reached + 1
    // Few messages hold them where many were sent at once.
    for messageCount in Set([min(count, max(8, count / 16)), count]).sorted() {
      let first = try await start(ofLastMessages: messageCount, before: messageEnd)
      let counts = try await eventCounts(from: first, to: end, isEnough: count)
      guard let counts else { return LogPoint(sequence: first) }
      var rest = count
      for (sequence, eventCount) in counts.reversed() {
        if eventCount >= rest {
          let isWhole = eventCount == rest
          return LogPoint(sequence: sequence, eventCount: isWhole ? 0 : eventCount - rest)
        }
        rest -= eventCount
      }
      if counts.count < messageCount { return LogPoint(sequence: first) }
    }
    return LogPoint(sequence: 1)
  }

  /// How many events of each message are before a place; nil where there are so
  /// few messages that all of them are wanted anyway.
  private func eventCounts(
    from first: UInt64, to end: LogPoint, isEnough count: Int
  ) async throws(ClusterFault) -> [(sequence: UInt64, eventCount: Int)]? {
    let behind = try await reader(from: end.reached + 1).pendingCount
    let all = try await reader(from: first).pendingCount
    let messageCount = Int(clamping: all - min(behind, all))
    if messageCount <= count / LogMessage.maximumEventCount { return nil }
    var counts: [(sequence: UInt64, eventCount: Int)] = []
    try await forEachPage(from: first, count: messageCount) { page in
      for message in page where message.sequence <= end.reached {
        let isCut = message.sequence == end.sequence && end.eventCount > 0
        counts.append((message.sequence, isCut ? end.eventCount : message.eventCount))
      }
      return true
    }
    return counts
  }

  /// Where the last `count` messages before a place begin, or the first of
  /// them where there are fewer.
  /// - Parameter end: behind the last of them.
  private func start(
    ofLastMessages count: Int, before end: UInt64
  ) async throws(ClusterFault) -> UInt64 {
    guard end > 1 else { return end }
    let behind = try await reader(from: end).pendingCount
    func isEnough(from sequence: UInt64) async throws(ClusterFault) -> Bool {
      try await reader(from: sequence).pendingCount >= behind + UInt64(count)
    }
    // Other rooms' messages lie between, so that the distance has to be found.
    var distance = UInt64(count)
    var tooLate = end
    while distance < end, try await !isEnough(from: end - distance) {
      tooLate = end - distance
      distance *= 4
    }
    var early = distance < end ? end - distance : 1
    while tooLate - early > 1, end - early > UInt64(count) {
      let middle = early + (tooLate - early) / 2
      if try await isEnough(from: middle) { early = middle } else { tooLate = middle }
    }
    return early
  }

  /// Where the events with these ids are, from a message on.
  func places(of ids: Set<String>, from sequence: UInt64) async throws(ClusterFault) -> [String:
    LogPoint]
  {
    var places: [String: LogPoint] = [:]
    try await forEachPage(from: sequence) { page in
      for message in page {
        places.merge(message.places(of: ids)) { first, _ in first }
      }
      return places.count < ids.count
    }
    return places
  }

  /// What is there from one place to another, oldest first.
  func lines(
    from start: LogPoint, atMost count: Int, before end: LogPoint? = nil
  ) async throws(ClusterFault) -> [LogLine] {
    var lines: [LogLine] = []
    try await forEachPage(from: start.sequence, count: count) { page in
      for message in page {
        let first = message.sequence == start.sequence ? start.eventCount : 0
        message.forEachLine(from: first) { line, place in
          guard lines.count < count, end.map({ place <= $0 }) ?? true else { return }
          let previous = lines.last?.end ?? start
          lines.append(LogLine(start: previous, end: place, bytes: Array(line)))
        }
      }
      return lines.count < count && end.map { page.last?.sequence ?? 0 < $0.reached } ?? true
    }
    return lines
  }
}

/// One event of a log, and where it is.
struct LogLine: Sendable {
  var start: LogPoint
  var end: LogPoint
  var bytes: [UInt8]
}
