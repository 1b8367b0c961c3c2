import ChatModel
import Testing

@testable import SessionLog

struct RecordingTests {
  @Test func `what is recorded twice is there once, in one session or another`() async throws {
    let log = Log()
    let events: [Event] = [
      .said("hello", id: "1"), .edit("2", of: "1", to: "hello!"),
      .reaction("3", to: "1", "👍", by: "kim"),
      .notice(Notice(eventID: "4", content: "welcome", createdAt: .morning(0))),
      .profile(ProfileChange(eventID: "5", profileID: "jane", profileName: "Jane Doe")),
    ]
    for _ in 0..<2 {
      let session = try await log.begin()
      for _ in 0..<2 {
        try await log.store.record(events, cursor: "c", in: session, at: .noon)
      }
    }
    try await log.store.record(events, ofPastIn: .lobby, upTo: "c", at: .noon)
    #expect(try log.ask("SELECT count(*) FROM message") == ["1"])
    #expect(try log.ask("SELECT count(*) FROM change") == ["4"])
    #expect(try log.ask("SELECT name FROM profile") == ["Jane Doe"])
    let message = try #require(try await log.messages().first)
    #expect(message.entry.message.content == "hello!" && message.entry.isEdited)
    #expect(message.entry.reactions == [ReactionTally(reaction: "👍", profileIDs: ["kim"])])
    #expect(message.name == "Jane")
  }

  @Test func `how a message looks is kept until it says something else`() async throws {
    let log = Log()
    var style = TextStyle()
    (style.isBold, style.foreground) = (true, 4)
    var message = Message(id: "1", profileID: "jane", profileName: "Jane", content: "안녕 bold")
    message.styles = [StyledRange(start: 7, end: 11, style: style)]
    try await log.record(.message(message))
    let kept = try #require(try await log.messages().first).entry.message
    #expect(kept.styles == message.styles && kept.content == message.content)
    try await log.record(.edit("2", of: "1", to: "안녕 plain"))
    let edited = try #require(try await log.messages().first).entry.message
    #expect(edited.content == "안녕 plain" && edited.styles.isEmpty)
  }

  @Test func `the same id in another room is another message`() async throws {
    let log = Log()
    try await log.record(.said("here", id: "1"))
    try await log.record(.said("there", id: "1"), in: .team)
    #expect(try await log.find("here") == ["there", "here"])
  }

  /// Every order in which changes may come, and then all of them again.
  @Test(arguments: [false, true])
  func `edits, a deletion and reactions count in whatever order they come`(
    isIndexed: Bool
  ) async throws {
    let events: [Event] = [
      .said("original words", id: "1"), .edit("2", of: "1", to: "second words", at: 1),
      .edit("3", of: "1", to: "third words", at: 2), .deletion("4", of: "1", at: 3),
    ]
    for order in permutations(of: events) {
      let log = Log()
      let session = try await log.begin()
      for event in order + events {
        try await log.store.record([event], cursor: nil, in: session, at: .noon)
        if isIndexed { try await log.index() }
      }
      let message = try #require(try await log.messages().first)
      #expect(message.entry.isDeleted && message.entry.message.content == nil)
      #expect(try await log.find("words").isEmpty)
      try expectNoWords(in: log)
      // An export can be read back.
      let lines = try await log.store.events(of: message).map { EventCodec.encode($0) }
      #expect(try lines.compactMap { try EventCodec.decode($0)?.id } == ["1", "4"])
    }
  }

