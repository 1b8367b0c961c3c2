import ChatModel
import IRC
import Testing
import Transport

struct ReconnectingTests {
  private static let history =
    "message-tags server-time batch echo-message labeled-response draft/chathistory"

  /// Answers every labeled line that is not answered otherwise.
  private func acknowledge(_ talk: Scripted, _ heard: [String]) {
    for line in heard {
      guard let label = label(of: line) else { continue }
      talk.server("@label=\(label) :irc.test ACK")
    }
  }

  private func label(of line: String) -> Substring? {
    guard line.hasPrefix("@label=") else { return nil }
    return line.dropFirst(7).prefix { $0 != " " && $0 != ";" }
  }

  /// In a channel of a server that keeps history, with nothing in it yet.
  private func inside() throws -> Scripted {
    let talk = try Scripted()
    talk.register(Self.history, features: "CHATHISTORY=50 MSGREFTYPES=timestamp,msgid")
    talk.host(.join(ref: "j", JoinRequest(room: "#room", tail: 10)))
    enter(talk)
    let line = try #require(talk.takeHeard().first { $0.contains("CHATHISTORY") })
    #expect(line.hasSuffix("CHATHISTORY LATEST #room * 10"))
    playback(talk, line, [":bob!b@h PRIVMSG #room :before"], from: 1)
    return talk
  }

