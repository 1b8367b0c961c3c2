package import ChatModel

/// One line of a room file. Its bytes belong to the reader and are good only
/// inside the call that was given the line.
package struct FileLine {
  /// Without the newline; only the beginning when ``isCutOff``.
  package let raw: UnsafeRawBufferPointer
  /// Where it begins, in bytes from the start of the file.
  package let offset: Int64
  /// How long it is without its newline, whatever of it is in ``raw``.
  package let length: Int64
  /// Whether a newline ends it; only the last line of a file may lack one.
  package let isFinished: Bool

  /// The line's own bytes: without a carriage return at the end and without a
  /// byte order mark at the start of the file.
  package var bytes: UnsafeRawBufferPointer {
    var bytes = raw[...]
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if !isCutOff, bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
    return UnsafeRawBufferPointer(rebasing: bytes)
  }

  /// Whether ``raw`` is not the whole line.
  package var isCutOff: Bool { Int64(raw.count) < length }

  /// Where the next line begins.
  package var end: Int64 { offset + length + (isFinished ? 1 : 0) }
}

/// What a line of a room file turned out to be.
package enum LineContent {
  case event(Event)
  /// An empty line, or an event of a type that is not known here.
  case nothing
  /// No event; the reason is a clause without a full stop.
  case bad(reason: String)
}

extension FileLine {
  /// What is on the line. An event that is too large is shown as far as its
  /// beginning goes.
  package var content: LineContent {
    let bytes = bytes
    if isCutOff || bytes.count > EventCodec.maximumEventBytes {
      let beginning = UnsafeRawBufferPointer(
        rebasing: bytes.prefix(EventCodec.maximumEventBytes))
      if let event = EventCodec.decodeBeginning(beginning) { return .event(event) }
      return .bad(reason: "a line of \(length) bytes, of which nothing can be shown")
    }
    if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
      return .nothing
    }
    do throws(EventCodingError) {
      return try EventCodec.decode(bytes).map { .event($0) } ?? .nothing
    } catch {
      return .bad(reason: error.description)
    }
  }

  /// Whether it is a message, which is what `-n` and `--tail` count.
  package var isMessage: Bool {
    let bytes = bytes
    if isCutOff || bytes.count > EventCodec.maximumEventBytes {
      if case .event(.message) = content { return true }
      return false
    }
    return EventCodec.isMessage(bytes)
  }
}
