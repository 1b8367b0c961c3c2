/// Places in a log.
extension SubjectLog {
  /// Where the last `count` events before a place begin, or the first event
  /// where there are fewer; and what had to be read to know it.
  func tail(_ count: Int, before end: LogPoint) async throws(ClusterFault) -> LogTail {
    guard count > 0 else { return LogTail(start: end) }
    // Few messages hold them where many were sent at once.
    for messageCount in Set([min(count, max(8, count / 16)), count]).sorted() {
      let first = try await start(ofLastMessages: messageCount, before: end.reached + 1)
      let behind = try await reader(from: end.reached + 1).pendingCount
      let all = try await reader(from: first).pendingCount
      let number = Int(clamping: all - min(behind, all))
      // All of them are wanted, whatever they hold.
      if number <= count / LogMessage.maximumEventCount {
        return LogTail(start: .init(sequence: first))
      }
      var tail = LogTail(start: LogPoint(sequence: first))
      try await forEachPage(from: first, count: number) { page in
        tail.append(page, before: end)
        return true
      }
      if tail.cut(to: count) || number < messageCount { return tail }
    }
    return LogTail(start: LogPoint(sequence: 1))
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