  /// Looks for the words everywhere in the tables, and for their parts in the
  /// index.
  private func expectNoWords(in log: Log) throws {
    for table in ["message", "change"] {
      let columns = try log.ask("SELECT name FROM pragma_table_info('\(table)')")
      for column in columns {
        let found = try log.ask("SELECT count(*) FROM \(table) WHERE \(column) LIKE '%words%'")
        #expect(found == ["0"], "\(table).\(column)")
      }
    }
    for part in ["ori", "sec", "thi", "wor", "s  "] {
      #expect(
        try log.ask(
          "SELECT count(*) FROM message_text WHERE message_text MATCH '\"\(part)\"'") == ["0"],
        "\(part)")
    }
  }

  private func permutations(of events: [Event]) -> [[Event]] {
    guard let first = events.first else { return [[]] }
    return permutations(of: Array(events.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
    }
  }

  @Test func `the newest edit counts, by its own time`() async throws {
    for order in permutations(of: [
      .said("first", id: "1"), .edit("2", of: "1", to: "second", at: 1),
      .edit("3", of: "1", to: "third", at: 2),
    ]) {
      let log = Log()
      let session = try await log.begin()
      for event in order {
        try await log.store.record([event], cursor: nil, in: session, at: .noon)
        try await log.index()
      }
      #expect(try await log.find("third") == ["third"])
      #expect(try await log.find("first").isEmpty)
      #expect(try await log.find("second").isEmpty)
      let message = try #require(try await log.messages().first)
      let events = try await log.store.events(of: message)
      let contents = events.compactMap { event in
        switch event {
        case .message(let message): message.content
        case .edit(let edit): edit.content
        default: nil
        }
      }
      #expect(contents == ["first", "second", "third"])
    }
  }

  @Test func `the events of a deleted message are read back, without its words`() async throws {
    let log = Log()
    let events: [Event] = [
      .said("first", id: "1"), .edit("2", of: "1", to: "second"), .deletion("3", of: "1"),
    ]
    try await log.store.record(events, cursor: nil, in: try await log.begin(), at: .noon)
    let message = try #require(try await log.messages().first)
    let lines = try await log.store.events(of: message).map(EventCodec.encode)
    // An edit without its words is no event.
    #expect(try lines.map { try EventCodec.decode($0)?.id } == ["1", "3"])
    #expect(!lines.joined().contains("first") && !lines.joined().contains("second"))
  }

  @Test func `nobody changes what another has said, before or after it`() async throws {
    let log = Log()
    try await log.record(
      .edit("2", of: "1", to: "forged", by: "mallory"),
      .deletion("3", of: "1", by: "mallory"), .said("mine", id: "1"),
      .edit("4", of: "1", to: "forged", by: "mallory"),
      .deletion("5", of: "1", by: "mallory"))
    let message = try #require(try await log.messages().first)
    #expect(message.entry.message.content == "mine")
    #expect(!message.entry.isEdited && !message.entry.isDeleted)
    #expect(try await log.find("forged").isEmpty)
  }

  @Test func `reactions come and go, before their message and after`() async throws {
    let log = Log()
    try await log.record(
      .reaction("2", to: "1", "👍", by: "kim", at: 1), .said("hello", id: "1"),
      .reaction("3", to: "1", "👍", by: "lee", at: 2),
      .reaction("4", to: "1", "🎉", by: "lee", at: 3),
      .reaction("5", to: "1", "🎉", by: "lee", isRemoved: true, at: 4))
    let message = try #require(try await log.messages().first)
    #expect(message.entry.reactions == [ReactionTally(reaction: "👍", profileIDs: ["kim", "lee"])])
  }

  @Test func `a session that the log has not heard of is refused, and nothing is kept`()
    async throws
  {
    let log = Log()
    _ = try await log.begin()
    let error = await #expect(throws: LogError.self) {
      try await log.store.record([.said("a", id: "1")], cursor: nil, in: 99, at: .noon)
    }
    #expect(error?.code == .notFound)
    #expect(try await log.messages().isEmpty)
  }

  @Test func `a message's fields come back as they were`() async throws {
    let log = Log()
    var message = Message(
      id: "1", profileID: "jane", content: "look", images: ["a.png"],
      files: [FileReference(path: "x/y.pdf", name: "y.pdf")], createdAt: .morning(0),
      replyTo: "0", isAction: true)
    message.profileImage = "https://example.org/jane.png"
    try await log.record(.message(message))
    let read = try #require(try await log.messages().first).entry.message
    #expect(EventCodec.encode(.message(read)) == EventCodec.encode(.message(message)))
  }

  @Test(arguments: ["it's", "a \"room\"", "new\nline", "semi; DROP TABLE room", "한글 방", "", "%"])
  func `a room may be called anything`(name: String) async throws {
    let log = Log()
    let room = LoggedRoom(address: "file:///\(name)", name: name)
    try await log.record(.said("hello", id: "1"), in: room)
    let message = try #require(try await log.messages().first)
    #expect(message.room == room)
    #expect(try await log.store.messageCount(in: room) == 1)
    #expect(try await log.store.rooms(in: LogRange()) == [room])
    if !name.isEmpty, !name.contains("\"") {
      #expect(try await log.find("in:\"\(name)\" hello") == ["hello"])
    }
  }

  @Test func `a clock that jumps a year back loses nothing and hides nothing`() async throws {
    let log = Log()
    let year: Int64 = 365 * 86_400_000
    let session = try await log.begin()
    try await log.store.record(
      [.said("before", id: "1", name: "Jane")], cursor: "a", in: session, at: .noon)
    let back = Timestamp(milliseconds: Timestamp.noon.milliseconds - year)
    try await log.store.record(
      [.said("after", id: "2", name: "Jane D.", at: 1 - year)], cursor: "b", in: session, at: back)
    try await log.store.markRead(upTo: back, in: session)
    try await log.index()
    #expect(try await log.messages().map(\.entry.message.content) == ["after", "before"])
    #expect(try await log.find("from:jane") == ["before", "after"])
    #expect(try log.ask("SELECT name FROM profile") == ["Jane D."])
    try await log.store.endSession(session, at: back)
    let start = try await log.store.begin(at: back)
    #expect(start.readTime == back)
    #expect(try await log.store.sessions(limit: 9).count == 2)
  }

  @Test func `of a person's names the newest counts, in whatever order they come`() async throws {
    let events: [Event] = [
      .said("a", id: "1", name: "Jane", at: 1),
      .profile(
        ProfileChange(
          eventID: "2", profileID: "jane", profileName: "J", profileImage: "old.png",
          fields: ["about": "old", "pronouns": "she"], createdAt: .morning(2))),
      .profile(
        ProfileChange(
          eventID: "3", profileID: "jane", profileName: "Jane Doe", profileImage: "new.png",
          fields: ["about": "new"], createdAt: .morning(3))),
    ]
    for order in permutations(of: events) {
      let log = Log()
      for event in order + order { try await log.record(event) }
      #expect(
        try log.ask("SELECT name || ' ' || image || ' ' || fields FROM profile").map(\.count)
          == [#"Jane Doe new.png {"about":"new","pronouns":"she"}"#.count])
      #expect(try log.ask("SELECT name || ' ' || image FROM profile") == ["Jane Doe new.png"])
      #expect(try log.ask("SELECT json_extract(fields, '$.about') FROM profile") == ["new"])
    }
  }

  @Test func `a message from the future is as old as its arrival`() async throws {
    let log = Log()
    try await log.record(.said("tomorrow", id: "1", at: 1 << 40))
    #expect(try await log.messages().first?.entry.time == .noon)
  }

  @Test func `after a failure nothing is remembered that is not in the file`() async throws {
    let log = Log()
    let session = try await log.begin()
    // A transaction of its own keeps the other from writing.
    let other = try Database(log.store.path, .writing)
    try other.execute(
      "CREATE TRIGGER full BEFORE INSERT ON message BEGIN SELECT raise(ROLLBACK, 'full'); END")
    await #expect(throws: LogError.self) {
      try await log.store.record([.said("hello", id: "1")], cursor: nil, in: session, at: .noon)
    }
    try other.execute("DROP TRIGGER full")
    try await log.store.record([.said("hello", id: "1")], cursor: nil, in: session, at: .noon)
    #expect(try await log.messages().count == 1)
  }
}
