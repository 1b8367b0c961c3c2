import ChatModel
import Glibc
import Testing

@testable import Transport

/// What becomes of a reader when its file does not stay where and what it was.
@Suite(.timeLimit(.minutes(5))) struct FileRoomChangeTests {
  let folder = TemporaryFolder()

  private func live(tail: Int = 50, at path: String? = nil) async throws -> FileRoom {
    let room = FileRoom(path: path ?? folder.room())
    try await room.join(tail: tail)
    _ = await room.told(until: "live")
    return room
  }

  @Test func `takes a room that is not there for an empty one`() async throws {
    let room = FileRoom(path: folder.room())
    try await room.join(tail: 50)
    #expect(await room.told(until: "live").words == ["live"])
    #expect(access(folder.room(), F_OK) != 0)
    try line("a").append(to: folder.room())
    #expect(await room.told(until: "event a").words == ["event a"])
  }

  @Test func `notices a room whose folders are made later`() async throws {
    let path = folder.room("deep/er/room.jsonl")
    let room = try await live(at: path)
    try await sendOne(outgoing("a"), to: FileRoom(path: path))
    #expect(await room.told(until: "event a").words == ["event a"])
  }

  @Test func `notices a room that appears with all its folders at once`() async throws {
    let room = try await live(at: folder.room("deep/er/room.jsonl"))
    // Waits already by the time at which the folders are ready.
    async let told = room.told(until: "event a").words
    let elsewhere = TemporaryFolder()
    try await sendOne(outgoing("a"), to: FileRoom(path: elsewhere.room("made/er/room.jsonl")))
    #expect(rename(elsewhere.room("made"), folder.room("deep")) == 0)
    #expect(await told == ["event a"])
  }

  @Test func `finishes a file that was rotated away`() async throws {
    try line("a").append(to: folder.room())
    let room = try await live()
    let torn = String(line("torn").dropLast())
    try (line("b") + torn).append(to: folder.room())
    #expect(rename(folder.room(), folder.room("old")) == 0)
    try line("c").append(to: folder.room())
    #expect(
      await room.told(until: "event c").words == ["event b", "event torn", "reset", "event c"])
  }

  @Test func `waits for a writer who is still in the file that was rotated away`() async throws {
    try line("a").append(to: folder.room())
    let room = try await live()
    let writer = open(folder.room(), O_WRONLY | O_APPEND)
    defer { close(writer) }
    #expect(flock(writer, LOCK_EX) == 0)
    #expect(rename(folder.room(), folder.room("old")) == 0)
    try line("c").append(to: folder.room())
    async let first = room.told(until: "event b")
    try await waitUntil { await room.isWaitingForWriter }
    try line("b").append(to: folder.room("old"))
    #expect(await first.words == ["event b"])
    #expect(flock(writer, LOCK_UN) == 0)
    #expect(await room.told(until: "event c").words == ["reset", "event c"])
  }

  @Test func `begins anew when the file is replaced`() async throws {
    try (line("a") + line("b")).append(to: folder.room())
    let room = try await live()
    try (line("b") + line("c")).append(to: folder.room("new"))
    #expect(rename(folder.room("new"), folder.room()) == 0)
    #expect(await room.told(until: "event c").words == ["reset", "event b", "event c"])
  }

  @Test func `begins anew when the file is truncated`() async throws {
    try (line("a") + line("b")).append(to: folder.room())
    let room = try await live()
    #expect(truncate(folder.room(), 0) == 0)
    #expect(await room.told(until: "reset").words == ["reset"])
    try line("c").append(to: folder.room())
    #expect(await room.told(until: "event c").words == ["event c"])
  }

  @Test func `notices a truncated file that has grown again beyond its place`() async throws {
    let room = FileRoom(path: folder.room(), watching: .polling)
    try line("a").append(to: folder.room())
    try await room.join(tail: 50)
    _ = await room.told(until: "live")
    #expect(truncate(folder.room(), 0) == 0)
    try (line("x", "another text") + line("y")).append(to: folder.room())
    #expect(await room.told(until: "event y").words == ["reset", "event x", "event y"])
  }

  @Test func `reads a last line anew that was cut off and written over`() async throws {
    try line("a").append(to: folder.room())
    let room = try await live()
    try #"{"messageID":"half-of-a-li"#.append(to: folder.room())
    async let told = room.told(until: "event b")
    try await waitUntil { await room.unfinishedBytes > 0 }
    #expect(truncate(folder.room(), Int(line("a").utf8.count)) == 0)
    try line("b", "longer than the half line was").append(to: folder.room())
    #expect(await told.words == ["event b"])
  }

  @Test func `keeps a deleted file and goes on with the next one`() async throws {
    try line("a").append(to: folder.room())
    let writer = open(folder.room(), O_WRONLY | O_APPEND)
    defer { close(writer) }
    let room = try await live()
    #expect(unlink(folder.room()) == 0)
    let late = Array(line("late").utf8)
    #expect(write(writer, late, late.count) == late.count)
    #expect(await room.told(until: "event late").words == ["event late"])
    try line("b").append(to: folder.room())
    #expect(await room.told(until: "event b").words == ["reset", "event b"])
  }

  @Test func `follows a link to where the file is`() async throws {
    #expect(mkdir(folder.room("elsewhere"), 0o755) == 0)
    let target = folder.room("elsewhere/file.jsonl")
    try line("a").append(to: target)
    #expect(symlink(target, folder.room()) == 0)
    let room = try await live()
    #expect(rename(target, target + ".1") == 0)
    try line("b").append(to: target)
    #expect(await room.told(until: "event b").words == ["reset", "event b"])
  }

  @Test func `tells of what took the file's place and cannot be read`() async throws {
    try line("a").append(to: folder.room())
    let room = try await live()
    #expect(unlink(folder.room()) == 0)
    #expect(mkdir(folder.room(), 0o755) == 0)
    #expect(await room.told(until: "offline invalid").words == ["offline invalid"])
    #expect(rmdir(folder.room()) == 0)
    try line("b").append(to: folder.room())
    #expect(await room.told(until: "event b").words == ["reset", "event b"])
  }
}
