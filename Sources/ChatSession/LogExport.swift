package import Archive
internal import ChatModel
internal import Glibc
package import SessionLog
package import TerminalText

/// Takes messages from the log into one of the formats of an archive, page by
/// page.
package struct LogExport: Sendable {
  private let store: LogStore
  private let range: LogRange
  private let format: ExportFormat
  private let options: ExportOptions

  /// - Parameter rooms: the rooms that have messages in the range.
  package init(
    _ store: LogStore, range: LogRange, rooms: [LoggedRoom], format: ExportFormat,
    options: TranscriptOptions, ownProfileIDs: Set<String>, namesOwn: Bool = false
  ) {
    (self.store, self.range, self.format) = (store, range, format)
    let images = Dictionary(
      rooms.map { ($0.name, RoomImages(of: $0)) }, uniquingKeysWith: { first, _ in first })
    self.options = ExportOptions(
      rooms: rooms.map(\.name), language: options.language, clock: options.clock,
      zone: options.zone, ownProfileIDs: ownProfileIDs, namesOwn: namesOwn
    ) { path, room in (images[room] ?? nil)?.image(path) }
  }

  /// The format that a file's name asks for; text where it does not.
  package static func format(of path: String) -> ExportFormat {
    switch path.split(separator: ".").last {
    case "html", "htm": .html
    case "md", "markdown": .markdown
    case "jsonl", "json": .jsonl
    default: .text
    }
  }

  /// How many messages are taken at once.
  private static let page = 500

  /// Hands the export to `body`, piece by piece; false ends it.
  /// - Returns: how many messages there were.
  package func write(_ body: ([UInt8]) throws -> Bool) async throws -> Int {
    var exporter = Exporter(format, options: options)
    var buffer: [UInt8] = []
    var count = 0
    var place: SearchPlace?
    exporter.begin(to: &buffer)
    while true {
      let messages = try await store.messages(in: range, after: place, limit: Self.page)
      for message in messages {
        exporter.append(try await archived(message), to: &buffer)
      }
      count += messages.count
      guard try body(buffer) else { return count }
      buffer.removeAll(keepingCapacity: true)
      guard let last = messages.last, messages.count == Self.page else { break }
      place = await store.place(of: last)
    }
    exporter.end(to: &buffer)
    _ = try body(buffer)
    return count
  }

  private func archived(_ message: LoggedMessage) async throws -> ArchivedMessage {
    var archived = ArchivedMessage(room: message.room.name, entry: message.entry)
    if format == .jsonl { archived.events = try await store.events(of: message) }
    if archived.entry.message.profileName?.isEmpty != false {
      archived.entry.message.profileName = message.name
    }
    archived.repliedTo = try await store.message(
      answeredBy: message, language: options.language)
    return archived
  }

  /// Writes the export into a file that must not be there yet, for its owner
  /// only. What could not be finished is removed.
  /// - Returns: how many messages there were.
  package func write(toNewFile path: String) async throws -> Int {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ExportFileError(path, errno, isCreated: false) }
    defer { close(descriptor) }
    do {
      return try await write { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
          if written < 0, errno == EINTR { continue }
          guard written >= 0 else { throw ExportFileError(path, errno, isCreated: true) }
          rest = rest.dropFirst(written)
        }
        return true
      }
    } catch {
      unlink(path)
      throw error
    }
  }
}

/// Why there is no file with the export.
package struct ExportFileError: Error {
  package var text: LocalizedText
  /// Whether there was a file, which could not be written to its end.
  package var isCreated: Bool

  init(_ path: String, _ code: Int32, isCreated: Bool) {
    let reason = String(cString: strerror(code))
    self.isCreated = isCreated
    text =
      code == EEXIST
      ? LocalizedText(
        "\(path): there is a file of that name; choose another name",
        "\(path): 같은 이름의 파일이 있습니다. 다른 이름을 쓰세요")
      : LocalizedText("\(path): \(reason)", "\(path): \(reason)")
  }
}

extension LogStore {
  /// What is shown of the message that `message` answers; nil when it answers
  /// none, or one that is not in the log.
  package func message(
    answeredBy message: LoggedMessage, language: Language
  ) throws(LogError) -> RepliedMessage? {
    guard let id = message.entry.message.replyTo,
      let original = try self.message(id, in: message.room)
    else { return nil }
    return RepliedMessage(name: original.name, original: original.entry, language: language)
  }
}
