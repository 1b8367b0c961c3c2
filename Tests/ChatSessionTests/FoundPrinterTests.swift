import ChatModel
import SessionLog
import TerminalText
import TestSupport
import Testing

@testable import ChatSession

struct FoundPrinterTests {
  /// A message as the log gives it.
  private func logged(_ event: Event) async throws -> LoggedMessage {
    let folder = TemporaryFolder()
    let store = LogStore(path: "\(folder.path)/log.db")
    let room = LoggedRoom(address: "file:///team.jsonl", name: "the \"team\"")
    try await store.record([event], ofPastIn: room, upTo: "", at: Timestamp(milliseconds: .max))
    return try #require(try await store.message(event.id, in: room))
  }

  @Test func `an event says in which room it was found`() async throws {
    let event = Event.said("점심?")
    let printer = FoundPrinter(TranscriptOptions(), words: [], isTerminal: false)
    let line = printer.json(try await logged(event))
    #expect(line.hasSuffix(#","room":"the \"team\""}"#))
    #expect(try EventCodec.decode(line) == event)
  }

  @Test(arguments: [false, true])
  func `rows name the room, and mark words for eyes only`(isTerminal: Bool) async throws {
    var printer = FoundPrinter(TranscriptOptions(), words: ["점심"], isTerminal: isTerminal)
    let text = printer.rows(try await logged(.said("오늘점심뭐")), number: 7).joined(separator: "\n")
    #expect(text.contains("the \"team\"") && text.contains("7"))
    #expect(text.contains("오늘\u{1B}[7m점심\u{1B}[27m뭐") == isTerminal)
    #expect(text.contains("점심"))
  }
}
