import ChatModel
import Dispatch
import Executors
import Glibc
import Sockets
import TestSupport
import Testing
import TransportSecurity

@testable import Hub
@testable import Transport

/// Files over the line protocol, word by word.
@Suite(.timeLimit(.minutes(5))) struct FileTransferTests {
  @Test func `a file is stored by its digest, once, and what it is decides its extension`()
    async throws
  {
    let hub = try await FileHub()
    let client = try await hub.client()
    let png = TestFile([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + [7, 7])
    for (file, name, path) in [
      (TestFile(count: 200_000), "notes.TXT", ".txt"), (png, "photo.exe", ".png"),
      (TestFile([]), "nothing", ""),
    ] {
      let stored = FileClient.Outcome.stored(file.sha256 + path)
      #expect(try await client.put(file, name: name) == .ready(0))
      await client.send(file.bytes[...])
      #expect(try await client.outcome(of: "put") == stored)
      #expect(hub.contents(of: file.sha256 + path) == file.bytes)
      // Whoever brings it again need not.
      #expect(try await hub.client("jane").put(file, name: name) == stored)
    }
    #expect(hub.stored.count == 3)
  }

  @Test func `what is not what was said leaves nothing behind`() async throws {
    let hub = try await FileHub()
    let client = try await hub.client()
    let file = TestFile(count: 100_000)
    let other = TestFile(count: 100_000, seed: 2)
    #expect(try await client.put(file) == .ready(0))
    await client.send(other.bytes[...])
    guard case .refused(.invalid, let digest) = try await client.outcome(of: "put") else {
      throw Unfulfilled()
    }
    #expect(digest.contains("SHA-256"))
    for bytes in [file.bytes + [0], Array(file.bytes.dropLast())] {
      #expect(try await client.put(file) == .ready(0))
      await client.send(bytes[...])
      guard case .refused(.invalid, let size) = try await client.outcome(of: "put") else {
        throw Unfulfilled()
      }
      #expect(size.contains("100000 bytes"))
    }
    #expect(hub.stored.isEmpty)
    // Nothing of it is gone on with.
    #expect(try await client.put(file) == .ready(0))
  }

  @Test(arguments: [
    "!!!!", "AAA", "AAA=AAAA", "AB==", Base64.encode([UInt8](repeating: 1, count: 65_537)),
  ])
  func `a part that is no base64 of 64 KiB at most is refused`(data: String) async throws {
    let hub = try await FileHub()
    let client = try await hub.client()
    #expect(try await client.put(TestFile(count: 100_000)) == .ready(0))
    await client.say(.chunk(ref: "put", data: data, isLast: false))
    // What was on its way says nothing more.
    await client.send(TestFile(count: 100_000).bytes[...])
    guard case .refused(.invalid, _) = try await client.outcome(of: "put") else {
      throw Unfulfilled()
    }
    await client.say(.ping(ref: "ping"))
    guard case .pong = await client.next() else { throw Unfulfilled() }
    #expect(hub.stored.isEmpty)
  }

  @Test func `what cannot be taken is refused before anything is sent`() async throws {
    let hub = try await FileHub { $0.limits.fileBytes = 1_000 }
    let client = try await hub.client()
    let file = TestFile(count: 1_000)
    let large = TestFile(count: 1_001)
    #expect(
      try await client.put(large)
        == .refused(
          .tooLarge, "it is larger than 1.0 KB, which is the most; send a smaller one"))
    for name in [
      "", ".", "..", "../x", "a/b", "a\u{0}", "a\nb", String(repeating: "x", count: 256),
    ] {
      guard case .refused(.invalid, _) = try await client.put(file, name: name) else {
        throw Unfulfilled()
      }
    }
    for digest in ["", "../../etc/passwd", file.sha256.uppercased(), file.sha256 + "0"] {
      guard case .refused(.invalid, _) = try await client.put(file, sha256: digest) else {
        throw Unfulfilled()
      }
    }
    guard case .refused(.invalid, _) = try await client.put(file, size: -1),
      case .refused(.denied, _) = try await client.put(file, room: "other")
    else { throw Unfulfilled() }
    await client.say(.chunk(ref: "unheard of", data: "", isLast: true))
    guard case .refused(.invalid, _) = try await client.outcome(of: "unheard of") else {
      throw Unfulfilled()
    }
    #expect(try await client.put(file) == .ready(0))
    guard case .refused(.retry, _) = try await client.put(file, ref: "second") else {
      throw Unfulfilled()
    }
    // The first is not disturbed by that.
    await client.send(file.bytes[...])
    #expect(try await client.outcome(of: "put") == .stored("\(file.sha256).txt"))
  }

  @Test func `a hub for reading only hands out and takes nothing`() async throws {
    let hub = try await FileHub { $0.isReadOnly = true }
    hub.place("hello.txt", Array("hello".utf8))
    let client = try await hub.client()
    #expect(
      try await client.put(TestFile(count: 1))
        == .refused(.denied, "this hub is for reading only"))
    #expect(try await client.get("hello.txt").get() == Array("hello".utf8))
  }

  @Test func `only so many files are brought at once`() async throws {
    let hub = try await FileHub { $0.limits.uploads = 2 }
    var clients: [FileClient] = []
    for name in ["a", "b", "c"] { clients.append(try await hub.client(name)) }
    #expect(try await clients[0].put(TestFile(count: 10)) == .ready(0))
    #expect(try await clients[1].put(TestFile(count: 10)) == .ready(0))
    guard case .refused(.retry, _) = try await clients[2].put(TestFile(count: 10)) else {
      throw Unfulfilled()
    }
    await clients[0].say(.cancel(ref: "put"))
    #expect(await eventually { (try? await clients[2].put(TestFile(count: 10))) == .ready(0) })
  }

  @Test func `one who was cut off goes on where he stood, and nobody else does`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 300_000)
    let first = try await hub.client()
    #expect(try await first.put(file) == .ready(0))
    await first.send(file.bytes[..<150_000], endsHere: false)
    try await first.expect { if case .progress(_, 150_000, 300_000) = $0 { true } else { false } }
    await first.hangUp()
    #expect(await eventually { await hub.hub.clientCount == 0 })
    #expect(try await hub.client("jane").put(file) == .ready(0))
    let again = try await hub.client()
    #expect(try await again.put(file) == .ready(150_000))
    await again.send(file.bytes[150_000...])
    #expect(try await again.outcome(of: "put") == .stored("\(file.sha256).txt"))
    #expect(hub.contents(of: "\(file.sha256).txt") == file.bytes)
  }

  @Test func `what is not brought to its end is bounded, and gone with the hub`() async throws {
    let hub = try await FileHub()
    for seed in 1...8 {
      let client = try await hub.client()
      #expect(try await client.put(TestFile(count: 100, seed: UInt64(seed))) == .ready(0))
      await client.say(.chunk(ref: "put", data: "AAAA", isLast: false))
      try await client.expect { if case .progress = $0 { true } else { false } }
      await client.hangUp()
    }
    #expect(await eventually { hub.stored.count == 4 })
    await hub.hub.stop()
    await hub.hub.waitUntilEmpty()
    #expect(hub.stored.isEmpty)
  }

  @Test func `two bring the same file at once`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 500_000)
    let (one, other) = (try await hub.client(), try await hub.client())
    #expect(try await one.put(file) == .ready(0))
    #expect(try await other.put(file) == .ready(0))
    await one.send(file.bytes[..<200_000], endsHere: false)
    await other.send(file.bytes[...])
    await one.send(file.bytes[200_000...])
    for client in [one, other] {
      #expect(try await client.outcome(of: "put") == .stored("\(file.sha256).txt"))
    }
    #expect(hub.stored == ["\(file.sha256).txt"])
    #expect(hub.contents(of: "\(file.sha256).txt") == file.bytes)
  }

  @Test func `a file that is brought does not wait in the hub's memory for the disk`()
    async throws
  {
    let hub = try await FileHub()
    let file = TestFile(count: 4 << 20)
    let client = try await hub.client()
    #expect(try await client.put(file) == .ready(0))
    let gate = DispatchSemaphore(value: 0)
    hub.hub.files.executor.queue.async { gate.wait() }
    await client.send(file.bytes[...])
    #expect(await eventually { await hub.hub.waitingBytes > 512 * 1024 })
    // Others are heard all the while.
    let other = try await hub.client("jane")
    await other.say(.ping(ref: "x"))
    try await other.expect { if case .pong = $0 { true } else { false } }
    #expect(await hub.hub.waitingBytes < 1 << 20)
    #expect(await client.pendingBytes > 0)
    gate.signal()
    #expect(try await client.outcome(of: "put") == .stored("\(file.sha256).txt"))
  }

  // MARK: - Fetching

  @Test func `a file is fetched, from any byte on`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 200_000)
    hub.place("a.bin", file.bytes)
    hub.place("empty", [])
    let client = try await hub.client()
    #expect(try await client.get("a.bin").get() == file.bytes)
    #expect(try await client.get("a.bin", from: 70_000).get() == Array(file.bytes[70_000...]))
    #expect(try await client.get("a.bin", from: 200_000).get() == [])
    #expect(try await client.get("empty").get() == [])
    for offset in [-1, 200_001, .max] as [Int64] {
      let error = await #expect(throws: ProtocolError.self) {
        try await client.get("a.bin", from: offset).get()
      }
      #expect(error?.errorClass == .invalid)
    }
  }

  @Test func `nothing but the room's own regular files can be fetched`() async throws {
    let hub = try await FileHub()
    hub.place("a.txt", [1])
    hub.place(".incoming-1-2", [1])
    let path = "\(hub.folder.path)/rooms/lobby.files"
    symlink("/etc/passwd", "\(path)/link")
    symlink("a.txt", "\(path)/inner")
    mkdir("\(path)/folder", 0o700)
    mkfifo("\(path)/pipe", 0o600)
    let client = try await hub.client()
    let escapes = [
      "../../etc/passwd", "/etc/passwd", "..", ".", "", "folder/../a.txt", "./a.txt",
      ".incoming-1-2", "a.txt/", "a.txt\u{0}", "../lobby.jsonl", "/\u{301}etc", "link", "inner",
      "folder", "pipe",
    ]
    for (index, escape) in escapes.enumerated() {
      let error = await #expect(throws: ProtocolError.self) {
        try await client.get(escape, ref: "get\(index)").get()
      }
      #expect(error?.errorClass == .invalid, "\(escape)")
      #expect(error?.message.contains(hub.folder.path) == false)
    }
    let missing = await #expect(throws: ProtocolError.self) {
      try await client.get("b.txt").get()
    }
    #expect(missing?.errorClass == .notFound)
    await client.say(.get(ref: "x", room: "other", path: "a.txt", offset: 0))
    let other = try await client.rest(of: "x")
    #expect(throws: ProtocolError.self) { try other.get() }
    #expect(try await client.get("a.txt").get() == [1])
  }

  @Test func `cancel ends what a ref names`() async throws {
    let hub = try await FileHub()
    let file = TestFile(count: 4 << 20)
    hub.place("a.bin", file.bytes)
    let client = try await hub.client()
    await client.setReading(false)
    await client.say(.get(ref: "get", room: "lobby", path: "a.bin", offset: 0))
    #expect(await eventually { await hub.hub.outputBytes > 0 })
    await client.say(.cancel(ref: "get"), .ping(ref: "ping"))
    #expect(await eventually { await hub.hub.downloadCount == 0 })
    await client.setReading(true)
    var count = 0
    while case let answer? = await client.next() {
      if case .pong = answer { break }
      if case .chunk(_, _, let isLast) = answer {
        count += 1
        #expect(!isLast)
      }
    }
    #expect(count > 0 && count < 20)
    // Of what was being brought nothing is kept.
    #expect(try await client.put(file) == .ready(0))
    await client.send(file.bytes[..<1_000], endsHere: false)
    await client.say(.cancel(ref: "put"))
    await client.send(file.bytes[1_000..<2_000], endsHere: false)
    #expect(try await client.put(file, ref: "again") == .ready(0))
    await client.send(file.bytes[...], ref: "again")
    #expect(try await client.outcome(of: "again") == .stored("\(file.sha256).txt"))
  }

  @Test func `one who does not read costs the hub a few chunks, and gets everything later`()
    async throws
  {
    let hub = try await FileHub()
    let file = TestFile(count: 8 << 20)
    hub.place("a.bin", file.bytes)
    let slow = try await hub.client()
    await slow.setReading(false)
    for number in 1...5 {
      await slow.say(.get(ref: "\(number)", room: "lobby", path: "a.bin", offset: 0))
    }
    #expect(await eventually { await hub.hub.outputBytes > 128 * 1024 })
    let other = try await hub.client("jane")
    var most = 0
    for number in 1...200 {
      await other.say(.ping(ref: "\(number)"))
      try await other.expect { if case .pong = $0 { true } else { false } }
      most = max(most, await hub.hub.outputBytes)
    }
    #expect(most > 0 && most < 512 * 1024)
    for number in 2...4 { await slow.say(.cancel(ref: "\(number)")) }
    await slow.setReading(true)
    #expect(try await slow.rest(of: "1").get() == file.bytes)
  }
}

extension Hub {
  var clientCount: Int { clients.count }

  /// What waits for all who are connected.
  var outputBytes: Int { clients.values.reduce(0) { $0 + $1.connection.pendingBytes } }

  /// What has come and waits for the disk.
  var waitingBytes: Int { clients.values.reduce(0) { $0 + $1.transfers.waitingBytes } }
}
