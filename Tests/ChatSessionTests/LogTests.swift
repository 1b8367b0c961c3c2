import ChatModel
import LinePrompt
import SessionLog
import TestSupport
import Testing
import Transport

@testable import ChatSession

@MainActor
struct LogTests {
  private let folder = TemporaryFolder()
  private let room = LoggedRoom(address: "file:///rooms/lobby.jsonl", name: "lobby")

  private var store: LogStore { LogStore(path: "\(folder.path)/log.db") }

  /// Runs `body` in a session that is kept in this test's log.
  @discardableResult
  private func run(
    in events: [Event] = [], _ configure: @escaping (inout Session.Parts) -> Void = { _ in },
    body: (Chat) async throws -> Void
  ) async throws -> Int32 {
    try await Chat.run(in: events) { parts in
      parts.log = store
      parts.loggedRoom = room
      configure(&parts)
    } body: {
      try await body($0)
    }
  }

  private func logged(_ text: String = "") async throws -> [String] {
    var query = SearchQuery(text) { _ in Timestamp(milliseconds: 0) }
    if text.isEmpty { query.from = Timestamp(milliseconds: 0) }
    return try await store.search(query, limit: 100).messages.map {
      $0.entry.message.content ?? ""
    }
  }

  @Test func `keeps what was shown, what arrives and what is said, once`() async throws {
    let past = [Event.said("before")]
    for _ in 0..<2 {
      try await run(in: past) { chat in
        await chat.prompt.wait(for: "before")
        await chat.arrives("meanwhile")
        await chat.prompt.wait(for: "meanwhile")
      }
    }
    try await run(in: past) { chat in
      chat.prompt.enter("mine")
      await chat.prompt.wait { chat.session.outbox.isEmpty }
    }
    #expect(try await logged().sorted() == ["before", "meanwhile", "mine"])
    #expect(try await store.sessions(limit: 10).map(\.isAlive) == [false, false, false])
    #expect(try await store.waitingEvents().isEmpty)
  }

  @Test func `keeps nothing while it is off`() async throws {
    try await run { chat in
      chat.prompt.enter("/log off")
      #expect(chat.prompt.count("the log is off") == 1)
      await chat.arrives("secret")
      await chat.prompt.wait(for: "secret")
      chat.prompt.enter("/log on")
      await chat.arrives("public")
      await chat.prompt.wait(for: "public")
    }
    #expect(try await logged() == ["public"])
  }

  @Test func `brings the typed line back, and forgets it when it was sent`() async throws {
    try await run { chat in chat.prompt.type("half a sentence") }
    try await run { chat in
      #expect(chat.prompt.line == "half a sentence")
      chat.prompt.enter("half a sentence")
      await chat.prompt.wait { chat.session.outbox.isEmpty }
    }
    try await run { chat in #expect(chat.prompt.line.isEmpty) }
  }

  @Test func `sends what was not sent, once, with its first id and time`() async throws {
    var first: Event?
    let status = try await run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("stuck")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 failed]> " }
      first = chat.session.outbox.items.first?.event
      chat.prompt.events.onEndOfInput()
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(chat.prompt.count("1 message not sent yet") == 1)
    }
    #expect(status == 75)
    #expect(try await store.waitingEvents().map(\.event) == [first].compactMap(\.self))
    try await run { chat in
      chat.prompt.enter("later")
      await chat.prompt.wait { chat.session.outbox.isEmpty }
      #expect(await chat.said == ["stuck", "later"])
      #expect(await chat.room.contents.first == first)
    }
    #expect(try await store.waitingEvents().isEmpty)
  }

  @Test func `a row stands where the unread begin`() async throws {
    let past = [Event.said("seen", at: 1), .said("unseen", at: 3), .said("newest", at: 4)]
    try await run(in: [past[0]]) { chat in await chat.prompt.wait(for: "seen") }
    try await run(in: past) { chat in
      await chat.prompt.wait(for: "newest")
      let index = try #require(chat.prompt.rows.firstIndex { $0.contains("new since last time") })
      #expect(chat.prompt.rows[..<index].contains { $0.contains("seen") })
      #expect(chat.prompt.rows[index...].contains { $0.contains("unseen") })
    }
    try await run(in: past) { chat in
      await chat.prompt.wait(for: "newest")
      #expect(chat.prompt.count("new since last time") == 0)
    }
  }

  @Test func `finds what was said, and reads on around it`() async throws {
    let past = (1...50).map { Event.said("오늘점심뭐 \($0).", at: Int64($0)) }
    try await run(in: past) { chat in
      await chat.prompt.wait(for: "50.")
      chat.prompt.enter("/search 점심 30.")
      await chat.prompt.wait(for: "reads on around")
      let row = try #require(chat.prompt.rows.last { $0.contains("30.") })
      #expect(row.contains("\u{1B}[7m점심\u{1B}[27m"))
      chat.prompt.enter("/search nothing-of-this")
      await chat.prompt.wait(for: "nothing was found")
      chat.prompt.enter("/style plain")
      let number = chat.number(of: "id of 오늘점심뭐 30.")
      let before = chat.prompt.rows.count
      chat.prompt.enter("/history \(number)")
      await chat.prompt.wait {
        chat.prompt.rows[before...].contains { $0.contains("50.") }
      }
      #expect(chat.prompt.rows[before...].contains { $0.contains("점심뭐 10.") })
      #expect(!chat.prompt.rows[before...].contains { $0.contains("점심뭐 9.") })
    }
  }

  @Test func `writes a room's messages into a new file`() async throws {
    try await run(in: [.said("hello <there>")]) { chat in
      await chat.prompt.wait(for: "hello")
      let path = "\(folder.path)/talk.html"
      chat.prompt.enter("/log status")
      await chat.prompt.wait(for: "of this room are in it")
      chat.prompt.enter("/log export \(path)")
      await chat.prompt.wait(for: "1 message written to")
      #expect(
        readFile(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }?
          .contains("hello &lt;there&gt;") == true)
      chat.prompt.enter("/log export \(path)")
      await chat.prompt.wait(for: "File exists")
    }
  }

  @Test func `takes one name for an export, and no part of several`() async throws {
    try await run { chat in
      for line in ["/log export", "/log export \(folder.path)/my talk.html"] {
        chat.prompt.enter(line)
        #expect(chat.prompt.line == line)
      }
      #expect(chat.prompt.count("name one file") == 2)
    }
    #expect(!FileNames.entries(of: folder.path).contains("my"))
  }

  @Test func `a log that cannot be written is told once, and the chat goes on`() async throws {
    try await run {
      $0.log = LogStore(path: "/proc/nothing/log.db")
    } body: { chat in
      await chat.prompt.wait(for: "the session log cannot be written")
      for text in ["one", "two"] {
        chat.prompt.enter(text)
        await chat.prompt.wait(for: ": \(text)")
      }
      #expect(chat.prompt.count("the session log") == 1)
      #expect(await chat.said == ["one", "two"])
    }
  }
}
