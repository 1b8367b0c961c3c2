import ChatModel
import TerminalText
import TestSupport
import Testing

@testable import Archive

struct JSONLinesWriterTests {
  @Test func `a message comes as it was written, then what was done to it`() {
    let message = Message(
      id: "m1", profileID: "jane", profileName: "Jane", content: "helo",
      createdAt: Sample.start)
    let archived = ArchivedMessage(
      room: "lobby",
      entry: TimelineEntry(message: message, time: Sample.start, isEdited: true),
      events: [
        .message(message),
        .edit(Edit(eventID: "e1", messageID: "m1", profileID: "jane", content: "hello")),
        .reaction(Reaction(eventID: "e2", messageID: "m1", profileID: "me", reaction: "👍")),
      ])
    let expected = """
      {"type":"message","messageID":"m1","profileID":"jane","profileName":"Jane",\
      "createdAt":"2026-11-30T08:16:00.000Z","content":"helo"}
      {"type":"edit","eventID":"e1","profileID":"jane","messageID":"m1","content":"hello"}
      {"type":"reaction","eventID":"e2","profileID":"me","messageID":"m1","reaction":"👍",\
      "removed":false}

      """
    #expect(Sample.export(.jsonl, [archived]) == expected)
  }

  @Test(arguments: [["lobby"], ["lobby", "a\"b\\\u{1B}"]])
  func `what is read back is what was written`(rooms: [String]) throws {
    var random = SeededRandom(seed: 3)
    let messages = (0..<2_000).map { index in
      ArchivedMessage(
        room: rooms.randomElement(using: &random) ?? "",
        entry: TimelineEntry(message: Message(id: "x", profileID: "x"), time: Sample.start),
        events: random.events(number: index))
    }
    let text = Sample.export(.jsonl, messages, options: Sample.options(rooms: rooms))
    #expect(!text.unicodeScalars.contains(where: Hostile.isForbidden))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let read = try lines.map { try EventCodec.decode(String($0)) }
    let written = messages.flatMap(\.events)
    try #require(read.count == written.count)
    for (one, other) in zip(read, written) {
      #expect("\(try #require(one))" == "\(other)")
    }
  }

  @Test func `of several rooms, each line tells its own`() {
    let messages = [Sample.message("j", "J", "a"), Sample.message("j", "J", "b", room: "\"t\"")]
    let text = Sample.export(.jsonl, messages, options: Sample.options(rooms: ["lobby", "\"t\""]))
    let rooms = Filter.run("jq -r .room", on: text)
    #expect(rooms.output == "lobby\n\"t\"\n")
  }

  @Test func `applied again, the events make the same message`() throws {
    var random = SeededRandom(seed: 8)
    for number in 0..<300 {
      let events = random.events(number: number)
      let text = Sample.export(
        .jsonl,
        [
          ArchivedMessage(
            room: "lobby",
            entry: TimelineEntry(message: Message(id: "x", profileID: "x"), time: Sample.start),
            events: events)
        ])
      let read = try text.split(separator: "\n").compactMap { try EventCodec.decode(String($0)) }
      #expect(entries(of: read) == entries(of: events))
    }
  }

  /// What a timeline makes of events.
  private func entries(of events: [Event]) -> [String] {
    var timeline = Timeline(capacity: 4)
    _ = timeline.apply(events, .replay, now: Timestamp(milliseconds: 1_900_000_000_000))
    return timeline.entries.map { "\($0)" }
  }
}

extension SeededRandom {
  /// A message with random fields, and what is done to it.
  fileprivate mutating func events(number: Int) -> [Event] {
    let id = "m\(number)"
    var events: [Event] = [.message(message(id: id))]
    for change in 0..<Int.random(in: 0...4, using: &self) {
      let eventID = "\(id)-\(change)"
      let time = Bool.random(using: &self) ? Sample.start : nil
      switch Int.random(in: 0..<4, using: &self) {
      case 0:
        events.append(
          .edit(
            Edit(
              eventID: eventID, messageID: id, profileID: "jane", content: text(), createdAt: time))
        )
      case 1:
        events.append(
          .deletion(
            Deletion(eventID: eventID, messageID: id, profileID: "jane", createdAt: time)))
      default:
        events.append(
          .reaction(
            Reaction(
              eventID: eventID, messageID: id, profileID: "p" + text(), reaction: text(),
              isRemoved: Bool.random(using: &self), createdAt: time)))
      }
    }
    return events
  }

  private mutating func message(id: String) -> Message {
    Message(
      id: id, profileID: "jane", profileName: optionalText(), profileImage: optionalText(),
      content: text(), images: Bool.random(using: &self) ? [] : [text(), text()],
      files: Bool.random(using: &self)
        ? []
        : [
          FileReference(
            path: text(), name: optionalText(), mediaType: optionalText(),
            sizeInBytes: Bool.random(using: &self)
              ? nil : Int64.random(in: 0...9_999, using: &self),
            sha256: optionalText())
        ],
      createdAt: Bool.random(using: &self)
        ? nil : Timestamp(milliseconds: Int64.random(in: 0...1_800_000_000_000, using: &self)),
      replyTo: Bool.random(using: &self) ? nil : "r" + text(),
      isAction: Bool.random(using: &self), isTruncated: Bool.random(using: &self))
  }

  private mutating func optionalText() -> String? {
    Bool.random(using: &self) ? nil : text()
  }
}
