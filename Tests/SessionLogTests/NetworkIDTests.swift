import ChatModel
import Testing

@testable import SessionLog

/// One's own messages that a network keeps under ids of its own.
struct NetworkIDTests {
  @Test(arguments: ["before it is told", "after it was told", "before it is sent"])
  func `what was sent and what the network tells of it are one`(_ when: String) async throws {
    let log = Log()
    let (own, parts) = (
      Event.said("one two", id: "own"),
      [Event.said("one", id: "n1"), .said("two", id: "n2"), .said("other", id: "n3")]
    )
    let session = try await log.begin()
    func note() async throws { try await log.store.note(["n1", "n2"], of: "own", in: .lobby) }
    func record(_ events: [Event]) async throws {
      try await log.store.record(events, cursor: "c", in: session, at: .noon)
    }
    if when == "before it is sent" { try await note() }
    try await record([own])
    try await log.index()
    if when == "before it is told" { try await note() }
    try await record(parts)
    try await log.index()
    if when == "after it was told" { try await note() }
    try await record(parts)
    #expect(try await log.messages().map { $0.entry.message.content } == ["one two", "other"])
    #expect(try await log.find("two") == ["one two"])
  }

  @Test func `where only the network tells it, it is kept under the id that it was sent with`()
    async throws
  {
    let log = Log()
    try await log.record(.said("one", id: "n1"))
    try await log.store.note(["n1"], of: "own", in: .lobby)
    try await log.record(.said("one", id: "n1"), .said("a reply", id: "r"))
    #expect(try await log.messages().map(\.entry.id) == ["own", "r"])
  }

  @Test func `what is done to it by the network's id is done to it`() async throws {
    let log = Log()
    try await log.record(.said("wrong", id: "own"), .said("mine too", id: "n1"))
    try await log.store.note(["n1"], of: "own", in: .team)
    try await log.store.note(["n1"], of: "n1", in: .lobby)
    #expect(try await log.messages().count == 2, "another room's id, or its own, is no other")
    try await log.store.note(["n2"], of: "own", in: .lobby)
    try await log.record(.edit("e", of: "n2", to: "right"))
    #expect(
      try await log.messages().compactMap { $0.entry.message.content }.sorted()
        == ["mine too", "right"])
  }

  @Test func `a session begins with the newest of them`() async throws {
    let log = Log()
    try await log.record(.said("one two", id: "own"), .said("gone", id: "gone"))
    try await log.store.note(["n1", "n2"], of: "own", in: .lobby)
    try await log.store.note(["n3"], of: "gone", in: .lobby)
    try await log.record(.deletion("d", of: "gone"))
    let known = try await log.store.begin().networkMessages
    #expect(known.map(\.networkID) == ["n2", "n1"])
    #expect(known.allSatisfy { $0.message.content == "one two" && $0.message.id == "own" })
    #expect(try await log.store.begin(in: .team).networkMessages.isEmpty)
  }

  @Test func `they are carried over from a log that is damaged`() async throws {
    let log = Log()
    try await log.record(.said("one", id: "own"))
    try await log.store.note(["n1"], of: "own", in: .lobby)
    await log.store.close()
    let text = try log.ask(
      "SELECT '' || rootpage FROM sqlite_schema WHERE name = 'message_by_room'")
    let page = try #require(text.first.flatMap { Int($0) })
    log.change { bytes in
      for index in (page - 1) * 4_096..<page * 4_096 { bytes[index] = 0xff }
    }
    try await log.record(.said("one", id: "n1"), .said("new", id: "n2"))
    #expect(log.names.contains("log.db.damaged-1"))
    #expect(try await log.messages().map(\.entry.id) == ["own", "n2"])
  }
}
