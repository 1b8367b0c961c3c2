import ChatModel
import Glibc
import Synchronization
import Testing
import Transport

/// Much at once, and those who take it slowly.
@Suite(.timeLimit(.minutes(5))) struct FlowTests {
  @Test func `one who stops reading holds up nobody, and hears everything once afterwards`()
    async throws
  {
    let hosting = try await Hosting {
      $0.limits.outputBytes = 64 * 1024
      // He says nothing either.
      $0.limits.silence = .seconds(3_600)
    }
    let slow = try await hosting.guest("slow")
    let quick = try await hosting.guest("quick")
    let jane = try await hosting.guest("jane")
    let filling = String(repeating: "x", count: 2000)
    let count = isSoak ? 20_000 : 800
    for start in stride(from: 0, to: count, by: 100) {
      try await jane.say((start..<(start + 100)).map { sending("\($0) \(filling)", id: "\($0)") })
      _ = try await jane.answer(to: "\(start + 99)").get()
      // He hears all of it at once.
      let heard = try await quick.messages(100)
      #expect(heard.last?.hasPrefix("\(start + 99) ") == true)
    }
    let heard = try await slow.messages(count)
    #expect(heard.map { $0.prefix { $0 != " " } } == (0..<count).map { "\($0)"[...] })
    try await jane.send("and then")
    #expect(try await slow.message() == "and then")
  }

  @Test func `a repeat of long ago is found, and what comes behind it stays in its order`()
    async throws
  {
    let hosting = try await Hosting()
    hosting.append(fileLine("start"))
    let filling = String(repeating: "x", count: 1000)
    let jane = try await hosting.guest("jane")
    let first = try await jane.join(tail: 1)
    let since = try #require(first.events.first?.cursor)
    try await jane.send("early", id: "early", since: since)
    _ = try await jane.answer(to: "early").get()
    try await jane.say(.bye)
    hosting.append((0..<4000).map { fileLine("\($0) \(filling)") }.joined())
    let again = try await hosting.guest("jane")
    try await again.send("early", id: "early", since: since)
    try await again.send("lost", id: "lost", since: since)
    for number in 0..<5 { try await again.send("\(number)", id: "n\(number)") }
    let found = try await again.answer(to: "early").get()
    #expect(found.isDuplicate)
    #expect(try await again.answer(to: "lost").get().isDuplicate == false)
    _ = try await again.answer(to: "n4").get()
    let contents = hosting.contents()
    #expect(contents.filter { $0 == "early" }.count == 1)
    #expect(contents.suffix(6) == ["lost", "0", "1", "2", "3", "4"])
  }

  @Test func `one who joins twice and is gone brings nobody down`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    for round in 0..<(isSoak ? 2_000 : 50) {
      let caller = try hosting.tcpCaller()
      try await caller.greet(as: "hasty")
      hosting.say("\(round)")
      try await caller.say(
        .join(ref: "1", JoinRequest(room: "lobby")), .join(ref: "2", JoinRequest(room: "lobby")))
      caller.resetAtEnd()
    }
    try await jane.send("still here")
    _ = try await jane.answer(to: "still here").get()
  }

  @Test func `a block that is larger than what may wait is heard by all`() async throws {
    let hosting = try await Hosting { $0.limits.outputBytes = 1000 }
    let listeners = [try await hosting.guest("a"), try await hosting.guest("b")]
    let jane = try await hosting.guest("jane")
    let long = String(repeating: "x", count: 100_000)
    try await jane.send(long, id: "long")
    for listener in listeners { #expect(try await listener.message() == long) }
    hosting.append((1...500).map { fileLine("\($0)") }.joined())
    for listener in listeners {
      #expect(try await listener.messages(500) == (1...500).map(String.init))
    }
  }

  @Test(arguments: [false, true])
  func `a long replay comes whole, whatever is said meanwhile`(overTCP: Bool) async throws {
    let hosting = try await Hosting()
    let count = isSoak ? 9_000 : 2_000
    let filling = String(repeating: "x", count: 1000)
    hosting.append((0..<count).map { fileLine("\($0) \(filling)") }.joined())
    let late = try overTCP ? hosting.tcpCaller() : hosting.caller()
    try await late.greet(as: "late")
    try await late.say(.join(ref: "j", JoinRequest(room: "lobby", tail: count)))
    let jane = try await hosting.guest("jane")
    for number in 0..<20 {
      try await jane.send("new \(number)")
      hosting.say("elsewhere \(number)")
    }
    let heard = try await late.messages(count + 40).map { $0.replacing(" " + filling, with: "") }
    #expect(Array(heard.prefix(count)) == (0..<count).map { "\($0)" })
    #expect(heard.dropFirst(count).filter { $0.hasPrefix("new") } == (0..<20).map { "new \($0)" })
    #expect(Set(heard).count == count + 40)
  }

  @Test func `one who asks for much and reads nothing gets no more than may wait`() async throws {
    let hosting = try await Hosting()
    hosting.append(
      (0..<1000).map { fileLine("\($0)" + String(repeating: "x", count: 500)) }.joined())
    let greedy = try await hosting.guest("greedy")
    let asking = Request.history(ref: "h", HistoryRequest(room: "lobby", limit: 1000))
    let before = residentBytes()
    try await greedy.say([Request](repeating: asking, count: 2000))
    let jane = try await hosting.guest("jane")
    try await jane.send("hello")
    _ = try await jane.answer(to: "hello").get()
    #expect(residentBytes() - before < 200 << 20)
    for _ in 0..<4 {
      _ = try await greedy.first { if case .page = $0 { true } else { nil } }
    }
  }

  /// proc_pid_statm(5).
  private func residentBytes() -> Int {
    let text = String(decoding: contents(of: "/proc/self/statm") ?? [], as: UTF8.self)
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4096
  }

  @Test func `one who never stops talking lets others have their turn`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let talker = try await hosting.guest("talker")
    let talking = Task {
      let pings = [Request](repeating: .ping(ref: nil), count: 1000)
      while !Task.isCancelled { try await talker.say(pings) }
    }
    let reading = Task { while !Task.isCancelled { _ = try await talker.line() } }
    for number in 0..<20 {
      try await jane.send("\(number)")
      _ = try await jane.answer(to: "\(number)").get()
    }
    talker.hangUp()
    talking.cancel()
    reading.cancel()
    _ = await (talking.result, reading.result)
  }

  @Test func `a line may arrive in any two parts`() async throws {
    let hosting = try await Hosting()
    let requests: [Request] = [
      .hello(Hello(client: "test", profile: Profile(id: "jane", name: "제인"))),
      .join(ref: "j", JoinRequest(room: "lobby", tail: 1)),
      sending("안녕 \"x\""), .ping(ref: "p"),
    ]
    var bytes: [UInt8] = []
    for request in requests { request.encode(into: &bytes) }
    for cut in 1..<bytes.count {
      let jane = try hosting.caller()
      try await jane.say(Array(bytes[..<cut]))
      await Task.yield()
      try await jane.say(Array(bytes[cut...]))
      _ = try await jane.answer(to: "안녕 \"x\"").get()
    }
    for caller in [try await hosting.guest("slow")] {
      var line: [UInt8] = []
      sending("byte by byte").encode(into: &line)
      for byte in line { try await caller.say([byte]) }
      _ = try await caller.answer(to: "byte by byte").get()
    }
  }

  @Test func `what waits for a lock waits within bounds`() async throws {
    let hosting = try await Hosting {
      $0.limits.unansweredBytes = 50_000
      $0.limits.lockPatience = .seconds(30)
    }
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    let lock = open(hosting.path(), O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX)
    let filling = String(repeating: "x", count: 10_000)
    let said = Counter()
    let saying = Task {
      for number in 0..<400 {
        try await jane.say(sending("\(number) \(filling)", id: "\(number)"))
        said.add()
      }
    }
    try await Task.sleep(for: .seconds(2))
    #expect(said.value < 200)
    close(lock)
    _ = try await jane.answer(to: "399").get()
    try await saying.value
    #expect(hosting.contents().count == 401)
  }

  @Test func `many who come and go, however they go, leave nothing behind`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          var random = SeededRandom(seed: UInt64(task))
          for number in 0..<(isSoak ? 2000 : 100) {
            let caller = try random.once(in: 2) ? hosting.caller() : hosting.tcpCaller()
            if random.once(in: 4) { continue }
            try await caller.greet(as: "\(task)")
            if random.once(in: 4) { caller.endWriting() }
            try? await caller.say(
              .join(ref: "j", JoinRequest(room: "lobby", tail: 10)), sending("\(task) \(number)"))
            if random.once(in: 2) { _ = try? await caller.line() }
            if random.once(in: 3) { caller.hangUp() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      await eventually {
        try? await jane.say(.members(ref: "m", room: "lobby"))
        let members = try? await jane.first {
          if case .members(_, let items, _) = $0 { items } else { nil }
        }
        return members?.map(\.id) == ["jane"]
      })
    #expect(Set(hosting.contents()).count == hosting.contents().count)
  }

  /// A connection that breaks between acceptance and acknowledgement.
  @Test func `however often the connection breaks, what is repeated is there once`()
    async throws
  {
    let hosting = try await Hosting()
    var random = SeededRandom(seed: 7)
    var jane = try await hosting.guest("jane")
    var since = try await jane.join().live
    var acknowledged: Set<String> = []
    for number in 0..<(isSoak ? 500 : 60) {
      var isRepeat = false
      while true {
        let id = "\(number)"
        try await jane.send(id, since: isRepeat ? since : nil)
        if random.once(in: 2) {
          if random.once(in: 2) { await Task.yield() }
          if random.once(in: 3) { _ = try? await jane.line() }
          jane.hangUp()
          jane = try await hosting.guest("jane")
          isRepeat = true
          continue
        }
        let place = try await jane.answer(to: id).get()
        acknowledged.insert(id)
        if let cursor = place.cursor, random.once(in: 3) { since = cursor }
        break
      }
    }
    #expect(hosting.contents() == acknowledged.sorted { Int($0) ?? 0 < Int($1) ?? 0 })
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
