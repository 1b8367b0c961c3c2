import ChatModel
import FileSystem
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct RoomFilesTests {
  let folder: TemporaryFolder
  let files: RoomFiles

  init() throws {
    folder = TemporaryFolder()
    files = RoomFiles(room: folder.room())
  }

  private func stored() -> [String] {
    names(in: folder.room("room.files"))
  }

  @Test func `keeps a file under its digest and its extension, once`() async throws {
    try "hello".append(to: folder.room("greeting.TXT"))
    let file = try await files.store(folder.room("greeting.TXT"))
    let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    #expect(file.path == "\(digest).txt" && file.sha256 == digest && file.name == "greeting.TXT")
    #expect(file.sizeInBytes == 5)
    let inode = { try FileStatus(ofLink: folder.room("room.files/\(file.path)")).identity }
    let before = try inode()
    #expect(try await files.store(folder.room("greeting.TXT")).path == file.path)
    #expect(stored() == [file.path])
    #expect(try inode() == before, "it is not written again")
    #expect(files.location(of: file.path) == folder.room("room.files/\(file.path)"))
  }

  @Test func `hands out nothing that is not what its name or its message says`() async throws {
    try "hello".append(to: folder.room("greeting.txt"))
    let file = try await files.store(folder.room("greeting.txt"))
    let path = try #require(files.location(of: file.path))
    let fetch = { (name: String, sha256: String?) in
      try await self.files.fetch(name, sha256: sha256) { _, _ in }.path
    }
    #expect(try await fetch(file.path, file.sha256) == path)
    #expect(try await fetch(file.path, nil) == path)
    let other = String(repeating: "0", count: 64)
    try "hello".append(to: folder.room("room.files/plain.txt"))
    #expect(try await fetch("plain.txt", nil).hasSuffix("/plain.txt"))
    #expect(try await fetch("plain.txt", file.sha256).hasSuffix("/plain.txt"))
    try "hallo".append(to: folder.room("room.files/other"))
    #expect(rename(folder.room("room.files/other"), path) == 0)
    for (name, sha256) in [(file.path, file.sha256), (file.path, nil), ("plain.txt", other)] {
      let error = await #expect(throws: TransportError.self) { _ = try await fetch(name, sha256) }
      #expect(error?.code == .altered)
    }
    let error = await #expect(throws: TransportError.self) { _ = try await fetch(other, nil) }
    #expect(error?.code == .notFound)
    // Sent anew, it is what it was.
    #expect(try await files.store(folder.room("greeting.txt")).path == file.path)
    #expect(try await fetch(file.path, file.sha256) == path)
  }

  @Test func `hands out nothing that is larger than was asked for`() async throws {
    try "hello".append(to: folder.room("greeting.txt"))
    let file = try await files.store(folder.room("greeting.txt"))
    let path = try #require(files.location(of: file.path))
    let fetch = { (limit: Int64) in
      try await self.files.fetch(file.path, sha256: nil, limit: limit) { _, _ in }.path
    }
    #expect(try await fetch(5) == path)
    let error = await #expect(throws: TransportError.self) { _ = try await fetch(4) }
    #expect(error?.code == .tooLarge)
  }

  @Test func `the contents are those that the name and the message say, or none`() async throws {
    try "hello".append(to: folder.room("greeting.txt"))
    let file = try await files.store(folder.room("greeting.txt"))
    func contents(_ path: String, _ sha256: String? = nil, limit: Int64 = 5) throws -> String {
      String(
        decoding: try files.contents(of: path, sha256: sha256, limit: limit), as: UTF8.self)
    }
    #expect(try contents(file.path, file.sha256) == "hello")
    try "hallo".append(to: folder.room("room.files/plain.txt"))
    #expect(try contents("plain.txt") == "hallo")
    #expect(symlink(folder.room("greeting.txt"), folder.room("room.files/link.txt")) == 0)
    #expect(mkfifo(folder.room("room.files/pipe"), 0o600) == 0)
    #expect(rename(folder.room("room.files/plain.txt"), folder.room("room.files/other")) == 0)
    for (path, sha256, limit) in [
      ("link.txt", nil, 5), ("pipe", nil, 5), ("none", nil, 5), ("../greeting.txt", nil, 5),
      ("other", nil, 4), ("other", file.sha256, 5),
    ] as [(String, String?, Int64)] {
      #expect(throws: TransportError.self) { _ = try contents(path, sha256, limit: limit) }
    }
    #expect(rename(folder.room("room.files/other"), folder.room("room.files/\(file.path)")) == 0)
    let error = #expect(throws: TransportError.self) { _ = try contents(file.path) }
    #expect(error?.code == .altered)
  }

  @Test func `brings what was opened, whatever is there by then`() async throws {
    try "hello".append(to: folder.room("greeting.txt"))
    let opened = try RoomFiles.open(folder.room("greeting.txt"), limit: 5)
    try "secret".append(to: folder.room("secret"))
    #expect(rename(folder.room("secret"), folder.room("greeting.txt")) == 0)
    let file = try await files.store(opened) { _, _ in }
    #expect(file.name == "greeting.txt" && file.sizeInBytes == 5)
    let path = try #require(files.location(of: file.path))
    #expect(contents(of: path) == Array("hello".utf8))
  }

  @Test func `tells how far a copy is, and looks at a file before it is read`() async throws {
    let path = folder.room("large.bin")
    try "".append(to: path)
    #expect(truncate(path, 3 << 20) == 0)
    let heard = Mutex<[Int64]>([])
    _ = try await files.store(path) { done, total in
      heard.withLock { $0.append(done * 100 / (total ?? done)) }
    }
    #expect(heard.withLock(\.self) == [33, 66, 100])
    #expect(try RoomFiles.open(path, limit: 3 << 20).path == path)
    for (path, code) in [
      (path, TransportError.Code.tooLarge), (folder.path, .invalid), (path + "x", .notFound),
    ] {
      let error = #expect(throws: TransportError.self) {
        _ = try RoomFiles.open(path, limit: (3 << 20) - 1)
      }
      #expect(error?.code == code)
    }
  }

  @Test func `what was checked is what is read, whatever takes its place`() async throws {
    try "hello".append(to: folder.room("greeting.txt"))
    let stored = try await files.store(folder.room("greeting.txt"))
    let path = try #require(files.location(of: stored.path))
    let fetched = try await files.fetch(stored.path, sha256: nil) { _, _ in }
    try "hallo".append(to: folder.room("other"))
    #expect(rename(folder.room("other"), path) == 0)
    #expect(contents(of: "/proc/self/fd/\(fetched.number)") == Array("hello".utf8))
  }

  @Test func `what is written where it is shows, though it sets its time back`() throws {
    try "hello".append(to: folder.room("room.files-1"))
    let path = folder.room("room.files-1")
    let file = try RoomFiles.open(path, limit: 5)
    #expect(file.isUnchanged)
    #expect(Program.runAndWait("touch -r \(path) \(path).time; printf hallo >\(path)").status == 0)
    #expect(Program.runAndWait("touch -r \(path).time \(path)").status == 0)
    #expect(!file.isUnchanged)
  }

  @Test func `of a file that grows meanwhile, no more is taken than was looked at`() async throws {
    let path = folder.room("growing.log")
    try "hello".append(to: path)
    let source = try Descriptor.openFile(path, O_RDONLY, as: .attachment)
    let size = try FileStatus(of: source).sizeInBytes
    #expect(truncate(path, 10) == 0)
    let copy = try IncomingFile(in: folder.path)
    let copied = try copy.fill(from: source, upTo: size) { _ in }
    #expect(copied.sizeInBytes == 5)
    #expect(copied.sha256 == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(contents(of: copy.contents.path) == Array("hello".utf8))
    // One that became shorter is as long as what was copied.
    #expect(truncate(path, 4) == 0)
    let shorter = try IncomingFile(in: folder.path).fill(from: source, upTo: size) { _ in }
    #expect(shorter.sizeInBytes == 4)
  }

  @Test(arguments: ["", ".", "..", "../x", "a/b", "a/\u{301}b", "/\u{301}etc", "a\0", ".hidden"])
  func `is not led out of its folder`(path: String) {
    #expect(files.location(of: path) == nil)
  }

  @Test func `says of a folder that it is none to attach, not that it is no room`() async throws {
    let error = await #expect(throws: TransportError.self) {
      _ = try await files.store(folder.path)
    }
    #expect(error?.code == .invalid)
    #expect(error?.reason == "this is a folder, and only files can be attached; name a file")
  }

  @Test func `removes what a writer left behind that has died, and nothing else`() async throws {
    _ = try await files.store("/etc/passwd")
    let names = [".incoming-1-left", ".incoming-1-held", "old"]
    for name in names { try "half".append(to: folder.room("room.files/\(name)")) }
    let held = open(folder.room("room.files/.incoming-1-held"), O_RDONLY)
    #expect(flock(held, LOCK_EX) == 0)
    defer { close(held) }
    try "hello".append(to: folder.room("a"))
    _ = try await files.store(folder.room("a"))
    #expect(stored().filter { names.contains($0) } == [".incoming-1-held", "old"])
  }

  @Test func `what is given up leaves nothing behind`() async throws {
    try "hello".append(to: folder.room("a"))
    let path = folder.room("a")
    let storing = Task { try await files.store(path) }
    storing.cancel()
    let error = await #expect(throws: TransportError.self) { _ = try await storing.value }
    #expect(error?.code == .closed)
    #expect(stored() == [])
  }

  @Test(arguments: ["/proc/self/status", "/sys/kernel/mm/transparent_hugepage/enabled"])
  func `takes no file whose size is not that of its contents`(path: String) async throws {
    try #require(access(path, R_OK) == 0)
    let error = await #expect(throws: TransportError.self) { _ = try await files.store(path) }
    #expect(error?.code == .invalid && error?.path == path)
    #expect(stored() == [])
  }

  @Test func `a cache that was removed meanwhile is made anew`() async throws {
    let cache = FileCache(folder: folder.room("cache/files"))
    let part = try await cache.makePart(in: "room")
    let written = Array("hello".utf8).withUnsafeBytes { bytes in
      Result { () throws(TransportError) in try part.file.write(bytes) }
    }
    try written.get()
    let removal = Program.runAndWait("rm -r \(folder.room("cache"))")
    #expect(removal.status == 0)
    let file = try await cache.keep(part, as: nil, in: "room")
    #expect(contents(of: file.path) == Array("hello".utf8))
  }
}
