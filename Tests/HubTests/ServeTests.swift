import ChatModel
import Glibc
import Synchronization
import TestSupport
import Testing
import Transport

/// A `banter serve` of its own, at a Unix socket, with a folder of rooms.
final class Serving: Sendable {
  let folder = TemporaryFolder()
  /// Whether nobody ends it any more.
  let isLasting = Atomic(false)

  init() {
    mkdir("\(folder.path)/rooms", 0o700)
  }

  private static let banter: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    _ = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    let beside = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex) + "/banter"
    if access(String(beside), X_OK) == 0 { return String(beside) }
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return "/\(root)/.build/debug/banter"
  }()

  /// Runs it until it ends; `prefix` is what it is run by, such as strace.
  func run(_ prefix: String = "", _ room: String = "rooms") async -> Outcome {
    await Program.run(
      "cd \(folder.path); rm -f socket; echo $$ >process; "
        + "XDG_CONFIG_HOME=\(folder.path) exec \(prefix) \(Self.banter) serve "
        + "--listen unix://\(folder.path)/socket --open \(room)", seconds: 100)
  }

  func kill(_ signal: String = "KILL") {
    _ = Program.runAndWait(
      "cd \(folder.path); pkill -\(signal) -P $(cat process); kill -\(signal) $(cat process)",
      seconds: 10)
  }

  /// One who is in the lobby, once it is there.
  func guest(_ id: String) async throws -> Caller {
    var found: Caller?
    _ = await eventually(within: .seconds(80)) {
      guard let caller = try? Caller(unix: "\(folder.path)/socket"),
        (try? await caller.greet(as: id)) != nil, (try? await caller.join()) != nil
      else { return false }
      found = caller
      return true
    }
    return try #require(found)
  }

  func ids(in room: String = "rooms/lobby.jsonl") -> [String] {
    String(decoding: folder.read(room) ?? [], as: UTF8.self).split(separator: "\n").compactMap {
      (try? EventCodec.decode(String($0)))?.id
    }
  }
}

