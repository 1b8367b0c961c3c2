import ChatModel
import Glibc
import Testing

@testable import Transport

/// What becomes of a reader where nobody tells of changes, as on file systems
/// that other machines write to: it looks once a second.
@Suite(.timeLimit(.minutes(5))) struct FileRoomPollingTests {
  let folder = TemporaryFolder()

  private func live() async throws -> FileRoom {
    let room = FileRoom(path: folder.room("deep/room.jsonl"), watching: .polling)
    try await room.join(tail: 50)
    _ = await room.told(until: "live")
    return room
  }

  private func make(_ text: String, at name: String = "deep/room.jsonl") throws {
    mkdir(folder.room("deep"), 0o755)
    try text.append(to: folder.room(name))
  }

  @Test func `notices a room that appears with its folder`() async throws {
    let room = try await live()
    try make(line("a"))
    #expect(await room.told(until: "event a").words == ["event a"])
  }

  @Test func `waits for an unfinished line and reads it once`() async throws {
    try make(line("a"))
    let room = try await live()
    let text = line("torn")
    async let told = room.told(until: "event torn")
    try make(String(text.prefix(20)))
    try await waitUntil { await room.unfinishedBytes > 0 }
    try make(String(text.dropFirst(20)))
    #expect(await told.words == ["event torn"])
  }

  @Test(arguments: [false, true])
  func `begins anew when the file is replaced or deleted`(isDeleted: Bool) async throws {
    try make(line("a"))
    let room = try await live()
    if isDeleted {
      #expect(unlink(folder.room("deep/room.jsonl")) == 0)
      try make(line("b"))
    } else {
      try make(line("b"), at: "deep/new")
      #expect(rename(folder.room("deep/new"), folder.room("deep/room.jsonl")) == 0)
    }
    #expect(await room.told(until: "event b").words == ["reset", "event b"])
  }

  @Test func `begins anew when the file is truncated`() async throws {
    try make(line("a") + line("b"))
    let room = try await live()
    #expect(truncate(folder.room("deep/room.jsonl"), 0) == 0)
    #expect(await room.told(until: "reset").words == ["reset"])
    try make(line("c"))
    #expect(await room.told(until: "event c").words == ["event c"])
  }

  @Test func `looks once a second, also at what cannot be read`() async throws {
    try make(line("a"))
    let room = try await live()
    try makeUnreadable()
    async let end = room.told(until: "never")
    #expect(try await looksTooMany(at: room, during: .milliseconds(4500)) == 0)
    await room.close()
    #expect(await end.words == ["offline invalid"])
  }

  @Test func `has one look before it, however many there were`() async throws {
    try make(line("a"))
    let room = FileRoom(path: folder.room("deep/room.jsonl"))
    try await room.join(tail: 50)
    _ = await room.told(until: "live")
    try makeUnreadable()
    async let end = room.told(until: "never")
    for _ in 0..<20 {
      let count = await room.lookCount
      try makeUnreadable()
      try await waitUntil { await room.lookCount > count }
    }
    #expect(try await looksTooMany(at: room, during: .milliseconds(1500)) == 0)
    await room.close()
    #expect(await end.words == ["offline invalid"])
  }

  /// How many looks there are beyond one a second, of which one more may fall
  /// into any time, and two that come with the call that reads the room.
  private func looksTooMany(at room: FileRoom, during time: Duration) async throws -> Int {
    let (start, count) = (ContinuousClock.now, await room.lookCount)
    try await Task.sleep(for: time)
    let looks = await room.lookCount - count
    return max(0, looks - Int((ContinuousClock.now - start).components.seconds) - 3)
  }

  /// Puts a link to itself in the place of the room, which nobody can open.
  private func makeUnreadable() throws {
    let path = folder.room("deep/room.jsonl")
    try #require(symlink(path, folder.room("deep/loop")) == 0)
    try #require(rename(folder.room("deep/loop"), path) == 0)
  }

  @Test func `hears what it has sent itself once`() async throws {
    let room = try await live()
    try await sendOne(outgoing("a"), to: room)
    try await sendOne(outgoing("b"), to: room)
    #expect(await room.told(until: "event b").words == ["event a", "event b"])
  }
}
