import ChatModel
import IRC
import Testing
import Transport

/// Servers that keep to the letter of what is written, and others.
struct StrictServerTests {
  private func inside(_ capabilities: String = "", features: String = "") throws -> Scripted {
    let talk = try Scripted()
    talk.register(capabilities, features: "CASEMAPPING=rfc1459 \(features)")
    talk.join()
    talk.pong()
    _ = talk.takeTold()
    _ = talk.takeHeard()
    return talk
  }

  private func answers(_ told: [Answer]) -> [String] {
    told.compactMap { answer in
      switch answer {
      case .ack(let ref, _), .done(let ref, _): "\(ref) done"
      case .error(let ref?, let error): "\(ref) refused: \(error.message)"
      default: nil
      }
    }
  }

  private func label(_ line: String) -> Substring {
    line.dropFirst("@label=".count).prefix { $0 != " " && $0 != ";" }
  }

  // MARK: - Capabilities

  @Test func `a refusal may name only the first of what it refuses`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test CAP * LS :batch server-time message-tags")
    _ = talk.takeHeard()
    talk.server(":irc.test CAP * NAK :batch message-tags")
    let asked = talk.takeHeard()
    #expect(
      asked == ["CAP REQ :batch", "CAP REQ :message-tags", "CAP REQ :server-time"])
    talk.server(":irc.test CAP * ACK :batch", ":irc.test CAP * NAK :message-t")
    #expect(talk.takeHeard().isEmpty)
    talk.server(":irc.test CAP * ACK :server-time")
    #expect(talk.takeHeard() == ["CAP END"])
  }

  @Test func `promises no tags that nobody is told`() throws {
    let talk = try Scripted()
    talk.register("message-tags", features: "CLIENTTAGDENY=*,-draft/reply")
    talk.join()
    let joined = talk.takeTold().compactMap {
      if case .joined(_, let one) = $0 { one } else { nil }
    }
    #expect(joined.last?.capabilities?.reactions == false)
    #expect(joined.last?.capabilities?.replies == true)
    #expect(joined.last?.capabilities?.authenticatesAuthors == false)
  }

  @Test func `a reaction to what the server has no name for is refused`() throws {
    let talk = try inside("message-tags server-time")
    talk.server("@time=2026-11-30T08:00:00.000Z :bob!b@h PRIVMSG #room :hi")
    let id = try #require(
      talk.takeTold().events.compactMap { if case .message(let one) = $0 { one.id } else { nil } }
        .first)
    talk.host(
      .send(
        ref: "r",
        SendRequest(
          room: "#room",
          event: .reaction(
            Reaction(
              eventID: "e", messageID: id, profileID: "", reaction: "👍", isRemoved: false,
              createdAt: nil)))))
    #expect(talk.takeTold().errors.map(\.errorClass) == [.unsupported])
    #expect(talk.heard.isEmpty)
  }

  // MARK: - Refusals

  @Test(arguments: [
    ("716", "716 jane #room :is in +g mode"), ("404", "404 jane #room :no"),
    ("531", "531 jane #room :no"),
  ]) func `what was refused is not sent`(_ name: String, _ refusal: String) throws {
    let talk = try inside()
    talk.say("hello", id: "m1")
    talk.server(":irc.test \(refusal)")
    talk.pong()
    #expect(talk.takeTold().errors.count == 1)
  }

  @Test(arguments: ["263", "696", "742"])
  func `what was refused is not done`(_ number: String) throws {
    let talk = try inside()
    talk.host(.command(ref: "c", room: "#room", name: "mode", arguments: "+l x"))
    talk.server(":irc.test \(number) jane #room l :not now")
    talk.pong()
    #expect(answers(talk.takeTold()) == ["c refused: not now"])
  }

  @Test func `an error with a label is about nothing else`() throws {
    let talk = try inside("message-tags batch labeled-response")
    talk.host(.command(ref: "t", room: "#room", name: "topic", arguments: "tea"))
    talk.host(.command(ref: "n", room: "#room", name: "nick", arguments: "mia"))
    let heard = talk.takeHeard()
    let topic = try #require(heard.first { $0.contains("TOPIC") })
    let nick = try #require(heard.first { $0.contains("NICK") })
    talk.server("@label=\(label(nick)) :irc.test 433 jane mia :Nickname is already in use")
    talk.server("@label=\(label(topic)) :jane!u@h TOPIC #room :tea")
    #expect(
      answers(talk.takeTold()) == ["n refused: Nickname is already in use", "t done"])
  }

  @Test func `a failure of what nobody waits for is told, and fails nothing else`() throws {
    let talk = try inside("message-tags batch labeled-response standard-replies")
    talk.say("hello", id: "m1")
    let said = try #require(talk.takeHeard().first)
    talk.server("FAIL MARKREAD INTERNAL_ERROR #room :it did not work")
    talk.server("@label=\(label(said)) :irc.test ACK")
    let told = talk.takeTold()
    #expect(answers(told) == ["m1 done"])
    #expect(told.notices == ["it did not work"])
  }

  @Test func `a list with a label goes to the command that asked`() throws {
    let talk = try inside("message-tags batch labeled-response")
    talk.host(.command(ref: "k", room: "#room", name: "kick", arguments: "bob"))
    talk.host(.command(ref: "b", room: "#room", name: "ban", arguments: ""))
    let heard = talk.takeHeard()
    let kick = try #require(heard.first { $0.contains("KICK") })
    let ban = try #require(heard.first { $0.contains("MODE") })
    talk.server(
      "@label=\(label(ban)) :irc.test BATCH +1 labeled-response",
      "@batch=1 :irc.test 367 jane #room *!*@evil", ":irc.test BATCH -1",
      "@label=\(label(kick)) :irc.test ACK")
    let notices = talk.takeTold().compactMap { answer in
      if case .done(let ref, let notice) = answer { "\(ref): \(notice ?? "")" } else { nil }
    }
    #expect(notices == ["b: *!*@evil", "k: "])
  }

  @Test func `one's own new name is known though it is told as the new one's`() throws {
    let talk = try inside("message-tags batch labeled-response echo-message")
    talk.host(.command(ref: "n", room: "#room", name: "nick", arguments: "mia"))
    let nick = try #require(talk.takeHeard().first { $0.contains("NICK") })
    talk.server("@label=\(label(nick)) :mia!u@h NICK :mia")
    talk.say("hello", id: "m1")
    let said = try #require(talk.takeHeard().first)
    talk.server("@label=\(label(said));msgid=1 :mia!u@h PRIVMSG #room :hello")
    let told = talk.takeTold()
    #expect(told.messages == [])
    #expect(told.acks.map(\.id) == ["m1"])
    let names = told.events.compactMap { event in
      if case .profile(let change) = event {
        "\(change.profileID): \(change.profileName ?? "")"
      } else {
        nil
      }
    }
    #expect(names == ["jane: mia"])
  }

  @Test func `tells as much of what a server plays back as is wanted`() throws {
    func told(after: String?, tail: Int) throws -> [String] {
      let talk = try Scripted()
      talk.register("message-tags server-time batch")
      talk.host(
        .join(
          ref: "j", JoinRequest(room: "#room", after: after.map { Cursor(value: $0) }, tail: tail)))
      talk.server(":jane!u@h JOIN #room")
      talk.server(":irc.test BATCH +h chathistory #room")
      for number in 1...6 {
        talk.server(
          "@batch=h;msgid=\(number);time=2026-11-30T08:00:0\(number).000Z :b!b@h PRIVMSG #room :\(number)"
        )
      }
      talk.server(":irc.test BATCH -h", ":irc.test 366 jane #room :End")
      talk.pong()
      return talk.takeTold().messages.map { String($0.suffix(1)) }
    }
    #expect(try told(after: nil, tail: 2) == ["5", "6"])
    #expect(try told(after: nil, tail: 0) == [])
    #expect(try told(after: "1796025604000 4", tail: 0) == ["5", "6"])
    #expect(try told(after: "1796025604000 4", tail: 3) == ["4", "5", "6"])
    #expect(try told(after: "1796025602000 2", tail: 1) == ["3", "4", "5", "6"])
  }

  // MARK: - Servers far away

  @Test func `waits for the server of whoever is asked for`() throws {
    let talk = try inside()
    talk.host(.command(ref: "w", room: "#room", name: "whois", arguments: "bob"))
    talk.pong()
    #expect(talk.takeTold().isEmpty)
    talk.server(":far.test 311 jane bob b host * :Bob", ":far.test 318 jane bob :End")
    #expect(answers(talk.takeTold()) == ["w done"])
    // Nobody of that name, which is told at once, or never.
    talk.host(.command(ref: "x", room: "#room", name: "whois", arguments: "nemo"))
    talk.server(":irc.test 401 jane nemo :No such nick", ":irc.test 318 jane nemo :End")
    #expect(talk.takeTold().errors.map(\.errorClass) == [.notFound])
    talk.host(.command(ref: "y", room: "#room", name: "whois", arguments: "mia"))
    talk.pong()
    talk.pass(.seconds(16))
    #expect(talk.takeTold().errors.map(\.errorClass) == [.notFound])
  }

  @Test func `waits for history that is slow, where the server is not silent`() throws {
    let talk = try Scripted()
    talk.register("message-tags server-time batch draft/chathistory", features: "CHATHISTORY=50")
    talk.host(.join(ref: "j", JoinRequest(room: "#room", tail: 10)))
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pass(.seconds(20))
    talk.server("@msgid=9;time=2026-11-30T08:00:09.000Z :bob!b@h PRIVMSG #room :now")
    #expect(talk.takeTold().messages == [])
    talk.server(
      ":irc.test BATCH +h chathistory #room",
      "@batch=h;msgid=1;time=2026-11-30T08:00:01.000Z :bob!b@h PRIVMSG #room :before",
      ":irc.test BATCH -h")
    talk.pong()
    #expect(talk.takeTold().messages == ["bob: before", "bob: now"])
  }

  @Test func `tells of a gap where the history does not come`() throws {
    let talk = try Scripted()
    talk.register("message-tags server-time batch draft/chathistory", features: "CHATHISTORY=50")
    talk.host(.join(ref: "j", JoinRequest(room: "#room", after: Cursor(value: "1796000000000 1"))))
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pass(.seconds(61))
    let told = talk.takeTold()
    #expect(told.contains { if case .gap("#room", _, nil) = $0 { true } else { false } })
    #expect(told.contains { if case .live = $0 { true } else { false } })
  }

  @Test func `one server whose clock is ahead hides nothing that is missed`() throws {
    let talk = try Scripted()
    let capabilities = "message-tags server-time batch draft/chathistory"
    talk.register(capabilities, features: "CHATHISTORY=50")
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(
      "@time=2026-11-30T08:00:00.000Z :jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    talk.server(
      "@msgid=1;time=2026-11-30T08:00:00.500Z :bob!b@h PRIVMSG #room :hi",
      "@msgid=2;time=9998-11-30T09:00:00.000Z :eve!b@h PRIVMSG #room :from the future")
    #expect(talk.takeTold().messages == ["bob: hi", "eve: from the future"])
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register(capabilities, features: "CHATHISTORY=50")
    _ = talk.takeHeard()
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    #expect(
      talk.heard.contains("CHATHISTORY AFTER #room timestamp=2026-11-30T08:00:00.499Z 50"))
  }

  // MARK: - What was before

  @Test func `what a bouncer plays back behind the names is not missing`() throws {
    let talk = try inside("server-time batch")
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register("server-time batch")
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.server(
      ":irc.test BATCH +h znc.in/playback #room",
      "@batch=h;time=2026-11-30T12:00:01.000Z :bob!b@h PRIVMSG #room :meanwhile",
      ":irc.test BATCH -h")
    talk.pong()
    let told = talk.takeTold()
    #expect(told.messages == ["bob: meanwhile"])
    #expect(told.notices == [])
  }

  /// What a host that has read up to 08:00:05 and wants two of before is told.
  private func opened(_ talk: Scripted, with first: [String], then second: [String]) -> [String] {
    talk.register("message-tags server-time batch draft/chathistory", features: "CHATHISTORY=50")
    talk.host(
      .join(
        ref: "j",
        JoinRequest(room: "#room", after: Cursor(value: "1796025605000 5"), tail: 2)))
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    for lines in [first, second] where !lines.isEmpty {
      talk.server([":irc.test BATCH +h chathistory #room"])
      talk.server(
        lines.map {
          "@batch=h;msgid=\($0);time=2026-11-30T08:00:0\($0).000Z :b!b@h PRIVMSG #room :\($0)"
        })
      talk.server([":irc.test BATCH -h"])
      talk.pong()
    }
    return talk.takeTold().messages
  }

  @Test func `the last messages are told, and what was missed, whichever reaches further`() throws {
    let near = try Scripted()
    #expect(opened(near, with: ["4", "5"], then: []) == ["b: 4", "b: 5"])
    #expect(near.heard.contains { $0.hasPrefix("CHATHISTORY LATEST #room * 2") })
    #expect(!near.heard.contains { $0.contains("AFTER") })
    let far = try Scripted()
    #expect(
      opened(far, with: ["8", "9"], then: ["5", "6", "7", "8", "9"]) == [
        "b: 6", "b: 7", "b: 8", "b: 9",
      ])
  }

  @Test func `the last messages are told though one is called otherwise`() throws {
    let talk = try Scripted()
    talk.register(
      "message-tags server-time batch draft/chathistory", features: "CHATHISTORY=50", nick: "jane2")
    talk.host(.join(ref: "j", JoinRequest(room: "#room", tail: 2)))
    talk.server(":jane2!u@h JOIN #room", ":irc.test 366 jane2 #room :End")
    talk.pass(.seconds(10))
    #expect(talk.heard.contains("CHATHISTORY LATEST #room * 2"))
  }
}
