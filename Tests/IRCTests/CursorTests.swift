import ChatModel
import IRC
import Testing
import Transport

/// How far a room was read, by the server's clock.
struct CursorTests {
  private static let capabilities =
    "message-tags server-time batch echo-message draft/chathistory draft/event-playback"

  private func inside() throws -> Scripted {
    let talk = try Scripted()
    talk.register(Self.capabilities, features: "CHATHISTORY=50")
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(
      "@time=2026-11-20T08:00:00.000Z :jane!u@h JOIN #room",
      ":irc.test 353 jane = #room :jane bob", ":irc.test 366 jane #room :End")
    talk.pong()
    _ = talk.takeTold()
    return talk
  }

  /// From where it is asked after a break what was missed.
  private func missedSince(_ talk: Scripted) throws -> String {
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register(Self.capabilities, features: "CHATHISTORY=50")
    _ = talk.takeHeard()
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    let line = try #require(talk.heard.first { $0.contains("CHATHISTORY AFTER") })
    return String(line.split(separator: "=")[1].prefix(23))
  }

  @Test func `what the plugin tells by itself is not read`() throws {
    // This clock is days ahead of the server's: nothing depends on it.
    let talk = try inside()
    talk.server("@msgid=1;time=2026-11-20T08:00:05.000Z :bob!b@h PRIVMSG #room :hi")
    talk.pass(.seconds(60))
    talk.server(":irc.test NOTICE jane :tea is ready", ":bob!b@h TOPIC #room :tea")
    #expect(talk.takeTold().notices.count == 2)
    #expect(try missedSince(talk) == "2026-11-20T08:00:04.999")
  }

  @Test func `a room in which nobody has spoken begins at the server's time`() throws {
    let talk = try inside()
    #expect(try missedSince(talk) == "2026-11-20T07:59:59.999")
  }

  @Test func `what one said oneself was read, and is known again`() throws {
    let talk = try inside()
    talk.pass(.seconds(7))
    talk.say("hello", id: "m1")
    talk.server("@msgid=n1;time=2026-11-20T08:00:07.000Z :jane!u@h PRIVMSG #room :hello")
    talk.pong()
    let acknowledgement = try #require(talk.takeTold().acks.first)
    let cursor = try #require(acknowledgement.cursor)
    let later = try Scripted()
    later.register(Self.capabilities, features: "CHATHISTORY=50")
    later.host(.join(ref: "j", JoinRequest(room: "#room", after: cursor)))
    later.server(
      ":jane!u@h JOIN #room", ":irc.test 366 jane #room :End",
      ":irc.test BATCH +h chathistory #room",
      "@batch=h;msgid=n1;time=2026-11-20T08:00:07.000Z :jane!u@h PRIVMSG #room :hello",
      "@batch=h;msgid=n2;time=2026-11-20T08:00:07.000Z :bob!b@h PRIVMSG #room :same moment",
      ":irc.test BATCH -h")
    #expect(later.takeTold().messages == ["bob: same moment"])
  }

  @Test func `who came was seen, and is not told again`() throws {
    let talk = try inside()
    talk.server("@msgid=1;time=2026-11-20T08:00:05.000Z :mia!b@h JOIN #room")
    talk.pass(.seconds(2))
    #expect(talk.takeTold().notices == ["mia joined"])
    #expect(try missedSince(talk) == "2026-11-20T08:00:04.999")
  }

  @Test func `one's own messages without ids are known again in what is played back`() throws {
    let talk = try Scripted()
    talk.register("server-time batch", features: "CHATHISTORY=50")
    talk.join()
    talk.say("ok", id: "m1")
    talk.pong()
    let said = talk.now.time
    talk.pass(.seconds(60))
    _ = talk.takeTold()
    talk.server(
      ":irc.test BATCH +h znc.in/playback #room",
      "@batch=h;time=\(said.rfc3339) :jane!u@h PRIVMSG #room :ok",
      "@batch=h;time=\((said + .seconds(40)).rfc3339) :jane!u@h PRIVMSG #room :ok",
      ":irc.test BATCH -h")
    // The other was said by another client of the user's.
    #expect(talk.takeTold().messages == ["jane: ok"])
  }

  @Test func `what was lost is not settled by the same words said before, or elsewhere`() throws {
    let talk = try inside()
    talk.host(.join(ref: "o", JoinRequest(room: "#other")))
    talk.server(":jane!u@h JOIN #other", ":irc.test 366 jane #other :End")
    talk.pong()
    talk.say("ok", id: "m1")
    _ = talk.takeTold()
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register(Self.capabilities, features: "CHATHISTORY=50")
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.server(":jane!u@h JOIN #other", ":irc.test 366 jane #other :End")
    for (room, time) in [("#room", "07:59:00"), ("#other", "08:00:00")] {
      talk.server(
        ":irc.test BATCH +h chathistory \(room)",
        "@batch=h;msgid=\(room);time=2026-11-20T\(time).000Z :jane!u@h PRIVMSG \(room) :ok",
        ":irc.test BATCH -h")
    }
    talk.pong()
    let told = talk.takeTold()
    #expect(told.acks.isEmpty)
    #expect(told.errors.map(\.isCertain) == [false])
  }

  @Test func `a page of which nothing is told leads on`() throws {
    let talk = try Scripted(settings: ["joins": "no"])
    talk.register(Self.capabilities, features: "CHATHISTORY=50")
    talk.join()
    _ = talk.takeTold()
    talk.host(
      .history(
        ref: "h", HistoryRequest(room: "#room", before: Cursor(value: "1795161601000"), limit: 2)))
    talk.server(
      ":irc.test BATCH +h chathistory #room",
      "@batch=h;msgid=1;time=2026-11-20T07:00:00.000Z :a!b@h JOIN #room",
      "@batch=h;msgid=2;time=2026-11-20T07:00:01.000Z :b!b@h JOIN #room",
      ":irc.test BATCH -h")
    talk.pong()
    guard case .page("h", let page)? = talk.takeTold().last else {
      Issue.record("no page")
      return
    }
    #expect(page.events.isEmpty)
    #expect(page.more)
    #expect(page.next == Cursor(value: "1795158000000 1"))
  }
}
