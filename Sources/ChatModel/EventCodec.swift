/// The event format: one JSON object (RFC 8259) on one line of UTF-8.
///
/// It is the same in a room file, over a socket, on a plugin's pipe, in
/// `--json` output and in an export. Unknown fields and types are passed over.
///
/// It takes what RFC 8259 allows, 512 objects and lists within each other at
/// most. Beyond that, since a room should not lose a message to somebody's bad
/// encoder, it takes a byte order mark at the beginning, and puts U+FFFD where
/// bytes are not UTF-8 and where half of a surrogate pair stands alone. Where
/// the RFC leaves the choice:
///
/// - of a name that stands twice, the last value counts, as in JavaScript,
///   Python, Go and `jq` (Foundation's `JSONDecoder` takes the first);
/// - whole numbers are ids as they are written, however large, also `-0`; but
///   `1.0` and `1e5` are none;
/// - NUL is a character like others when it is escaped, and an error when not.
package enum EventCodec {
  /// What an event may be long at most, without its newline.
  package static let maximumEventBytes = 512 * 1024

  /// What an id may be long at most, in UTF-8: ids are kept in many places,
  /// by the thousand.
  package static let maximumIDBytes = 1024

  /// How many images a message has at most, and how many files: of one with
  /// more, the first are read, and it counts as truncated.
  package static let maximumAttachments = 256

  /// How many parts of a message may look different; of more, the first count.
  package static let maximumStyles = 256

  /// Reads one line.
  /// - Parameter author: the id of the profile that wrote it, where that is
  ///   known; `profileID` may then be missing and counts for nothing.
  /// - Returns: nil when it is a well-formed event of an unknown type.
  /// - Throws: what is wrong with it, and where.
  package static func decode(
    _ line: UnsafeRawBufferPointer, by author: String? = nil
  ) throws(EventCodingError) -> Event? {
    var fields = EventFields(JSONScanner(line))
    fields.knownAuthor = author
    try fields.scan()
    try fields.expectEnd()
    return try fields.event()
  }

  /// Whether a line is a message, which costs less than to read it: what its
  /// fields hold is not looked at.
  package static func isMessage(_ line: UnsafeRawBufferPointer) -> Bool {
    var fields = EventFields(JSONScanner(line))
    guard (try? fields.scan()) != nil, (try? fields.expectEnd()) != nil else { return false }
    return fields.isMessage
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

  /// Which id of an event is longer than a reader takes, as a clause; nil when
  /// all of them fit.
  package static func fault(inIDsOf event: Event) -> String? {
    let ids: [(EventField, String?)] =
      switch event {
      case .message(let message):
        [
          (.messageID, message.id), (.profileID, message.profileID), (.replyTo, message.replyTo),
        ]
      case .edit(let edit):
        [
          (.eventID, edit.eventID), (.messageID, edit.messageID), (.profileID, edit.profileID),
        ]
      case .deletion(let deletion):
        [
          (.eventID, deletion.eventID), (.messageID, deletion.messageID),
          (.profileID, deletion.profileID),
        ]
      case .reaction(let reaction):
        [
          (.eventID, reaction.eventID), (.messageID, reaction.messageID),
          (.profileID, reaction.profileID),
        ]
      case .profile(let change): [(.eventID, change.eventID), (.profileID, change.profileID)]
      case .presence(let presence):
        [(.eventID, presence.eventID), (.profileID, presence.profileID)]
      case .notice(let notice): [(.eventID, notice.eventID)]
      }
    return ids.first { ($0.1?.utf8.count ?? 0) > maximumIDBytes }.map { tooLong($0.0) }
  }

  /// Why an event with such an id is none.
  static func tooLong(_ id: EventField) -> String {
    "\(id.name) is longer than \(maximumIDBytes) bytes"
  }

  /// Reads one line that is text; for tests and small inputs.
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

  package init(reason: String, byteOffset: Int) {
    self.reason = reason
    self.byteOffset = byteOffset
  }

  package var description: String { "\(reason) (at byte \(byteOffset + 1) of the line)" }
}