/// The real program.
@Suite(.serialized, .timeLimit(.minutes(isSoak ? 30 : 2))) struct ServeSoakTests {
  @Test func `killed under load, it has everything that it acknowledged, once`() async throws {
    let serving = Serving()
    let rounds = isSoak ? 30 : 3
    async let running: Void = {
      for _ in 0..<rounds { _ = await serving.run() }
      // The last one is there until all have been acknowledged.
      _ = await serving.run()
    }()
    let names = ["a", "b", "c"]
    let acknowledged = try await withThrowingTaskGroup(of: [String].self) { group in
      for name in names {
        group.addTask {
          try await talk(as: name, to: serving)
        }
      }
      group.addTask {
        for round in 0..<rounds {
          _ = try await serving.guest("witness \(round)")
          try await Task.sleep(for: .milliseconds(300))
          serving.kill()
        }
        _ = try await serving.guest("last witness")
        serving.isLasting.store(true, ordering: .relaxed)
        return []
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let found = serving.ids()
    #expect(found.count == Set(found).count)
    #expect(Set(found).isSuperset(of: acknowledged))
    for name in names {
      let own = found.filter { $0.hasPrefix(name) }
      #expect(own == own.indices.map { "\(name)\($0)" })
    }
    serving.kill("TERM")
    _ = await running
  }

  /// Sends one message after the other, and repeats what was not acknowledged.
  private func talk(
    as name: String, to serving: Serving
  ) async throws -> [String] {
    var acknowledged: [String] = []
    var since = Cursor(value: "f1.0.0.0")
    while true {
      let caller = try await serving.guest(name)
      var isRepeat = true
      while true {
        let id = "\(name)\(acknowledged.count)"
        guard (try? await caller.send(id, since: isRepeat ? since : nil)) != nil,
          let place = try? await caller.answer(to: id).get()
        else { break }
        acknowledged.append(id)
        since = place.cursor ?? since
        isRepeat = false
        if serving.isLasting.load(ordering: .relaxed) { return acknowledged }
      }
    }
  }

  @Test func `what could not be synced is not acknowledged until it was written anew`()
    async throws
  {
    let serving = Serving()
    let trace = "\(serving.folder.path)/trace"
    async let running = serving.run(
      "strace -f -qq -o \(trace) -e trace=fdatasync,pwrite64 "
        + "--inject=fdatasync:error=EIO:when=1")
    defer { serving.kill("TERM") }
    let jane = try await serving.guest("jane")
    let since = try await jane.join().live
    try await jane.send("my words")
    guard case .failure(let error) = try await jane.answer(to: "my words") else {
      Issue.record("acknowledged although it may not be on the disk")
      return
    }
    #expect(!error.isCertain && error.errorClass == .retry)
    // It fails once in each thread.
    while true {
      try await jane.send("my words", since: since)
      guard case .success(let place) = try await jane.answer(to: "my words") else { continue }
      #expect(place.isDuplicate)
      break
    }
    #expect(serving.ids() == ["my words"])
    jane.hangUp()
    serving.kill("TERM")
    _ = await running
    let calls = String(decoding: contents(of: trace) ?? [], as: UTF8.self).split(separator: "\n")
      .compactMap { line in ["fdatasync(", "pwrite64("].first { line.contains($0) } }
    #expect(calls.count >= 3 && calls.count.isMultiple(of: 2) == false)
    for (index, call) in calls.enumerated() {
      #expect(call == (index.isMultiple(of: 2) ? "fdatasync(" : "pwrite64("))
    }
  }

  @Test func `what is repeated during a sync that fails is written anew`() async throws {
    let serving = Serving()
    let trace = "\(serving.folder.path)/trace"
    async let running = serving.run(
      "strace -f -qq -o \(trace) -e trace=fdatasync,pwrite64 "
        + "--inject=fdatasync:error=EIO:delay_enter=500ms:when=1")
    defer { serving.kill("TERM") }
    let jane = try await serving.guest("jane")
    try await jane.send("my words", ref: "first")
    #expect(await eventually { serving.ids() == ["my words"] })
    try await jane.send("my words", ref: "second")
    var answer = try await jane.answer(to: "second")
    while case .failure(let error) = answer {
      #expect(!error.isCertain)
      try await jane.send("my words", since: Cursor(value: "f1.0.0.0"), ref: "again")
      answer = try await jane.answer(to: "again")
    }
    #expect(serving.ids() == ["my words"])
    jane.hangUp()
    serving.kill("TERM")
    _ = await running
    let text = String(decoding: contents(of: trace) ?? [], as: UTF8.self)
    #expect(text.contains("pwrite64("))
  }

  @Test func `the name of a new room is put on the disk before it is acknowledged`() async throws {
    let serving = Serving()
    let trace = "\(serving.folder.path)/trace"
    async let running = serving.run(
      "strace -f -qq -o \(trace) -y -e trace=fdatasync,fsync")
    defer { serving.kill("TERM") }
    let jane = try await serving.guest("jane")
    try await jane.send("hello")
    _ = try await jane.answer(to: "hello").get()
    jane.hangUp()
    serving.kill("TERM")
    _ = await running
    let text = String(decoding: contents(of: trace) ?? [], as: UTF8.self)
    #expect(text.contains("lobby.jsonl>)"))
    #expect(text.contains("/rooms>)"))
  }

  @Test(
    .enabled(
      if: getuid() == 0 && Program.runAndWait("unshare -m true", seconds: 10).status == 0,
      "mounting needs root"))
  func `on a full disk nothing is acknowledged, and it goes on once there is room`()
    async throws
  {
    let serving = Serving()
    let path = serving.folder.path
    mkdir("\(path)/small", 0o700)
    let inner = "mount -t tmpfs -o size=64k tmpfs small && head -c 70000 /dev/zero >small/fill; "
    async let running = serving.run(
      "unshare -m sh -c \(quoted(inner + "exec \"$@\"")) sh", "small")
    defer { serving.kill("TERM") }
    let jane = try await serving.guest("jane")
    try await jane.send("stuck")
    guard case .failure(let error) = try await jane.answer(to: "stuck") else {
      Issue.record("acknowledged although the disk is full")
      return
    }
    #expect(error.errorClass == .retry && error.isCertain)
    let process = String(decoding: serving.folder.read("process") ?? [], as: UTF8.self)
      .filter(\.isNumber)
    let inside = "/proc/\(process)/root\(path)/small"
    _ = await Program.run("rm \(inside)/fill", seconds: 10)
    try await jane.send("stuck")
    _ = try await jane.answer(to: "stuck").get()
    let text = String(decoding: contents(of: "\(inside)/lobby.jsonl") ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").count == 1)
    jane.hangUp()
    serving.kill("TERM")
    #expect(await running.status == 0)
  }
}
