import ChatModel

/// The events as they came, one a line: first a message as it was written,
/// then what was done to it.
///
/// Where several rooms are exported, a field `room` tells them apart, which
/// readers of the event format pass over.
struct JSONLinesWriter: MessageWriter {
  private let showsRooms: Bool

  /// A writer of events.
  init(_ options: ExportOptions) {
    showsRooms = options.showsRooms
  }

  mutating func begin(to buffer: inout [UInt8]) {}

  mutating func append(_ message: ArchivedMessage, to buffer: inout [UInt8]) {
    for event in message.events {
      if showsRooms {
        EventCodec.encode(event, in: message.room, into: &buffer)
      } else {
        EventCodec.encode(event, into: &buffer)
      }
      buffer.write("\n")
    }
  }

  mutating func end(to buffer: inout [UInt8]) {}
}
