internal import ChatModel
internal import Transport

/// A place in a room: just behind a message of the stream. A stream that is
/// made anew has other places.
struct LogCursor: Equatable {
  /// When the stream was made, in milliseconds since 1970.
  var stream: Int64
  var sequence: UInt64

  init(stream: Int64, sequence: UInt64) {
    (self.stream, self.sequence) = (stream, sequence)
  }

  /// Nil for what is no cursor of this plugin's.
  init?(_ cursor: Cursor) {
    let parts = cursor.value.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let stream = Int64(parts[0], radix: 36),
      let sequence = UInt64(parts[1]), sequence <= LogPlace.maximumSequence
    else { return nil }
    self.init(stream: stream, sequence: sequence)
  }

  var cursor: Cursor { Cursor(value: "\(String(stream, radix: 36)).\(sequence)") }
}
