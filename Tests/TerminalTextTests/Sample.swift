import ChatModel
import TerminalText

/// Messages for tests: all on 30 November 2026, from 08:16 on.
enum Sample {
  static let start = Timestamp(milliseconds: 1_796_026_560_000)

  static func options(
    _ style: Style, columns: Int = 60, depth: ColorDepth = .none, language: Language = .english,
    isUTF8: Bool = true
  ) -> TranscriptOptions {
    TranscriptOptions(
      style: style, columns: columns, palette: Palette(depth: depth), language: language,
      zone: .fixed(secondsFromUTC: 0), ownProfileID: "me", mentionNames: ["Max", "민수"],
      isUTF8: isUTF8)
  }

  static func message(
    _ profileID: String, _ name: String, _ content: String?, after seconds: Int64 = 0,
    number: Int? = nil, _ change: (inout ShownMessage) -> Void = { _ in }
  ) -> ShownMessage {
    let time = Timestamp(milliseconds: start.milliseconds + seconds * 1000)
    let message = Message(id: "m", profileID: profileID, content: content, createdAt: time)
    var shown = ShownMessage(
      entry: TimelineEntry(message: message, time: time), number: number, senderName: name)
    change(&shown)
    return shown
  }

  /// The screen that these messages make, without the first row, the date.
  static func screen(_ options: TranscriptOptions, _ messages: [ShownMessage]) -> String {
    var transcript = Transcript(options: options)
    return messages.flatMap { transcript.lines(for: $0) }.dropFirst().joined(separator: "\n")
  }
}
