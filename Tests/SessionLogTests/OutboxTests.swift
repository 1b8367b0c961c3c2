import ChatModel
import Testing

@testable import SessionLog

struct OutboxTests {
  private let events: [Event] = [.said("one", id: "1"), .said("two", id: "2"), .said("3", id: "3")]

  @Test func `what is kept waits in its order, with its ids, until it is forgotten`() async throws {
    let log = Log()
    let store = log.store
    try await store.keep(events, in: .lobby, owner: nil)
    try await store.keep(events, in: .lobby, owner: nil)
    try await store.keep([(events[0], "first")], in: .lobby, owner: nil)
    try await store.keep([(events[0], "later"), (events[1], "later")], in: .lobby, owner: nil)
    try await store.fail(["2"], because: "it's \"full\"\n", in: .lobby)
    let waiting = try await log.another().waitingEvents()
    #expect(waiting.map(\.event.id) == ["1", "2", "3"])
    #expect(waiting.map { EventCodec.encode($0.event) } == events.map(EventCodec.encode))
    #expect(waiting.map(\.since) == ["first", "later", nil])
    #expect(waiting.map(\.failure) == [nil, "it's \"full\"\n", nil])
    try await store.fail(["2"], because: nil, in: .lobby)
    #expect(try await store.waitingEvents()[1].failure == nil)
    try await store.forget(["1", "3"], in: .team)
    try await store.forget(["1", "3"], in: .lobby)
    #expect(try await store.waitingEvents().map(\.event.id) == ["2"])
  }

  @Test func `where the room has certainly nothing of it, the next attempt is the first`()
    async throws
  {
    let log = Log()
    try await log.store.keep(events.map { ($0, "c") }, in: .lobby, owner: nil)
    try await log.store.fail(["1"], because: "full", in: .lobby)
    try await log.store.fail(["2"], because: "full", isUntried: true, in: .lobby)
    #expect(try await log.store.waitingEvents().map(\.since) == ["c", nil, "c"])
  }

  @Test func `two claim at once, and each event is one's`() async throws {
    let log = Log()
    try await log.store.keep((0..<50).map { .said("x", id: "\($0)") }, in: .lobby, owner: nil)
    try await log.store.keep([.said("y", id: "y")], in: .team, owner: nil)
    let stores = (1...6).map { _ in log.another() }
    let claims = try await withThrowingTaskGroup(of: [String].self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          try await store.claim(in: .lobby, as: LogStore.ownerOfProcess + Int64(number + 1))
            .map(\.event.id)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(claims.filter { !$0.isEmpty } == [(0..<50).map(String.init)])
  }

  @Test func `of one who is dead everything is free, of one who lives nothing`() async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.keep(events, in: .lobby, owner: session)
    let other = log.another()
    let second = try await other.begin().session
    #expect(try await other.claim(in: .lobby, as: second).isEmpty)
    #expect(try await other.discard([1, 2, 3]) == 0)
    await log.store.end(session)
    #expect(try await other.claim(in: .lobby, as: second).map(\.event.id) == ["1", "2", "3"])
    #expect(try await log.store.claim(in: .lobby, as: session).isEmpty)
    try await other.endSession(second, at: .noon)
    #expect(try await log.store.discard([2, 99]) == 1)
    #expect(try await log.store.claim(in: .lobby, as: session).map(\.event.id) == ["1", "3"])
  }

  @Test func `a process whose predecessor had its number claims what that left`() async throws {
    let log = Log()
    let dead = log.another()
    let owner = LogStore.ownerOfProcess
    try await dead.keep(events, in: .lobby, owner: nil)
    #expect(try await dead.claim(in: .lobby, as: owner).count == 3)
    #expect(try await dead.claim(in: .lobby, as: owner).isEmpty)
    await dead.end(owner)
    #expect(try await log.store.claim(in: .lobby, as: owner).count == 3)
  }

  @Test func `what has failed is claimed as what waits`() async throws {
    let log = Log()
    try await log.store.keep(events, in: .lobby, owner: nil)
    try await log.store.fail(["1"], because: "full", in: .lobby)
    let claimed = try await log.store.claim(in: .lobby, as: 1 << 41)
    #expect(claimed.count == 3)
    #expect(try await log.store.waitingEvents().allSatisfy { $0.failure == nil })
  }

  @Test func `where nothing waits a log that is locked is not waited for`() async throws {
    let log = Log()
    try await log.store.keep(events, in: .team, owner: nil)
    let holder = try Database(log.store.path, .writing)
    try holder.execute("BEGIN IMMEDIATE")
    // Whoever waited for the lock would be told in the end that it is held.
    #expect(try await log.another().claim(in: .lobby, as: 1 << 41).isEmpty)
    try holder.execute("ROLLBACK")
  }
}
