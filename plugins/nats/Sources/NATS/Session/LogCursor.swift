internal import ChatModel
internal import Transport

/// A place in a room. A stream that is made anew has other places.
struct LogCursor: Equatable {
  /// When the stream was made, in milliseconds since 1970.
  var stream: Int64
  var point: LogPoint

  init(stream: Int64, point: LogPoint) {
    (self.stream, self.point) = (stream, point)
  }

  /// Nil for what is no cursor of this plugin's.
  init?(_ cursor: Cursor) {
    let parts = cursor.value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let stream = Int64(parts[0], radix: 36),
      let sequence = UInt64(parts[1]), sequence <= LogPlace.maximumSequence
    else { return nil }
    guard parts.count == 3 else {
      self.init(stream: stream, point: .behind(sequence))
      return
    }
    guard let count = Int(parts[2]), count > 0 else { return nil }
    self.init(stream: stream, point: LogPoint(sequence: sequence, eventCount: count))
  }

  /// The last message that was passed, and how many of its events where not all
  /// were.
  var cursor: Cursor {
    let place = "\(String(stream, radix: 36)).\(point.reached)"
    return Cursor(value: point.eventCount > 0 ? "\(place).\(point.eventCount)" : place)
  }
}
