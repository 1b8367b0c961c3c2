internal import ChatModel

/// A line on its way into a room file.
package struct OutgoingLine: Sendable {
  package var id: String
  /// The event, encoded, without a newline.
  package var bytes: [UInt8]
  /// Where to begin to look whether the file has it already, if it may.
  package var since: Cursor?

  /// - Parameter path: the room's file, for the error.
  /// - Throws: why the event cannot be in a room file.
  package init(_ outgoing: OutgoingEvent, path: String) throws(TransportError) {
    if case .presence = outgoing.event {
      throw TransportError(
        .invalid, path: path, reason: "who is there is not kept in a room file")
    }
    if let fault = EventCodec.fault(inIDsOf: outgoing.event) {
      throw TransportError(.tooLarge, path: path, reason: "\(fault); give it a shorter one")
    }
    id = outgoing.event.id
    since = outgoing.since
    bytes = []
    EventCodec.encode(outgoing.event, into: &bytes)
    guard bytes.count <= EventCodec.maximumEventBytes else {
      throw TransportError(
        .tooLarge, path: path,
        reason: "the message takes \(bytes.count) bytes and a room takes "
          + "\(EventCodec.maximumEventBytes); send it in parts, or as a file with /attach")
    }
  }
}
