/// The event format: one JSON object (RFC 8259) on one line of UTF-8.
///
/// It is the same in a room file, over a socket, on a plugin's pipe, in
/// `--json` output and in an export. Unknown fields and types are passed over.
///
/// It takes what RFC 8259 allows, and beyond that, since a room should not
/// lose a message to somebody else's bad encoder, a byte order mark, bytes that
/// are not UTF-8 and halves of surrogate pairs: of each of these becomes U+FFFD
/// what is no text. Where a name stands twice, its last value counts. Whole
/// numbers are ids as they are written, however large; `1.0` and `1e5` are
/// none. A NUL is a character like others when it is escaped, and an error
/// when it is not.
package enum EventCodec {
  /// What an event may be long at most, without its newline.
  package static let maximumEventBytes = 512 * 1024

  /// Reads one line.
  /// - Returns: nil when it is a well-formed event of an unknown type.
  /// - Throws: what is wrong with it, and where.
  package static func decode(
    _ line: UnsafeRawBufferPointer
  ) throws(EventCodingError) -> Event? {
    var fields = EventFields(JSONScanner(line))
    try fields.scan()
    try fields.expectEnd()
    return try fields.event()
  }

  /// Reads what the beginning of an event that was too large tells.
  /// - Returns: a message that says that it is truncated; nil when what was
  ///   kept is not the beginning of JSON, or does not make one: its ids must
  ///   be whole, and its content begun.
  package static func decodeBeginning(_ bytes: UnsafeRawBufferPointer) -> Event? {
    var fields = EventFields(JSONScanner(bytes))
    guard fields.scanBeginning(), case .message(var message)? = try? fields.event() else {
      return nil
    }
    message.isTruncated = true
    // What the end cut in two: a character, or a pair of escapes for one.
    while message.content?.unicodeScalars.last == "\u{fffd}" {
      message.content?.unicodeScalars.removeLast()
    }
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
