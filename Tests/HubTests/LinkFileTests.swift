import ChatModel
import FileSystem
import Dispatch
import Executors
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Hub
@testable import Transport

/// Files of a room of a hub, as a prompt sees them.
@Suite(.timeLimit(.minutes(5))) struct LinkFileTests {
  /// Runs `body` with a room that is read all the while.
  private func withRoom(
    _ room: LinkRoom, _ body: (LinkRoom, any RoomFileStore) async throws -> Void
  ) async throws {
    await room.join(tail: 0)
    let reader = Task { while await room.next() != nil {} }
    defer { reader.cancel() }
    try await body(room, try #require(room.files))
    await room.close()
  }

  @Test func `what one sends another fetches once, for himself`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 1_000_000)
    let path = hub.folder.write("photo.jpg", [0xff, 0xd8, 0xff] + file.bytes)
    let stored = Mutex<FileReference?>(nil)
    try await withRoom(hub.room()) { _, files in
      let reference = try await files.store(path)
      #expect(reference.name == "photo.jpg" && reference.mediaType == "image/jpeg")
      #expect(reference.sizeInBytes == 1_000_003)
      #expect(reference.path == reference.sha256.map { "\($0).jpg" })
      stored.withLock { $0 = reference }
    }
    let kept = stored.withLock { $0 }
    let reference = try #require(kept)
    try await withRoom(hub.room("jane")) { _, files in
      let told = Mutex<Int64>(0)
      let fetched = try await files.fetch(reference.path, sha256: reference.sha256) { done, total in
        // How large it is to be, only the message tells.
        #expect(total == nil)
        told.withLock { $0 = max($0, done) }
      }
      #expect(TestSupport.contents(of: fetched.path) == TestSupport.contents(of: path))
      #expect(told.withLock { $0 } == 1_000_003)
      let modes = await Program.run("stat -c %a \(fetched.path) $(dirname \(fetched.path))")
      #expect(modes.lines == ["600", "700"])
      // From here on the hub is not asked.
      #expect(unlink("\(hub.folder.path)/rooms/lobby.files/\(reference.path)") == 0)
      #expect(try await files.fetch(reference.path, sha256: nil) { _, _ in }.path == fetched.path)
      // A file that has changed is fetched anew.
      hub.folder.write("\(fetched.path.dropFirst(hub.folder.path.count + 1))", "other")
      let error = await #expect(throws: TransportError.self) {
        try await files.fetch(reference.path, sha256: nil) { _, _ in }
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `what is cut off goes on when it is back`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 3_000_000)
    let path = hub.folder.write("a.bin", file.bytes)
    var random = SeededRandom(seed: 11)
    let limits = (1...3).map { _ in Int.random(in: 300_000...1_400_000, using: &random) }
    let (up, down) = (
      CuttingDialer(hub.address, after: limits), CuttingDialer(hub.address, after: limits)
    )
    let offsets = Mutex<[Int64]>([])
    try await withRoom(hub.room(through: up)) { _, files in
      let reference = try await files.store(path) { done, _ in offsets.withLock { $0.append(done) }
      }
      #expect(reference.path == "\(file.sha256).bin")
    }
    #expect(up.cutCount == 3)
    #expect(hub.stored == ["\(file.sha256).bin"])
    #expect(hub.contents(of: "\(file.sha256).bin") == file.bytes)
    // It never began anew.
    let told = offsets.withLock { $0 }
    #expect(told == told.sorted())
    try await withRoom(hub.room("jane", through: down)) { _, files in
      let fetched = try await files.fetch("\(file.sha256).bin", sha256: nil) { _, _ in }
      #expect(TestSupport.contents(of: fetched.path) == file.bytes)
    }
    #expect(down.cutCount == 3)
  }

  @Test func `too large a file is told before it is sent`() async throws {
    let hub = try await FileHub { $0.limits.fileBytes = 1_000 }
    let path = hub.folder.write("a.bin", TestFile(count: 1_001).bytes)
    try await withRoom(hub.room()) { room, files in
      #expect(await eventually { room.capabilities.maximumFileBytes == 1_000 })
      let error = await #expect(throws: TransportError.self) { try await files.store(path) }
      #expect(error?.code == .tooLarge)
      #expect(error?.description.contains("larger than 1.0 KB, which is the most") == true)
      for other in ["\(path)x", hub.folder.path] {
        await #expect(throws: TransportError.self) { try await files.store(other) }
      }
    }
    #expect(hub.stored.isEmpty)
  }

  @Test func `no more of a file comes than was asked for`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 300_000)
    hub.place("a.bin", file.bytes)
    try await withRoom(hub.room()) { _, files in
      let error = await #expect(throws: TransportError.self) {
        try await files.fetch("a.bin", sha256: nil, limit: 299_999) { _, _ in }
      }
      #expect(error?.code == .tooLarge)
      let fetched = try await files.fetch("a.bin", sha256: nil, limit: 300_000) { _, _ in }
      #expect(TestSupport.contents(of: fetched.path) == file.bytes)
    }
  }

  @Test func `a file of which no part comes is given up`() async throws {
    let hub = try await FileHub()
    hub.place("a.bin", [1, 2, 3])
    try await withRoom(hub.room(fileSilence: .milliseconds(200))) { room, files in
      #expect(await eventually { room.capabilities.images })
      hub.hub.files.executor.queue.suspend()
      defer { hub.hub.files.executor.queue.resume() }
      let error = await #expect(throws: TransportError.self) {
        try await files.fetch("a.bin", sha256: nil) { _, _ in }
      }
      #expect(error?.code == .unreachable && error?.reason.contains("no part of the file") == true)
      #expect(await room.transferCount == 0)
    }
  }

  @Test func `a file of which nothing is heard is given up, and the next goes its way`()
    async throws
  {
    let hub = try await FileHub()
    let path = hub.folder.write("a.bin", "hello")
    try await withRoom(hub.room(fileSilence: .milliseconds(200))) { room, files in
      #expect(await eventually { room.capabilities.images })
      hub.hub.files.executor.queue.suspend()
      let error = await #expect(throws: TransportError.self) { try await files.store(path) }
      hub.hub.files.executor.queue.resume()
      #expect(error?.code == .unreachable && error?.reason.contains("nothing was heard") == true)
      #expect(await room.transferCount == 0)
      #expect(await eventually { await hub.hub.uploadCount == 0 })
      let next = try await files.store(hub.folder.write("b.bin", "small"))
      #expect(hub.contents(of: next.path) == Array("small".utf8))
    }
  }

  @Test func `a file that is damaged in the room is repaired by whoever sends it anew`()
    async throws
  {
    let hub = try await FileHub()
    let path = hub.folder.write("a.bin", "hello")
    try await withRoom(hub.room()) { _, files in
      let stored = try await files.store(path)
      hub.place(stored.path, Array("hallo".utf8))
      #expect(try await files.store(path).path == stored.path)
      #expect(hub.contents(of: stored.path) == Array("hello".utf8))
      let inode = { try FileStatus(ofLink: "\(hub.folder.path)/rooms/lobby.files/\(stored.path)") }
      let before = try inode().identity
      #expect(try await files.store(path).path == stored.path)
      #expect(try inode().identity == before, "what is whole is not written again")
    }
  }

  @Test func `what is not what its name says is not kept`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 100)
    hub.place("\(file.sha256).png", [1, 2, 3])
    hub.place("plain.png", file.bytes)
    try await withRoom(hub.room()) { _, files in
      let error = await #expect(throws: TransportError.self) {
        try await files.fetch("\(file.sha256).png", sha256: nil) { _, _ in }
      }
      #expect(error?.reason.contains("SHA-256") == true)
      await #expect(throws: TransportError.self) {
        try await files.fetch("plain.png", sha256: TestFile([]).sha256) { _, _ in }
      }
      for path in ["../x", "", "a/b", ".x"] {
        await #expect(throws: TransportError.self) {
          try await files.fetch(path, sha256: nil) { _, _ in }
        }
      }
      let fetched = try await files.fetch("plain.png", sha256: nil) { _, _ in }
      #expect(fetched.path.hasSuffix("/\(file.sha256)"))
    }
    #expect(names(in: hub.cacheFolder).flatMap { names(in: "\(hub.cacheFolder)/\($0)") }.count == 1)
  }

  @Test func `the cache lets go of what was not used for longest`() async throws {
    let hub = try await FileHub()
    let files = (1...4).map { TestFile(count: 1_000, seed: UInt64($0)) }
    for (index, file) in files.enumerated() { hub.place("\(index)", file.bytes) }
    try await withRoom(hub.room(cacheBytes: 3_500)) { _, store in
      for (index, file) in files.prefix(3).enumerated() {
        let path = try await store.fetch("\(index)", sha256: file.sha256) { _, _ in }.path
        let time = timespec(tv_sec: 1_000 + index, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
      }
      _ = try await store.fetch("0", sha256: files[0].sha256) { _, _ in }
      _ = try await store.fetch("3", sha256: files[3].sha256) { _, _ in }
    }
    let kept = names(in: hub.cacheFolder).flatMap { names(in: "\(hub.cacheFolder)/\($0)") }
    #expect(kept == [files[0], files[2], files[3]].map(\.sha256).sorted())
  }

  @Test func `what is given up is not sent on`() async throws {
    let hub = try await FileHub()
    let path = hub.folder.write("a.bin", TestFile(count: 8 << 20).bytes)
    try await withRoom(hub.room()) { room, files in
      hub.hub.files.executor.queue.suspend()
      let task = Task { try await files.store(path) }
      #expect(await eventually { await hub.hub.uploadCount == 1 })
      task.cancel()
      await #expect(throws: TransportError.self) { try await task.value }
      hub.hub.files.executor.queue.resume()
      #expect(await eventually { await hub.hub.uploadCount == 0 && hub.stored.isEmpty })
      // The next goes its way.
      let small = hub.folder.write("b.bin", "small")
      let stored = try await files.store(small)
      #expect(stored.sizeInBytes == 5)
      #expect(await room.transferCount == 0)
    }
  }
}

extension LinkRoom {
  fileprivate var transferCount: Int { transfers.count }
}
