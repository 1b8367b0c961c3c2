package import ChatModel
package import TerminalText

/// A room as a stream of lines, for where there is no prompt.
package struct RoomPrinter {
  /// How an event is put into lines.
  package enum Form {
    /// One event a line, as in a room file.
    case json
    /// As people read it.
    case transcript(TranscriptOptions)
  }

  private let isJSON: Bool
  private let ignored: Set<String>
  private var transcript: Transcript?
  /// Small: it only has to know what later events may change or repeat.
  private var timeline = Timeline(capacity: 2_000)
  private var profiles = ProfileDirectory(capacity: 2_000)

  /// - Parameter ignored: ids of profiles of which a transcript shows nothing;
  ///   of events as they are, nothing is left out.
  package init(form: Form, ignored: Set<String>) {
    self.ignored = ignored
    switch form {
    case .json: (isJSON, transcript) = (true, nil)
    case .transcript(let options): (isJSON, transcript) = (false, Transcript(options: options))
    }
  }

  /// Appends what an event puts on the output as UTF-8, each line with its
  /// newline; nothing where it changes nothing.
  package mutating func append(
    _ event: Event, _ arrival: Timeline.Arrival, now: Timestamp, to buffer: inout [UInt8]
  ) {
    guard !isJSON else { return appendJSON(event, to: &buffer) }
    guard let diff = timeline.apply(event, arrival, now: now) else { return }
    switch diff {
    case .insert(let entry):
      profiles.note(entry.message, at: entry.time)
      append(entry, nil, to: &buffer)
    case .update(let entry, let change): append(entry, change, to: &buffer)
    case .profile(let change): profiles.note(change, at: change.createdAt ?? now)
    case .presence(let presence): profiles.note(presence, at: now)
    case .notice(let notice, let time):
      transcript?.append(notice: notice.content, at: time, to: &buffer)
    }
  }

  private mutating func appendJSON(_ event: Event, to buffer: inout [UInt8]) {
    EventCodec.encode(event, into: &buffer)
    buffer.append(UInt8(ascii: "\n"))
  }

  private mutating func append(
    _ entry: TimelineEntry, _ change: TimelineChange?, to buffer: inout [UInt8]
  ) {
    guard !ignored.contains(entry.message.profileID), change?.isReaction(by: ignored) != true
    else { return }
    guard let language = transcript?.options.language else { return }
    let shown = ShownMessage(
      entry: entry, change, profiles: profiles, timeline: timeline, language: language)
    transcript?.append(shown, to: &buffer)
  }
}

extension TimelineChange {
  /// Whether it is a reaction of one of those profiles.
  func isReaction(by profileIDs: Set<String>) -> Bool {
    guard case .reacted(let profileID, _, _) = self else { return false }
    return profileIDs.contains(profileID)
  }
}

extension ShownMessage {
  /// A message with what a room knows about those who are named in it.
  init(
    entry: TimelineEntry, _ change: TimelineChange?, profiles: ProfileDirectory,
    timeline: Timeline, language: Language
  ) {
    func name(of message: Message) -> String {
      let written = message.profileName ?? ""
      return written.isEmpty ? profiles.name(of: message.profileID) : written
    }
    self.init(entry: entry, senderName: name(of: entry.message))
    repliedTo = entry.message.replyTo.flatMap { timeline.entry($0) }.map { original in
      RepliedMessage(name: name(of: original.message), original: original, language: language)
    }
    update = change.map { change in
      switch change {
      case .edited: .edited
      case .deleted: .deleted
      case .reacted(let id, let reaction, let isRemoved):
        .reacted(by: profiles.name(of: id), reaction: reaction, removed: isRemoved)
      }
    }
  }
}
