internal import ChatModel
package import SessionLog
package import TerminalText

/// Messages that were found, as rows with their rooms and the words marked.
package struct FoundPrinter {
  private var transcript: Transcript
  private let marker: HitMarker?

  /// - Parameters:
  ///   - words: search keys to be marked.
  ///   - isTerminal: whether marks are of use; a pipe gets none.
  package init(_ options: TranscriptOptions, words: [String], isTerminal: Bool) {
    var options = options
    if options.style == .bubble { options.style = .compact }
    transcript = Transcript(options: options)
    let hasMarks = isTerminal && !words.isEmpty
    marker = hasMarks ? HitMarker(words: words, hasEscapes: options.style != .plain) : nil
  }

  /// The rows of a message, without newlines, neutralised.
  /// - Parameter number: by which commands name it; nil where there are none.
  package mutating func rows(_ message: LoggedMessage, number: Int? = nil) -> [String] {
    var shown = ShownMessage(entry: message.entry, senderName: message.name)
    shown.room = message.room.name
    shown.number = number
    let rows = transcript.lines(for: shown)
    return marker.map { marker in rows.map(marker.mark) } ?? rows
  }

  /// The message as an event on one line, with a field `room` more.
  package func json(_ message: LoggedMessage) -> String {
    EventCodec.encode(message.event, inRoom: message.room.name)
  }
}
