import ChatModel
import Glibc
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
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
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
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
    }
    try await run { chat in #expect(chat.prompt.line.isEmpty) }
  }

  @Test func `sends what was not sent, once, with its first id and time`() async throws {
    var first: Event?
    let status = try await run { chat in
      await chat.room.fail(with: .full)
      chat.prompt.enter("stuck")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 failed]> " }
      first = chat.session.current.outbox.items.first?.event
      chat.prompt.events.onEndOfInput()
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(chat.prompt.count("1 message not sent yet") == 1)
    }
    #expect(status == 75)
    #expect(try await store.waitingEvents().map(\.event) == [first].compactMap(\.self))
    try await run { chat in
      chat.prompt.enter("later")
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
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
      let example = chat.number(of: "id of 오늘점심뭐 30.")
      await chat.prompt.wait(for: "/history \(example) reads on around message \(example)")
      let row = try #require(chat.prompt.rows.last { $0.contains("30.") })
      #expect(row.contains("\u{1B}[7m점심\u{1B}[27m"))
      chat.prompt.enter("/search nothing-of-this")
      await chat.prompt.wait(for: "nothing was found")
      chat.prompt.enter("/search after:today")
      await chat.prompt.wait(for: "looked for as a word: after:today")
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
      await chat.prompt.wait(for: "another")
    }
  }

  @Test func `an export has on one's own side what one said under another id`() async throws {
    try await run {
      $0.settings.profile = Profile(id: "former", name: "Kim")
    } body: { chat in
      chat.prompt.enter("said before")
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
    }
    try await run { chat in
      let path = "\(folder.path)/talk.html"
      chat.prompt.enter("/log export \(path)")
      await chat.prompt.wait(for: "1 message written to")
      let page = String(decoding: try #require(readFile(path, limit: 1 << 20)), as: UTF8.self)
      #expect(page.contains("said before") && page.contains("class=\"run own\""))
    }
  }

  @Test(arguments: [false, true])
  func `leaving promises for the next run only what the log has`(
    isWritableAgain: Bool
  ) async throws {
    let blocked = TemporaryFolder()
    let log = LogStore(path: "\(blocked.path)/log/log.db")
    let status = try await run {
      $0.log = log
    } body: { chat in
      chat.prompt.enter("begun")
      await chat.prompt.wait { chat.session.current.outbox.isEmpty }
      rename("\(blocked.path)/log", "\(blocked.path)/away")
      blocked.write("log", "no folder")
      await chat.room.fail(with: .full)
      chat.prompt.enter("doomed")
      await chat.prompt.wait { chat.prompt.prompt == "lobby [1 failed]> " }
      if isWritableAgain { unlink("\(blocked.path)/log") }
      chat.prompt.events.onEndOfInput()
      if !isWritableAgain {
        await chat.prompt.wait(for: "1 not sent yet; /retry")
        #expect(chat.prompt.isRunning)
        chat.prompt.events.onEndOfInput()
      }
      await chat.prompt.wait { !chat.prompt.isRunning }
      #expect(chat.prompt.count("not sent: doomed") == (isWritableAgain ? 0 : 1))
      #expect(chat.prompt.count("go out with the next run") == (isWritableAgain ? 1 : 0))
    }
    #expect(status == 75)
    unlink("\(blocked.path)/log")
    let waiting = try? await log.waitingEvents()
    #expect(waiting?.count ?? 0 == (isWritableAgain ? 1 : 0))
    // The cursor of the first attempt, from which a repeat is looked for.
    #expect(waiting?.allSatisfy { $0.since != nil } ?? true)
  }

  @Test func `an event that is flushed says on disk where it may be before it leaves`()
    async throws
  {
    let log = store
    try await log.keep([(.said("one"), nil), (.said("two"), "first")], in: room, owner: nil)
    let inMemory = InMemoryRoom(events: [.said("before")])
    let endpoint = inMemory.endpoint()
    let end = try #require(await endpoint.end()).value
    await inMemory.hold()
    let flush = Task { try await OutboxFlush(log, room, endpoint).run() }
    await inMemory.waitUntilHeld(1)
    #expect(try await store.waitingEvents().map(\.since) == [end, "first"])
    await inMemory.release()
    #expect(try await flush.value == nil)
    #expect(try await store.waitingEvents().isEmpty)
    #expect(await inMemory.contents.map(\.id) == ["id of before", "id of one", "id of two"])
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

  @Test func `each room of a session has its own draft, outbox and session in the log`()
    async throws
  {
    try await run { chat in
      let team = chat.others["team"]
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "team · you are Kim")
      await team.fail(with: .full)
      chat.prompt.enter("stuck")
      await chat.prompt.wait { chat.prompt.prompt == "team [1 failed]> " }
      chat.prompt.type("for the team")
      await chat.arrives("news")
      await chat.prompt.wait { chat.prompt.prompt == "team [1 failed, lobby +1]> " }
      chat.prompt.events.onNextRoom()
      chat.prompt.enter("/leave team")
      await chat.prompt.wait(for: "1 message not sent yet, to go out with the next run in team")
      #expect(chat.session.rooms.count == 1)
      // It is there again when it is joined again, in the same session too.
      await team.fail(with: nil)
      chat.prompt.enter("/join team")
      await chat.prompt.wait(for: "[team] 1 message from last time not sent yet")
      await chat.prompt.wait { chat.prompt.line == "for the team" }
      await chat.waitUntilDelivered()
      #expect(await team.contents.count == 1)
      await chat.arrives("more")
      await chat.prompt.wait { chat.prompt.prompt == "team [lobby +1]> " }
      chat.prompt.events.onNextRoom()
      chat.prompt.type("for the lobby")
    }
    try await run { chat in
      await chat.prompt.wait { chat.prompt.line == "for the lobby" }
      chat.prompt.enter("/join team")
      await chat.prompt.wait { chat.prompt.line == "for the team" }
    }
    let sessions = try await store.sessions(limit: 10)
    #expect(sessions.map(\.room.name).sorted() == ["lobby", "lobby", "team", "team", "team"])
    #expect(sessions.allSatisfy { !$0.isAlive })
    #expect(try await store.waitingEvents().isEmpty)
  }
}
