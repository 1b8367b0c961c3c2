import ChatModel
import Dispatch
import Glibc
import Testing

@testable import Transport

/// Files that cannot be read or written, for real. Those that need a file
/// system of their own, or another user, run as root only, as CI does.
@Suite(.timeLimit(.minutes(5))) struct FileRoomFaultTests {
  let folder = TemporaryFolder()

  private enum Kind: CaseIterable { case folder, pipe, device, below }

  /// Something at a path that is no room, and what it is called.
  private func make(_ kind: Kind) -> (path: String, word: String) {
    switch kind {
    case .folder: (folder.path, "folder")
    case .pipe:
      mkfifo(folder.room(), 0o644) == 0 ? (folder.room(), "pipe") : ("", "")
    case .device: ("/dev/null", "device")
    case .below: ("/dev/null/room.jsonl", "Not a directory")
    }
  }

  @Test(arguments: Kind.allCases)
  private func `refuses what is no regular file, without hanging on it`(kind: Kind) async throws {
    let (path, word) = make(kind)
    let joining = await #expect(throws: TransportError.self) {
      try await FileRoom(path: path).join(tail: 50)
    }
    let sending = await FileRoom(path: path).send([outgoing("a")]).first?.error
    for error in [joining, sending] {
      #expect(error?.reason.contains(word) == true)
      #expect(error?.path == path)
      #expect([.invalid, .cannotCreate].contains(error?.code))
    }
  }

  @Test(.enabled(if: isRoot, "gives up root's right to read everything"))
  func `says who must not read or write`() async throws {
    try line("a").append(to: folder.room())
    chmod(folder.path, 0o755)
    chmod(folder.room(), 0o600)
    await #expect(processExitsWith: .success) { [path = folder.room() as String] in
      try #require(setgid(65534) == 0 && setuid(65534) == 0)
      let joining = await #expect(throws: TransportError.self) {
        try await FileRoom(path: path).join(tail: 50)
      }
      let sending = await FileRoom(path: path).send([outgoing("b")]).first?.error
      let creating = await FileRoom(path: path + ".new").send([outgoing("b")]).first?.error
      for error in [joining, sending, creating] {
        #expect(error?.code == .denied)
        #expect(error?.code.exitStatus == 77)
        #expect(error?.description.contains("Permission denied") == true)
      }
    }
  }

  @Test(.enabled(if: isRoot, "mounts a file system"))
  func `reads a room on a read-only file system and says why it cannot write`() async throws {
    let disk = try Mount(at: folder.room("disk"), sizeInBytes: 1 << 20)
    let path = disk.path + "/room.jsonl"
    try line("a").append(to: path)
    try disk.makeReadOnly()
    let room = FileRoom(path: path)
    try await room.join(tail: 50)
    #expect(await room.told(until: "live").words == ["replay a", "live"])
    let error = try #require(await room.send([outgoing("b")]).first?.error)
    #expect(error.code == .denied)
    #expect(error.reason.contains("Read-only"))
    await room.close()
  }

  @Test(.enabled(if: isRoot, "mounts a file system"))
  func `leaves nothing behind on a full disk, and goes on when there is room`() async throws {
    let disk = try Mount(at: folder.room("disk"), sizeInBytes: 64 * 1024)
    let path = disk.path + "/room.jsonl"
    try [UInt8](repeating: 0x78, count: 16 * 1024).append(to: disk.path + "/ballast")
    let room = FileRoom(path: path)
    var index = 0
    var failure: TransportError?
    while failure == nil, index < 1000 {
      let text = String(repeating: "y", count: 3000)
      failure = await room.send([outgoing("m\(index)", text)]).first?.error
      if failure == nil { index += 1 }
    }
    #expect(failure?.code == .noSpace)
    #expect(index > 5)
    #expect(try [UInt8](contentsOf: path).last == 0x0A)
    #expect(try lines(of: path).count == index)
    #expect(unlink(disk.path + "/ballast") == 0)
    #expect(try await !sendOne(outgoing("m\(index)"), to: room).isDuplicate)
    #expect(try lines(of: path).count == index + 1)
    await room.close()
  }

  @Test func `cuts a short write back off`() async throws {
    try line("a").append(to: folder.room())
    await #expect(processExitsWith: .success) { [path = folder.room() as String] in
      let whole = try [UInt8](contentsOf: path)
      // Room for a part of the next line: the write is short, not refused.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: rlim_t(whole.count + 10), rlim_max: .max)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let room = FileRoom(path: path)
      let receipts = await room.send([outgoing("b"), outgoing("c")])
      #expect(receipts.map { $0.error?.code } == [.noSpace, .noSpace])
      #expect(try [UInt8](contentsOf: path) == whole)
      limit.rlim_cur = .max
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      try await sendOne(outgoing("b"), to: room)
      #expect(try lines(of: path).count == 2)
    }
  }

  @Test func `is not disturbed by a reader while it cuts back`() async throws {
    try line("a").append(to: folder.room())
    let room = FileRoom(path: folder.room())
    try await room.join(tail: 50)
    _ = await room.told(until: "live")
    try #"{"messageID":"cut off"#.append(to: folder.room())
    async let told = room.told(until: "event b")
    try await waitUntil { await room.unfinishedBytes > 0 }
    #expect(truncate(folder.room(), Int(line("a").utf8.count)) == 0)
    try await sendOne(outgoing("b"), to: room)
    #expect(await told.words == ["event b"])
  }

  @Test func `polls when no inotify instance is to be had`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.room() as String] in
      try line("a").append(to: path)
      let queue = DispatchQueue(label: "test")
      let (changes, change) = AsyncStream.makeStream(of: Bool.self)
      // Dispatch opens what it waits with at its first timer, and for good.
      await withCheckedContinuation { continuation in
        queue.asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
      }
      // As many descriptors as are open now, and not one more.
      let next = dup(0)
      close(next)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let former = limit.rlim_cur
      limit.rlim_cur = rlim_t(next)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let watch = FileWatch(path: path, method: .automatic, queue: queue) { change.yield($0) }
      #expect(watch.isPolling)
      limit.rlim_cur = former
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for await _ in changes { break }
      withExtendedLifetime(watch) {}
    }
  }
}

/// A file system of its own size, for as long as this lives. tmpfs(5).
private final class Mount {
  let path: String

  init(at path: String, sizeInBytes: Int) throws {
    self.path = path
    try #require(mkdir(path, 0o755) == 0)
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(sizeInBytes)") == 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  func makeReadOnly() throws {
    let flags = UInt(MS_REMOUNT | MS_RDONLY)
    try #require(mount("tmpfs", path, "tmpfs", flags, nil) == 0)
  }
}
