internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// `banter log index ROOM`: takes in a room's whole past.
@MainActor
struct LogIndex {
  private let invocation: Invocation
  private let address: RoomAddress

  init(_ invocation: Invocation) throws {
    guard !invocation.words.isEmpty else {
      throw UsageError("log index wants a room", "방을 쓰세요")
    }
    self.invocation = invocation
    address = try invocation.room()
  }

  /// How much of the file one transaction takes in.
  private static let partBytes: Int64 = 4 << 20

  func run() async throws -> Int32 {
    let file = try RoomFileReader(path: try invocation.path(of: address))
    let (log, room) = (invocation.log, try invocation.loggedRoom(address))
    var cursor = try await log.takenIn(of: room).map(Cursor.init(value:))
    var progress = Progress(total: file.sizeInBytes, language: invocation.language)
    var isLast = false
    while !isLast {
      let part = try file.part(after: cursor, limit: Self.partBytes)
      try await log.record(part.events, ofPastIn: room, upTo: part.end.value, at: .now)
      while try await log.advanceIndex(by: 10_000) {}
      progress.advance(to: part.endInBytes)
      (cursor, isLast) = (part.end, part.isLast)
    }
    progress.finish()
    return EX_OK
  }
}
