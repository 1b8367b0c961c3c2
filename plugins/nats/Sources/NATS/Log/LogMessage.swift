/// A message of a stream, and its place in it.
struct LogMessage: Sendable {
  var sequence: UInt64
  var bytes: [UInt8]
}

/// Where a message that a consumer hands over comes from, as the subject for
/// its acknowledgement tells: `$JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.…`,
/// or with a domain and an account before the stream (NATS ADR-15).
struct LogPlace {
  var consumer: Substring
  var sequence: UInt64

  /// Nil for any other message.
  init?(_ message: NATSMessage) {
    guard let tokens = message.reply?.split(separator: "."), tokens.count >= 9,
      tokens[0] == "$JS", tokens[1] == "ACK"
    else { return nil }
    let start = tokens.count >= 11 ? 5 : 3
    guard let sequence = UInt64(tokens[start + 2]) else { return nil }
    (consumer, self.sequence) = (tokens[start], sequence)
  }
}
