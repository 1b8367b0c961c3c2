import ChatModel
import TerminalText

/// Puts messages into words, one after the other.
struct MessageReader {
  /// What the words depend on.
  let options: ExportOptions
  private var clock: LocalClock
  private var lastDay: [Int] = []

  /// A reader that has seen no day yet.
  init(_ options: ExportOptions) {
    self.options = options
    clock = LocalClock(zone: options.zone)
  }

  private var wording: ExportWording { options.wording }

  /// How times are written.
  var timeLabel: TimeLabel { TimeLabel(language: options.language, clock: options.clock) }

  /// The local date of a message; nil when the message before it had the same.
  mutating func newDay(of message: ArchivedMessage) -> LocalTime? {
    let time = clock.localTime(at: message.entry.time)
    let day = [time.year, time.month, time.day]
    if day == lastDay { return nil }
    lastDay = day
    return time
  }

  /// The message in words.
  mutating func read(_ message: ArchivedMessage) -> ReadableMessage {
    let entry = message.entry
    let name = self.name(entry.message.profileName ?? "", id: entry.message.profileID)
    let content = content(of: entry)
    return ReadableMessage(
      room: options.showsRooms ? field(message.room, columns: 40) : nil,
      name: name,
      isOwn: options.ownProfileIDs.contains(entry.message.profileID),
      label: timeLabel.text(for: clock.localTime(at: entry.time)),
      content: content?.text,
      styles: content?.styles ?? [],
      isAction: entry.message.isAction,
      isDeleted: entry.isDeleted,
      quote: quote(in: message),
      attachments: entry.isDeleted ? [] : attachments(of: entry.message),
      reactions: reactions(of: entry),
      marks: marks(of: entry, name: name))
  }

  private func name(_ name: String, id: String) -> String {
    [name, id].lazy.map { field($0, columns: 64) }.first { !$0.isEmpty } ?? wording.noName
  }

  private func content(of entry: TimelineEntry) -> StyledText? {
    if entry.isDeleted { return StyledText(paragraph: wording.deleted, []) }
    let content = StyledText(paragraph: entry.message.content ?? "", entry.message.styles)
    if !content.text.isEmpty { return content }
    let hasMore =
      !entry.message.images.isEmpty || !entry.message.files.isEmpty || entry.message.isAction
    return hasMore ? nil : StyledText(paragraph: wording.empty, [])
  }

  private func quote(in message: ArchivedMessage) -> ReadableMessage.Quote? {
    if message.entry.isDeleted { return nil }
    guard let replied = message.repliedTo else {
      let isAnswer = message.entry.message.replyTo.map { !$0.isEmpty } ?? false
      return isAnswer ? .init(name: nil, excerpt: wording.unknownMessage) : nil
    }
    return .init(
      name: name(replied.name, id: ""), excerpt: field(oneLine(replied.excerpt), columns: 80))
  }

  private func attachments(of message: Message) -> [ReadableMessage.Attachment] {
    message.attachedImages.map {
      attachment($0.file ?? FileReference(path: $0.path), isImage: true)
    } + message.otherFiles.map { attachment($0, isImage: false) }
  }

  private func attachment(
    _ file: FileReference, isImage: Bool
  ) -> ReadableMessage.Attachment {
    let names = [file.name ?? "", fileName(ofPath: file.path) ?? wording.image, file.path]
    return .init(
      isImage: isImage, file: file,
      name: names.lazy.map { field($0, columns: 100) }.first { !$0.isEmpty } ?? "?",
      size: file.sizeInBytes.map(sizeText), address: WebAddress(file.path))
  }

  private func reactions(of entry: TimelineEntry) -> [(text: String, count: Int)] {
    if entry.isDeleted { return [] }
    return entry.reactions.filter { !$0.profileIDs.isEmpty }.map { tally in
      let text = field(tally.reaction, columns: 20)
      return (text.isEmpty ? "?" : text, tally.profileIDs.count)
    }
  }

  private func marks(of entry: TimelineEntry, name: String) -> [String] {
    var marks: [String] = []
    if entry.isEdited, !entry.isDeleted { marks.append(wording.edited) }
    if entry.message.isTruncated, !entry.isDeleted { marks.append(wording.truncated) }
    if hasMixedScripts(name) { marks.append(wording.mixedScripts) }
    return marks
  }
}
