import ChatModel
import Glibc
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct FileHistoryTests {
  let folder: TemporaryFolder
  let room: FileRoom

  init() throws {
    folder = TemporaryFolder()
    room = FileRoom(path: folder.room())
  }

  private func fill(_ range: Range<Int>) throws {
    try range.map { line("m\($0)") }.joined().append(to: folder.room())
  }

  @Test func `pages back to the first event, each event once`() async throws {
    try fill(0..<95)
    try "not an event\n".append(to: folder.room())
    try fill(95..<100)
    var ids: [String] = []
    var problems = 0
    var before: Cursor?
    while true {
      let page = try await room.history(before: before, limit: 30)
      #expect(page.events.count <= 30)
      ids = page.events.map(\.event.id) + ids
      problems += page.problems.count
      before = page.start
      if !page.more { break }
    }
    #expect(ids == (0..<100).map { "m\($0)" })
    #expect(problems == 1)
  }

  @Test func `goes on before a cursor of the replay, over a restart`() async throws {
    try fill(0..<10)
    try await room.join(tail: 3)
    let first = try #require(await room.told(until: "live").events.first)
    try fill(10..<20)
    let later = FileRoom(path: folder.room())
    let page = try await later.history(before: first.cursor, limit: 2)
    #expect(page.events.map(\.event.id) == ["m6", "m7"])
  }

  @Test func `refuses a cursor of a file that is no longer there`() async throws {
    try fill(0..<10)
    let cursor = try await room.history(before: nil, limit: 5).start
    #expect(truncate(folder.room(), 0) == 0)
    try fill(100..<200)
    for stale in [cursor, Cursor(value: "nonsense"), Cursor(value: "f1.0.-4.0")] {
      let error = await #expect(throws: TransportError.self) {
        try await room.history(before: stale, limit: 5)
      }
      #expect(error?.code == .gone)
    }
  }

  @Test func `has nothing to tell of a room that is not there`() async throws {
    let page = try await room.history(before: nil, limit: 5)
    #expect(page.events.isEmpty && !page.more)
  }
}

@Suite struct FileCursorTests {
  let folder = TemporaryFolder()

  @Test(arguments: [1, 1022, 1023, 1024, 1025, 5000])
  func `is the same whether made from the file or from the line`(size: Int) throws {
    let text = [UInt8](repeating: 0x78, count: size)
    try "first\n".append(to: folder.room())
    try (text + [0x0A]).append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    let place = try #require(try FileCursor(at: Int64(size) + 7, in: file))
    #expect(place.lineBefore == text.withUnsafeBytes { FileCursor.hash(lineBefore: $0) })
    #expect(FileCursor(place.cursor) == place)
    #expect(try place.matches(file))
  }

  @Test func `is only where a line has ended`() throws {
    try "first\nsecond".append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    #expect(try FileCursor(at: 0, in: file) == .start)
    #expect(try FileCursor(at: 6, in: file) != nil)
    for offset in [3, 7, 12, 500] as [Int64] {
      #expect(try FileCursor(at: offset, in: file) == nil)
    }
  }

  @Test func `does not match another file`() throws {
    try "first\nsecond\n".append(to: folder.room())
    try "other\nsecond\n".append(to: folder.room("other"))
    let place = try #require(
      try FileCursor(at: 13, in: try Descriptor.openFile(folder.room(), O_RDONLY)))
    #expect(try !place.matches(try Descriptor.openFile(folder.room("other"), O_RDONLY)))
  }
}
