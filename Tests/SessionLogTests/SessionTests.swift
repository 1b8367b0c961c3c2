import ChatModel
import Glibc
import Testing

@testable import SessionLog

struct SessionTests {
  @Test func `a draft is for whoever comes next, unless its session is alive`() async throws {
    let log = Log()
    let first = try await log.begin()
    try await log.store.keepDraft("half a li", of: first)
    let other = log.another()
    #expect(try await other.begin().draft == "")
    // As kill -9 ends it.
    await log.store.end(first)
    let third = log.another()
    let start = try await third.begin()
    #expect(start.draft == "half a li")
    #expect(try await other.begin().draft == "")
    try await third.keepDraft("", of: start.session)
    try await third.endSession(start.session, at: .noon)
    #expect(try await other.begin().draft == "")
  }

  @Test func `of two who type in one room the last one has the draft`() async throws {
    let log = Log()
    let other = log.another()
    let (first, second) = (try await log.begin(), try await other.begin().session)
    try await log.store.keepDraft("first", of: first)
    try await other.keepDraft("second", of: second)
    // An empty line is no draft of the other.
    try await log.store.keepDraft("", of: first)
    #expect(try log.ask("SELECT draft FROM room") == ["second"])
    try await other.keepDraft("", of: second)
    #expect(try log.ask("SELECT draft FROM room") == [""])
  }

  @Test func `a draft belongs to its room`() async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.keepDraft("it's\n\"mine\" 🙂", of: session)
    try await log.store.endSession(session, at: .noon)
    #expect(try await log.store.begin(in: .team).draft == "")
    #expect(try await log.store.begin().draft == "it's\n\"mine\" 🙂")
  }

  @Test func `a read mark is the room's, and never goes back`() async throws {
    let log = Log()
    #expect(try await log.store.begin().readTime == nil)
    let session = try await log.begin()
    try await log.store.markRead(upTo: .morning(5), in: session)
    try await log.another().markRead(upTo: .morning(3), in: session)
    #expect(try await log.store.begin().readTime == .morning(5))
    #expect(try await log.store.begin(in: .team).readTime == nil)
  }

  @Test func `sessions tell who was there, until when, and how much was said`() async throws {
    let log = Log()
    let first = try await log.begin(at: .morning(0))
    try await log.store.record(
      [.said("before", id: "0", at: -1), .said("a", id: "1", at: 1), .said("b", id: "2", at: 2)],
      cursor: "c", in: first, at: .morning(2))
    try await log.store.endSession(first, at: .morning(3))
    let other = log.another()
    _ = try await other.begin(in: .team)
    let sessions = try await log.store.sessions(limit: 9)
    #expect(sessions.map(\.messageCount) == [2, 0])
    #expect(sessions.map(\.isAlive) == [false, true])
    #expect(sessions.map(\.room) == [.lobby, .team])
    #expect(try await log.store.session(first)?.profile.name == "Kim")
    #expect(try await log.store.session(99) == nil)
    await other.end(sessions[1].id)
    #expect(try await log.store.session(sessions[1].id)?.isAlive == false)
  }

  @Test func `a session that was broken off has what it saw, and nothing of later ones`()
    async throws
  {
    let log = Log()
    let first = try await log.begin(at: .morning(0))
    try await log.store.record(
      [.said("a", id: "1", at: 1), .said("b", id: "2", at: 2)], cursor: "c", in: first,
      at: .morning(2))
    await log.store.end(first)
    let second = try await log.begin(at: .morning(5))
    try await log.store.record(
      [.said("c", id: "3", at: 6)], cursor: "c", in: second, at: .morning(6))
    try await log.store.endSession(second, at: .morning(9))
    let sessions = try await log.store.sessions(limit: 9)
    #expect(sessions.map(\.lastMoment) == [.morning(2), .morning(9)])
    #expect(sessions.map(\.endedAt) == [nil, .morning(9)])
    #expect(sessions.map(\.messageCount) == [2, 1])
  }

  @Test func `rooms are those that have messages in a range`() async throws {
    let log = Log()
    try await log.record(.said("a", id: "1", at: 1))
    try await log.record(.said("b", id: "2", at: 5), in: .team)
    func rooms(_ from: Timestamp?, _ through: Timestamp?) async throws -> [LoggedRoom] {
      try await log.store.rooms(in: LogRange(from: from, through: through))
    }
    #expect(try await rooms(nil, nil) == [.lobby, .team])
    #expect(try await rooms(.morning(2), nil) == [.team])
    #expect(try await rooms(nil, .morning(2)) == [.lobby])
    #expect(try await rooms(.morning(2), .morning(4)).isEmpty)
  }

  @Test func `a log behind a symbolic link is written once`() async throws {
    let log = Log()
    _ = try await log.begin()
    symlink(log.store.path, log.folder + "/link")
    _ = try await LogStore(path: log.folder + "/link").begin()
    #expect(try await log.store.sessions(limit: 9).count == 2)
  }

  @Test func `many who open a log at once all have it`() async throws {
    let log = Log()
    let sessions = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<8 {
        group.addTask { try await log.another().begin().session }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(sessions.count == 8)
    #expect(log.names.sorted().allSatisfy { !$0.contains("damaged") })
  }
}

extension LogStore {
  /// Lets a session end as kill -9 would.
  func end(_ session: Int64) {
    close()
    ownSessions = [:]
    owners.release(session)
  }
}
