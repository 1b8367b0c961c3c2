import ChatModel
import Testing
import Transport

@testable import NATS

struct LogPointTests {
  @Test(
    arguments: [
      (.behind(1 << 60), "\(1 << 60)"), (.behind(0), "0"),
      (LogPoint(sequence: 5, eventCount: 3), "5.3"),
    ] as [(LogPoint, String)])
  func `a cursor names the stream as well`(_ point: LogPoint, _ text: String) {
    let cursor = LogCursor(stream: 1_764_547_200_123, point: point)
    #expect(cursor.cursor.value.hasSuffix(".\(text)"))
    #expect(LogCursor(cursor.cursor) == cursor)
  }

  @Test(arguments: [
    "", "x", "1", "1.", ".1", "1.x", "1.2.x", "1.2.0", "1.2.-3", "1.2.3.4", "1.-1", "=.1",
    "1.18446744073709551615",
  ])
  func `what is no cursor is none`(_ text: String) {
    #expect(LogCursor(.init(value: text)) == nil)
  }

  @Test func `places are in order, and know the last message before them`() {
    let places = [
      LogPoint(sequence: 1), .init(sequence: 1, eventCount: 1), .init(sequence: 1, eventCount: 2),
      .behind(1), .init(sequence: 2, eventCount: 1),
    ]
    #expect(places == places.sorted())
    #expect(places.map(\.reached) == [0, 1, 1, 1, 2])
  }

  @Test func `a message of the log is lines, each with the place behind it`() {
    let message = LogMessage(sequence: 7, bytes: Array("a\n\nb".utf8))
    var found: [(String, LogPoint)] = []
    message.forEachLine { found.append((String(decoding: $0, as: UTF8.self), $1)) }
    #expect(message.eventCount == 3 && found.map(\.0) == ["a", "", "b"])
    #expect(
      found.map(\.1) == [
        .init(sequence: 7, eventCount: 1), .init(sequence: 7, eventCount: 2), .behind(7),
      ])
    found = []
    message.forEachLine(from: 2) { found.append((String(decoding: $0, as: UTF8.self), $1)) }
    #expect(found.map(\.0) == ["b"])
    message.forEachLine(from: 9) { line, _ in Issue.record("\(line)") }
  }

  private func waiting(_ ids: [String], _ content: String = "x") -> [Outgoing] {
    ids.map { id in
      let message = Message(id: id, profileID: "jane", content: content)
      return Outgoing(id, SendRequest(room: "tea", event: .message(message)))
    }
  }

  @Test func `what waits goes together, each once, as far as it fits`() {
    let few = waiting(["1", "2", "1", "3"])
    #expect(few.nextMessage(limitInBytes: 32_768).map(\.ref) == ["1", "2", "3"])
    let many = waiting((1...500).map(String.init))
    #expect(many.nextMessage(limitInBytes: 32_768).map(\.ref) == (1...128).map(String.init))
    let size = many[0].line.count
    #expect(many.nextMessage(limitInBytes: size * 3 + 2).map(\.ref) == ["1", "2", "3"])
    #expect(many.nextMessage(limitInBytes: size * 3 + 1).map(\.ref) == ["1", "2"])
    #expect(many.nextMessage(limitInBytes: 1).map(\.ref) == ["1"])
    #expect([Outgoing]().nextMessage(limitInBytes: 1).isEmpty)
  }
}
