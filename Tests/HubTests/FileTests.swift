import ChatModel
import CPosix
import Glibc
import Testing
import Transport

/// The room's file, to which others append, and which others replace.
@Suite(.timeLimit(.minutes(5))) struct FileTests {
  @Test(arguments: [true, false])
  func `what others append is heard, in the order of the file`(isFolder: Bool) async throws {
    let hosting = try await Hosting(file: isFolder ? nil : "rooms/lobby.jsonl")
    let jane = try await hosting.guest("jane")
    for number in 0..<20 {
      if number.isMultiple(of: 2) {
        hosting.say("\(number)")
      } else {
        try await jane.send("\(number)")
        _ = try await jane.first { if case .ack = $0 { true } else { nil } }
      }
      if number == 3 { hosting.append("{no event\n\n") }
    }
    let minsu = try hosting.caller()
    try await minsu.greet(as: "minsu")
    let told = try await minsu.join(tail: 100).contents
    #expect(told == (0..<20).map(String.init))
    #expect(hosting.contents() == told)
    #expect(hosting.told.filter { $0.kind == .problem }.count == 1)
  }

  @Test func `whoever writes how, all hear the same in the same order`() async throws {
    let hosting = try await Hosting()
    let listener = try await hosting.guest("listener")
    let count = isSoak ? 2000 : 200
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["a", "b"] {
        let caller = try await hosting.guest(name)
        group.addTask {
          for number in 0..<count {
            try await caller.send("\(name)\(number)")
            if number.isMultiple(of: 10) { _ = try await caller.answer(to: "\(name)\(number)") }
          }
          _ = try await caller.answer(to: "\(name)\(count - 1)").get()
        }
      }
      group.addTask {
        for number in 0..<count {
          hosting.say("f\(number)")
          if number.isMultiple(of: 20) { try await Task.sleep(for: .milliseconds(1)) }
        }
      }
      try await group.waitForAll()
    }
    let heard = try await listener.messages(3 * count)
    #expect(heard == hosting.contents())
    for name in ["a", "b", "f"] {
      #expect(heard.filter { $0.hasPrefix(name) } == (0..<count).map { "\(name)\($0)" })
    }
  }

  @Test func `a line that another left unfinished is passed over`() async throws {
    let hosting = try await Hosting()
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    hosting.append(#"{"messageID":"torn","profileID":"x","conte"#)
    try await jane.send("after it")
    let acknowledgement = try await jane.answer(to: "after it").get()
    try await jane.send("and more")
    _ = try await jane.answer(to: "and more").get()
    #expect(hosting.contents() == ["old", "after it", "and more"])
    let minsu = try hosting.caller()
    try await minsu.greet(as: "minsu")
    #expect(try await minsu.join(tail: 9).contents == ["old", "after it", "and more"])
    #expect(try await minsu.join(after: acknowledgement.cursor).contents == ["and more"])
  }

  @Test func `a line that another finishes later is heard then`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let line = fileLine("in two parts")
    hosting.append(String(line.prefix(20)))
    try await jane.say(.ping(ref: "p"))
    _ = try await jane.first { if case .pong = $0 { true } else { nil } }
    hosting.append(String(line.dropFirst(20)))
    #expect(try await jane.message() == "in two parts")
  }

  @Test func `a repeat is acknowledged again and adds nothing`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let start = try await jane.join().live
    try await jane.send("once")
    let first = try await jane.answer(to: "once").get()
    for since in [start, first.cursor, Cursor(value: "no cursor"), nil] {
      try await jane.send("once", since: since)
      let again = try await jane.answer(to: "once").get()
      #expect(again.isDuplicate && again.cursor == first.cursor && again.id == "once")
    }
    try await jane.say([sending("twice"), sending("twice"), sending("twice")])
    var duplicates = 0
    for _ in 1...3 {
      duplicates += try await jane.answer(to: "twice").get().isDuplicate ? 1 : 0
    }
    #expect(duplicates == 2)
    // Another connection, and another hub, look into the file.
    let other = try await hosting.guest("jane")
    try await other.send("once", since: start)
    #expect(try await other.answer(to: "once").get().isDuplicate)
    await hosting.hub.stop()
    await hosting.hub.waitUntilEmpty()
    let next = Hub(HubConfiguration(place: .folder("\(hosting.folder.path)/rooms"), server: "")) {
      _ in
    }
    let late = try await over(next)
    try await late.greet(as: "jane")
    try await late.join()
    try await late.send("once", since: start)
    let found = try await late.answer(to: "once").get()
    #expect(found.isDuplicate && found.cursor == first.cursor)
    #expect(hosting.contents() == ["once", "twice"])
  }

  /// One who is connected to a hub through a pair of sockets.
  private func over(_ hub: Hub) async throws -> Caller {
    var pair: [Int32] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    await hub.serve(reading: pair[0], writing: pair[0], access: .open)
    return Caller(pair[1])
  }

  @Test(arguments: [
    "", "f1", "f1.0.5.0", "f1.1.9223372036854775807.1", "f1.-1.-1.-1", "f1.zz.zz.zz", "f2.0.0.0",
    "f1.0.99999999999999999999.0", "\u{0}", "f1.+1.+1.+1",
  ])
  func `a cursor that is none is void, and harms nobody`(value: String) async throws {
    let hosting = try await Hosting()
    for number in 1...5 { hosting.say("\(number)") }
    let jane = try await hosting.guest("jane")
    let joining = try await jane.join(after: Cursor(value: value), tail: 2)
    #expect(joining.isReset && joining.contents == ["4", "5"])
    try await jane.say([
      sending("fine"), sending("odd", since: Cursor(value: value)), sending("fine too"),
    ])
    for id in ["fine", "odd", "fine too"] { _ = try await jane.answer(to: id).get() }
    try await jane.say(
      .history(ref: "h", HistoryRequest(room: "lobby", before: Cursor(value: value), limit: 5)))
    #expect(try await jane.errorClass() == .gone)
  }

  @Test(arguments: ["replaced", "truncated", "shortened", "removed"])
  func `where the file was changed, all are told and agree`(how: String) async throws {
    let hosting = try await Hosting()
    for number in 1...20 { hosting.say("old \(number)") }
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    let stale = try await minsu.join(tail: 1).live
    switch how {
    case "replaced":
      hosting.folder.write("new", fileLine("new 1") + fileLine("new 2"))
      rename("\(hosting.folder.path)/new", hosting.path())
    case "truncated":
      hosting.folder.write("rooms/lobby.jsonl", fileLine("new 1") + fileLine("new 2"))
    case "shortened":
      truncate(hosting.path(), fileLine("old 1").utf8.count + fileLine("old 2").utf8.count)
    default:
      unlink(hosting.path())
      // Nothing has taken its place yet.
      #expect(try await hosting.guest("early").join(tail: 5).contents.isEmpty)
      hosting.say("new 1")
      hosting.say("new 2")
    }
    for caller in [jane, minsu] {
      _ = try await caller.first { if case .reset("lobby") = $0 { true } else { nil } }
    }
    try await minsu.send("last")
    _ = try await minsu.first { if case .ack = $0 { true } else { nil } }
    let there = hosting.contents()
    #expect(there.last == "last" && there.count == 3)
    #expect(try await jane.messages(3) == there)
    let late = try hosting.caller()
    try await late.greet(as: "late")
    let joining = try await late.join(after: stale)
    #expect(joining.isReset && joining.contents == there)
    try await jane.send("goes on")
    #expect(try await late.message() == "goes on")
  }

  @Test func `a room that comes into being later is heard`() async throws {
    let hosting = try await Hosting()
    let jane = try hosting.caller()
    try await jane.greet(as: "jane")
    let joining = try await jane.join(tail: 5)
    #expect(joining.events.isEmpty && !joining.isReset)
    hosting.say("first")
    #expect(try await jane.message() == "first")
    let minsu = try hosting.caller()
    try await minsu.greet(as: "minsu")
    #expect(try await minsu.join(after: joining.live).contents == ["first"])
  }

  @Test func `another program's lock is waited for`() async throws {
    let hosting = try await Hosting { $0.limits.lockPatience = .seconds(30) }
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    let lock = open(hosting.path(), O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX)
    try await jane.send("waits")
    try await Task.sleep(for: .seconds(1))
    #expect(hosting.contents() == ["old"])
    // Nobody else is held up.
    try await minsu.say(.ping(ref: "p"))
    _ = try await minsu.first { if case .pong = $0 { true } else { nil } }
    close(lock)
    _ = try await jane.answer(to: "waits").get()
    #expect(hosting.contents() == ["old", "waits"])
  }

  @Test func `a lock that is never let go of is not waited for for ever`() async throws {
    let hosting = try await Hosting { $0.limits.lockPatience = .milliseconds(200) }
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    let lock = open(hosting.path(), O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX)
    try await jane.send("gives up")
    guard case .failure(let error) = try await jane.answer(to: "gives up") else {
      Issue.record("written although it was locked")
      return
    }
    #expect(error.errorClass == .retry && error.isCertain)
    close(lock)
    try await jane.send("gives up")
    #expect(try await jane.answer(to: "gives up").get().isDuplicate == false)
    #expect(hosting.contents() == ["old", "gives up"])
  }

  @Test func `what becomes longer when it is escaped still fits into a line`() async throws {
    let hosting = try await Hosting()
    let beginning = #"{"messageID":"m","profileID":"x","content":""#
    hosting.folder.write(
      "rooms/lobby.jsonl",
      Array(beginning.utf8) + [UInt8](repeating: 0x7f, count: 300_000) + Array("\"}\n".utf8))
    let jane = try hosting.caller()
    try await jane.greet(as: "jane")
    let joining = try await jane.join(tail: 1)
    guard case .message(let message)? = joining.events.first?.event else {
      Issue.record("told \(joining.events)")
      return
    }
    #expect(message.isTruncated && message.id == "m")
  }
}
