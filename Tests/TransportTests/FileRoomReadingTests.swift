import ChatModel
import Glibc
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct FileRoomReadingTests {
  let folder = TemporaryFolder()

  private func joined(
    tail: Int = 50, watching method: FileWatch.Method = .automatic
  ) async throws -> FileRoom {
    let room = FileRoom(path: folder.room(), watching: method)
    try await room.join(tail: tail)
    return room
  }

  @Test func `replays the last messages with what follows them, then is live`() async throws {
    let reaction =
      #"{"type":"reaction","eventID":"r","messageID":"b","profileID":"jane","reaction":"👍"}"#
    try (line("a") + line("b") + reaction + "\n" + line("c")).append(to: folder.room())
    let room = try await joined(tail: 2)
    let told = await room.told(until: "live")
    #expect(told.words == ["replay b", "replay r", "replay c", "live"])
    #expect(told.live == told.events.last?.cursor)
  }

  @Test(arguments: [FileWatch.Method.automatic, .polling])
  func `tells what is appended, however it is noticed`(method: FileWatch.Method) async throws {
    try line("a").append(to: folder.room())
    let room = try await joined(watching: method)
    _ = await room.told(until: "live")
    try (line("b") + line("c")).append(to: folder.room())
    #expect(await room.told(until: "event c").words == ["event b", "event c"])
  }

  @Test func `waits for an unfinished last line`() async throws {
    let text = line("torn")
    try (line("a") + text.prefix(20)).append(to: folder.room())
    let room = try await joined()
    #expect(await room.told(until: "live").words == ["replay a", "live"])
    try String(text.dropFirst(20).prefix(5)).append(to: folder.room())
    try String(text.dropFirst(25)).append(to: folder.room())
    #expect(await room.told(until: "event torn").words == ["event torn"])
  }

  @Test func `survives everything that is not an event, and tells each once`() async throws {
    let nested = String(repeating: "[", count: 10_000)
    let parts: [(bytes: [UInt8], word: String?)] = [
      (Array("\u{FEFF}".utf8) + Array(line("bom").utf8), "replay bom"),
      (Array("\r\n".utf8), nil),
      (Array(line("crlf").utf8.dropLast()) + Array("\r\n".utf8), "replay crlf"),
      ([0, 0, 0, 0x0A], "problem"),
      (Array(line("bad-utf8", "xx").utf8.map { $0 == 0x78 ? 0xFF : $0 }), "replay bad-utf8"),
      (Array("{\"messageID\":\(nested)\n".utf8), "problem"),
      (Array(line("between").utf8), "replay between"),
      (Array(#"{"type":"from-the-future","x":1}"#.utf8) + [0x0A], nil),
      ([UInt8](repeating: 0x7B, count: 52_428_800) + [0x0A], "problem"),
      (Array(line("last").utf8), "replay last"),
    ]
    var words: [String] = []
    var offset = 0
    for part in parts {
      try part.bytes.append(to: folder.room())
      if let word = part.word { words.append(word == "problem" ? "problem \(offset)" : word) }
      offset += part.bytes.count
    }
    let room = try await joined()
    let told = await room.told(until: "live")
    #expect(told.words == words + ["live"])
    #expect(told.problems.map(\.lineNumber) == [4, 6, 9])
    #expect(told.problems.allSatisfy { $0.source == folder.room() && $0.lineCount == 1 })
  }

  @Test func `tells bad lines in a row as one problem`() async throws {
    try (line("a") + String(repeating: "nonsense\n", count: 50_000) + line("b"))
      .append(to: folder.room())
    let room = try await joined()
    let told = await room.told(until: "live")
    #expect(told.problems.reduce(0) { $0 + $1.lineCount } == 50_000)
    #expect(told.problems.count <= 51)
    #expect(told.events.map(\.event.id) == ["a", "b"])
  }

  @Test func `shows the beginning of an event that is too large`() async throws {
    let huge = line("huge", String(repeating: "x", count: 50_000_000))
    try (line("a") + huge + line("b")).append(to: folder.room())
    let room = try await joined(tail: 2)
    let told = await room.told(until: "live")
    #expect(told.words == ["replay huge", "replay b", "live"])
    guard case .message(let message) = try #require(told.events.first).event else {
      Issue.record("no message")
      return
    }
    #expect(message.isTruncated)
    #expect(try #require(message.content).utf8.count < EventCodec.maximumEventBytes)
    let page = try await room.history(before: told.events[0].cursor, limit: 1)
    #expect(page.events.map(\.event.id) == ["huge"])
  }

  @Test func `pulls a large replay in bounded batches`() async throws {
    let count = 5000
    try (0..<count).map { line("m\($0)") }.joined().append(to: folder.room())
    let room = try await joined(tail: count)
    var ids: [String] = []
    while ids.count < count, let updates = await room.next() {
      let events = updates.flatMap { update -> [RoomEvent] in
        if case .replay(let events) = update { events } else { [] }
      }
      #expect(events.count <= UpdateBatch.maximumCount)
      ids += events.map(\.event.id)
    }
    #expect(ids == (0..<count).map { "m\($0)" })
  }

  @Test func `pulls large messages in small batches`() async throws {
    let text = String(repeating: "x", count: 50_000)
    try (0..<100).map { line("m\($0)", text) }.joined().append(to: folder.room())
    let room = try await joined(tail: 100)
    var batches: [Int] = []
    while batches.reduce(0, +) < 100, let updates = await room.next() {
      for case .replay(let events) in updates { batches.append(events.count) }
    }
    #expect(batches.allSatisfy { $0 <= 6 })
  }

  @Test func `ends when it is closed or its task is cancelled`() async throws {
    let room = try await joined()
    _ = await room.told(until: "live")
    let cancelled = Task { await room.next() == nil }
    cancelled.cancel()
    #expect(await cancelled.value)
    let waiting = Task { await room.next() == nil }
    await room.close()
    #expect(await waiting.value)
    #expect(await room.next() == nil)
    #expect(await room.send([outgoing("a")]).first?.error?.code == .closed)
  }
}
