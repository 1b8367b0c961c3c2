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
  private static let partBytes: Int64 = 8 << 20

  func run() async throws -> Int32 {
    let file = try RoomFileReader(path: try invocation.path(of: address))
    let (log, room) = (invocation.log, try invocation.loggedRoom(address))
    let cursor = try await log.takenIn(of: room).map(Cursor.init(value:))
    var progress = Progress(total: file.sizeInBytes, language: invocation.language)
    defer { progress.finish() }
    var part = try file.part(after: cursor, limit: Self.partBytes)
    while true {
      // The next part is read while this one is written.
      let current = part
      async let writing: Void = Self.write(current, to: log, room)
      let next = part.isLast ? nil : try file.part(after: part.end, limit: Self.partBytes)
      try await writing
      progress.advance(to: part.endInBytes)
      guard let next else { break }
      part = next
    }
    progress.finish()
    let count = try await log.messageCount(in: room)
    let text = invocation.language(
      "\(counted(count, "message")) of \(room.name) in the log",
      "기록에 \(room.name) 방의 메시지 \(count)개가 있습니다")
    try Output.standard.write(Output.standard.inert(text) + "\n")
    return EX_OK
  }

  private nonisolated static func write(
    _ part: RoomFileReader.Part, to log: LogStore, _ room: LoggedRoom
  ) async throws {
    try await log.record(part.events, ofPastIn: room, upTo: part.end.value, at: .now)
    while try await log.advanceIndex(by: 50_000) {}
  }
}
