internal import ChatModel
internal import Transport

/// An event that waits to be in the log.
struct Outgoing {
  let ref: String
  let event: Event
  /// Where it was sent first, when it may be there already and was not looked
  /// for yet.
  var since: LogCursor?
  /// The event as a line, without a newline.
  let line: [UInt8]

  init(_ ref: String, _ request: SendRequest) {
    (self.ref, event) = (ref, request.event)
    since = request.since.flatMap(LogCursor.init)
    var line: [UInt8] = []
    EventCodec.encode(event, into: &line)
    self.line = line
  }

  /// Its id as a header's value, in which no line ends.
  var messageID: String { Subjects.token(event.id) }
}

extension [Outgoing] {
  /// What goes into the next message of the log: as many of the first as it
  /// holds, one at least, each event once.
  func nextMessage(limitInBytes limit: Int) -> [Outgoing] {
    var (message, ids, byteCount): ([Outgoing], Set<String>, Int) = ([], [], 0)
    for outgoing in self where ids.insert(outgoing.event.id).inserted {
      byteCount += outgoing.line.count + (message.isEmpty ? 0 : 1)
      let isFull = byteCount > limit || message.count == LogMessage.maximumEventCount
      guard message.isEmpty || !isFull else { break }
      message.append(outgoing)
    }
    return message
  }
}
