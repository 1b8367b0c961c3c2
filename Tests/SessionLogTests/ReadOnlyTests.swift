import ChatModel
import Glibc
import Testing

@testable import SessionLog

struct ReadOnlyTests {
  @Test func `what is only in the journal is read where nothing can be written`() async throws {
    let log = Log()
    try await log.record(.said("in the journal", id: "1"))
    let database = try Database(copyOf: log.store.path)
    #expect(
      try database.rows("SELECT content FROM message") { $0.text(0) ?? "" } == ["in the journal"])
    #expect(!database.isLost)
    #expect(try Schema.check(database) == Schema.version)
  }

  @Test func `there is no log before somebody has talked`() async throws {
    let log = Log()
    let error = await #expect(throws: LogError.self) { try await log.find("x") }
    #expect(error?.code == .notFound)
    #expect(log.names.isEmpty)
  }

  @Test func `at the end of a session the file is whole without its journal`() async throws {
    let log = Log()
    let session = try await log.begin()
    try await log.store.record([.said("hello", id: "1")], cursor: nil, in: session, at: .noon)
    try await log.store.endSession(session, at: .noon)
    #expect(log.names.sorted() == ["log.db", "log.db.owners"])
    #expect(try await log.find("hello") == ["hello"])
  }
}
