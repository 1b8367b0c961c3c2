/// The end of a log.
struct LogTail: Sendable {
  /// Where it begins.
  var start: LogPoint
  /// All its messages, oldest first, the first from its beginning on; none
  /// where they are too much to keep.
  private(set) var messages: [LogMessage] = []
  private var counts: [(sequence: UInt64, eventCount: Int)] = []
  private var byteCount = 0

  private static let maximumBytes = 64 * 1024 * 1024

  init(start: LogPoint) { self.start = start }

  /// Adds those messages that begin before a place.
  mutating func append(_ page: [LogMessage], before end: LogPoint) {
    for message in page where message.sequence <= end.reached {
      let isCut = message.sequence == end.sequence && end.eventCount > 0
      counts.append((message.sequence, isCut ? end.eventCount : message.eventCount))
      byteCount += message.bytes.count
      if byteCount <= Self.maximumBytes { messages.append(message) } else { messages = [] }
    }
  }

  /// Lets go of what is before the last `count` events.
  /// - Returns: false where there are fewer.
  mutating func cut(to count: Int) -> Bool {
    var rest = count
    for (index, place) in counts.enumerated().reversed() {
      guard place.eventCount < rest else {
        start = LogPoint(sequence: place.sequence, eventCount: place.eventCount - rest)
        messages = Array(messages.dropFirst(index))
        return true
      }
      rest -= place.eventCount
    }
    return false
  }
}

/// One event of a log, and where it is.
struct LogLine: Sendable {
  var start: LogPoint
  var end: LogPoint
  var bytes: [UInt8]
}
