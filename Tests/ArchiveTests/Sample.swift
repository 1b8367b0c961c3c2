import ChatModel
import TerminalText

@testable import Archive

/// Messages for tests: all on 30 November 2026, from 08:16 on.
enum Sample {
  static let start = Timestamp(milliseconds: 1_796_026_560_000)

  static func options(
    rooms: [String] = ["lobby"], language: Language = .english,
    image: @escaping @Sendable (String, String) -> PageImage = { _, _ in .named }
  ) -> ExportOptions {
    ExportOptions(
      rooms: rooms, language: language, zone: .fixed(secondsFromUTC: 0), ownProfileIDs: ["me"],
      image: { image($0.path, $1) })
  }

  /// A message `seconds` after the first, changed as a test likes.
  static func message(
    _ profileID: String, _ name: String, _ content: String?, after seconds: Int64 = 0,
    room: String = "lobby", _ change: (inout ArchivedMessage) -> Void = { _ in }
  ) -> ArchivedMessage {
    let time = Timestamp(milliseconds: start.milliseconds + seconds * 1000)
    let message = Message(
      id: "id-\(profileID)-\(seconds)", profileID: profileID, profileName: name, content: content,
      createdAt: time)
    var archived = ArchivedMessage(
      room: room, entry: TimelineEntry(message: message, time: time), events: [.message(message)])
    change(&archived)
    return archived
  }

  /// The whole export.
  static func export(
    _ format: ExportFormat, _ messages: some Sequence<ArchivedMessage>,
    options: ExportOptions = options()
  ) -> String {
    var exporter = Exporter(format, options: options)
    var bytes: [UInt8] = []
    exporter.begin(to: &bytes)
    for message in messages { exporter.append(message, to: &bytes) }
    exporter.end(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
