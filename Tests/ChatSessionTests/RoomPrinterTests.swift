import ChatModel
import ChatSession
import TerminalText
import Testing

struct RoomPrinterTests {
  private let events: [Event] = [
    .said("hello", id: "m"), .said("bait", from: "troll", id: "t"),
    .reaction(Reaction(eventID: "r", messageID: "m", profileID: "troll", reaction: "💩")),
    .edit(Edit(eventID: "e", messageID: "m", profileID: "jane", content: "hello all")),
    .said("hello", id: "m"), .notice(Notice(eventID: "n", content: "\u{1b}[2Jdone")),
  ]

  private func printed(_ form: RoomPrinter.Form, ignoring ignored: Set<String>) -> [String] {
    var printer = RoomPrinter(form: form, ignored: ignored)
    var bytes: [UInt8] = []
    for event in events {
      printer.append(event, .replay, now: Timestamp(milliseconds: 1_796_000_000_000), to: &bytes)
    }
    #expect(bytes.last == UInt8(ascii: "\n"))
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `prints messages and what changes them, and nothing of those who are hidden`() {
    let options = TranscriptOptions(style: .plain, zone: .fixed(secondsFromUTC: 0))
    let rows = printed(.transcript(options), ignoring: ["troll"])
    #expect(rows.count { $0.contains("hello") } == 2)
    #expect(rows.count { $0.contains("done") } == 1)
    #expect(!rows.contains { $0.contains("bait") || $0.contains("💩") || $0.contains("\u{1b}") })
  }

  @Test func `prints every event as it is in the room, one a line`() {
    let rows = printed(.json, ignoring: ["troll"])
    #expect(rows.count == events.count)
    #expect(!rows.contains { $0.contains("\u{1b}") })
  }
}