  private func enter(_ talk: Scripted) {
    let heard = talk.takeHeard()
    talk.server(
      "@time=2026-11-30T08:00:00.500Z :jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    acknowledge(talk, heard)
  }

  /// Plays lines back, with ids and times that grow from a number.
  private func playback(_ talk: Scripted, _ request: String, _ lines: [String], from first: Int) {
    let label = label(of: request) ?? ""
    talk.server("@label=\(label) :irc.test BATCH +h chathistory #room")
    for (index, line) in lines.enumerated() {
      let number = first + index
      talk.server(
        "@batch=h;msgid=id\(number);time=2026-11-30T08:00:0\(number).000Z \(line)")
    }
    talk.server(":irc.test BATCH -h")
  }

  @Test func `tells what was before, then what comes`() throws {
    let talk = try inside()
    talk.server("@msgid=id2;time=2026-11-30T08:00:02.000Z :bob!b@h PRIVMSG #room :now")
    let told = talk.takeTold()
    #expect(told.messages == ["bob: before", "bob: now"])
    let order = told.compactMap { answer in
      switch answer {
      case .joined: "joined"
      case .event: "event"
      case .live: "live"
      default: nil
      }
    }
    #expect(order == ["joined", "event", "live", "event"])
  }

  @Test func `tells what was missed once, in order, behind what comes meanwhile`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    talk.disconnect("the cable was pulled")
    talk.pass(.seconds(2))
    #expect(talk.takeOrders().last == .connect(host: "irc.test", port: 6667, isSecure: false))
    talk.register(Self.history, features: "CHATHISTORY=50")
    enter(talk)
    let line = try #require(talk.takeHeard().first { $0.contains("CHATHISTORY") })
    #expect(line.hasSuffix("CHATHISTORY AFTER #room timestamp=2026-11-30T08:00:00.999Z 50"))
    talk.server("@msgid=id4;time=2026-11-30T08:00:04.000Z :bob!b@h PRIVMSG #room :meanwhile")
    playback(
      talk, line,
      [
        ":bob!b@h PRIVMSG #room :before", ":bob!b@h PRIVMSG #room :missed",
        ":mia!b@h PRIVMSG #room :missed too", ":bob!b@h PRIVMSG #room :meanwhile",
      ], from: 1)
    #expect(
      talk.takeTold().messages == ["bob: missed", "mia: missed too", "bob: meanwhile"])
  }

  @Test func `says once for all rooms that something may be missing`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    talk.join("#other")
    _ = talk.takeTold()
    talk.disconnect("the cable was pulled")
    talk.pass(.seconds(2))
    talk.register()
    for room in ["#room", "#other"] {
      talk.server(":jane!~u@host JOIN \(room)", ":irc.test 366 jane \(room) :End")
    }
    talk.pong()
    #expect(talk.takeTold().notices.count { $0.contains("may be missing") } == 1)
  }

  @Test func `finds what was sent when the line died in the history`() throws {
    let talk = try inside()
    talk.say("did it arrive?", id: "m1")
    talk.say("and this?", id: "m2")
    _ = talk.takeTold()
    talk.disconnect()
    #expect(talk.takeTold().errors.isEmpty)
    talk.pass(.seconds(2))
    talk.register(Self.history)
    enter(talk)
    let line = try #require(talk.takeHeard().first { $0.contains("CHATHISTORY") })
    playback(talk, line, [":jane!u@h PRIVMSG #room :did it arrive?"], from: 2)
    let told = talk.takeTold()
    #expect(told.messages == [])
    #expect(told.acks.map(\.id) == ["m1"])
    #expect(told.acks.map(\.roomID) == ["id2"])
    #expect(told.errors.map(\.isCertain) == [false])
  }

  @Test func `asks the user where nobody can know`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    talk.say("one", id: "m1")
    _ = talk.takeTold()
    talk.disconnect()
    let errors = talk.takeTold().errors
    #expect(errors.map(\.isCertain) == [false])
  }

  @Test func `says later what was not said, once and in order`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    // More than the server takes at once.
    for number in 0..<8 { talk.say("line \(number)", id: "m\(number)") }
    talk.pong()
    let said = talk.takeHeard().filter { $0.hasPrefix("PRIVMSG") }.count
    #expect((1..<8).contains(said))
    _ = talk.takeTold()
    talk.disconnect()
    talk.say("line 8", id: "m8")
    talk.pass(.seconds(2))
    talk.register()
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    for _ in 0..<20 {
      talk.pong()
      talk.pass(.seconds(2))
    }
    let lines = talk.takeHeard().filter { $0.hasPrefix("PRIVMSG") }
    let errors = talk.takeTold().errors.count
    #expect(lines.map { Int($0.suffix(1)) } == Array((said)...8))
    #expect(errors == 0)
  }

  @Test func `waits longer and longer, and says for how long`() throws {
    let talk = try Scripted()
    var delays: [Double] = []
    for _ in 0..<8 {
      talk.disconnect("connection refused")
      guard case .state(.reconnecting(let delay, let reason))? = talk.takeTold().last else {
        Issue.record("not reconnecting")
        return
      }
      #expect(reason.reason == "connection refused")
      delays.append(delay / .seconds(1))
      talk.pass(.seconds(80))
    }
    #expect(delays[0] <= 2)
    #expect(delays[5] >= 20)
    #expect(delays.allSatisfy { $0 <= 75 })
  }

  @Test func `notices that the server is gone though nobody says so`() throws {
    let talk = try Scripted()
    talk.register()
    talk.pass(.seconds(91))
    #expect(talk.takeHeard() == ["PING banter"])
    talk.pass(.seconds(31))
    guard case .state(.reconnecting(_, let reason))? = talk.takeTold().last else {
      Issue.record("not reconnecting")
      return
    }
    #expect(reason.reason == "the server has not answered for too long")
    #expect(talk.takeOrders().contains(.hangUp))
  }

  @Test func `says why the server hung up, and what may be missing`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.server("ERROR :Closing link: going down")
    talk.disconnect()
    guard case .state(.reconnecting(_, let reason))? = talk.takeTold().last else {
      Issue.record("not reconnecting")
      return
    }
    #expect(reason.reason == "the server said: Closing link: going down")
    talk.pass(.seconds(2))
    talk.register()
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    #expect(talk.takeTold().notices.count == 1)
  }

  @Test func `ends for good where another attempt would end the same`() throws {
    let talk = try Scripted()
    talk.disconnect("the certificate is of another host", isLasting: true)
    #expect(talk.takeTold().fatal == ["the certificate is of another host"])
  }

  @Test func `pages back`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    talk.host(
      .history(
        ref: "h",
        HistoryRequest(room: "#room", before: Cursor(value: "1796025601000 id5"), limit: 2)))
    let line = try #require(talk.takeHeard().last)
    #expect(line.hasSuffix("CHATHISTORY BEFORE #room msgid=id5 2"))
    playback(
      talk, line, [":bob!b@h PRIVMSG #room :one", ":bob!b@h PRIVMSG #room :two"], from: 3)
    guard case .page("h", let page)? = talk.takeTold().last else {
      Issue.record("no page")
      return
    }
    #expect(page.events.map(\.event.id) == ["id3", "id4"])
    #expect(page.more)
    #expect(page.next == page.events.first?.cursor)
  }
}
