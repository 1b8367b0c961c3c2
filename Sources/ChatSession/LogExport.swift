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
  private let images: RoomImages

  /// An export of the messages in a range. One's own are those of everybody who
  /// has been at the prompt.
  /// - Parameter options: language, clock, time zone and one's own profile
  ///   count, nothing else.
  /// - Parameter fetchedFiles: the folder of what was fetched from rooms
  ///   elsewhere.
  package init(
    _ store: LogStore, range: LogRange, format: ExportFormat, options: TranscriptOptions,
    fetchedFiles: String
  ) async throws(LogError) {
    let rooms = try await store.rooms(in: range)
    let loggedIDs = try await store.ownProfileIDs()
    let ownProfileIDs = loggedIDs.union([options.ownProfileID])
    (self.store, self.range, self.format) = (store, range, format)
    let images = RoomImages(fetchedFiles: fetchedFiles, language: options.language)
    self.images = images
    self.options = ExportOptions(
      rooms: rooms.map(\.name), language: options.language, clock: options.clock,
      zone: options.zone, ownProfileIDs: ownProfileIDs,
      // Several who have been at this prompt are told apart by their names.
      namesOwn: loggedIDs.count > 1
    ) { file, room in images.image(file, of: room) }
  }

  /// What is told of the images that are not in the export, after it was
  /// written; nil where all are.
  package var noteOnImages: LocalizedText? {
    let all = images.leftOut
    guard let first = all.first else { return nil }
    let size = first.sizeInBytes.map { "\(sizeText($0)), " } ?? ""
    return LocalizedText(
      "\(counted(all.count, "image")) left out, such as \(first.name) (\(size)\(first.reason))",
      "이미지 \(all.count)개가 빠졌습니다. 예: \(first.name) (\(size)\(first.reason))")
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

  /// Hands the export to `body`, piece by piece, on no actor: rows and images
  /// take long enough to be felt at a prompt.
  /// - Returns: how many messages there were.
  /// - Throws: ``LogError``, `CancellationError`, and what `body` throws.
  @concurrent
  package func write(_ body: @Sendable ([UInt8]) throws -> Void) async throws -> Int {
    var exporter = Exporter(format, options: options)
    var buffer: [UInt8] = []
    var count = 0
    var place: SearchPlace?
    exporter.begin(to: &buffer)
    while true {
      try Task.checkCancellation()
      let messages = try await store.messages(in: range, after: place, limit: Self.page)
      for message in messages {
        exporter.append(try await archived(message), to: &buffer)
      }
      count += messages.count
      try body(buffer)
      buffer.removeAll(keepingCapacity: true)
      guard let last = messages.last, messages.count == Self.page else { break }
      place = await store.place(of: last)
    }
    exporter.end(to: &buffer)
    try body(buffer)
    return count
  }

  private func archived(_ message: LoggedMessage) async throws -> ArchivedMessage {
    var archived = ArchivedMessage(
      room: message.room.name, roomAddress: message.room.address, entry: message.entry)
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
  /// - Throws: ``LogError``, ``NewFileError`` and `CancellationError`.
  package func write(toNewFile path: String) async throws -> Int {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw NewFileError(path: path, errorNumber: errno, isMade: false)
    }
    defer { close(descriptor) }
    do {
      return try await write { bytes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
          if written < 0, errno == EINTR { continue }
          guard written >= 0 else {
            throw NewFileError(path: path, errorNumber: errno, isMade: true)
          }
          rest = rest.dropFirst(written)
        }
      }
    } catch {
      unlink(path)
      throw error
    }
  }
}

/// Why a new file was not made, or not written to its end.
package struct NewFileError: Error {
  /// Of the file, as the user named it.
  package var path: String
  /// What open(2) or write(2) said.
  package var errorNumber: Int32
  /// Whether it could be made at all.
  package var isMade: Bool

  /// The path and what the system says, in both languages.
  package var text: LocalizedText {
    guard errorNumber == EEXIST else { return .system(path, path, errorNumber) }
    return LocalizedText(
      "\(path): there is a file of that name; choose another name",
      "\(path): 같은 이름의 파일이 있습니다. 다른 이름을 쓰세요")
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
