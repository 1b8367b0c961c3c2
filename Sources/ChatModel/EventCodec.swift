/// The event format: one JSON object (RFC 8259) on one line of UTF-8.
///
/// It is the same in a room file, over a socket, on a plugin's pipe, in
/// `--json` output and in an export. Unknown fields and types are passed over.
package enum EventCodec {
  /// What an event may be long at most, without its newline.
  package static let maximumEventBytes = 512 * 1024

  /// Reads one line.
  /// - Returns: nil when it is a well-formed event of an unknown type.
  /// - Throws: what is wrong with it, and where.
  package static func decode(
    _ line: UnsafeRawBufferPointer
  ) throws(EventCodingError) -> Event? {
    var fields = EventFields(line)
    try fields.scan()
    return try fields.event()
  }

  /// Reads what the beginning of an event that was too large tells.
  /// - Returns: a message that says that it is truncated; nil when what was
  ///   kept does not make one.
  package static func decodeBeginning(_ bytes: UnsafeRawBufferPointer) -> Event? {
    var fields = EventFields(bytes, isCutOff: true)
    try? fields.scan()
    guard case .message(var message)? = try? fields.event() else { return nil }
    message.isTruncated = true
    return .message(message)
  }

  /// The same for text; for tests and small inputs.
  package static func decode(_ line: String) throws(EventCodingError) -> Event? {
    var line = line
    let result = line.withUTF8 { bytes in
      Result { () throws(EventCodingError) in try decode(UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
  }
}

/// Why a line is no event.
package struct EventCodingError: Error, Equatable, CustomStringConvertible {
  package var reason: String
  /// Counted from the beginning of the line.
  package var byteOffset: Int

  package var description: String { "\(reason) (at byte \(byteOffset + 1) of the line)" }
}
