import ChatModel
import IRC
import Testing
import Transport

/// What becomes of each message that the user says.
struct DeliveryTests {
  private func inside(_ capabilities: String = "") throws -> Scripted {
    let talk = try Scripted()
    talk.register(capabilities)
    talk.join()
    _ = talk.takeTold()
    _ = talk.takeHeard()
    return talk
  }

  /// What the host was told of each, in order: its id, and whether it arrived.
  private func fates(_ told: [Answer]) -> [String] {
    told.compactMap { answer in
      switch answer {
      case .ack(let ref, _): "\(ref) arrived"
      case .error(let ref?, _): "\(ref) refused"
      default: nil
      }
    }
  }

  @Test func `a refusal is about the message that the server has come to`() throws {
    let talk = try inside()
    talk.host(atOnce: (1...3).map { Scripted.saying("line \($0)", id: "m\($0)") })
    let heard = talk.takeHeard()
    #expect(heard.count == 6, "each has a sign of its own: \(heard)")
    for line in heard {
      if line.hasPrefix("PING ") { talk.server(":irc.test PONG irc.test :\(line.dropFirst(5))") }
      if line.hasSuffix("line 2") {
        talk.server(":irc.test 404 jane #room :Cannot send to channel")
      }
    }
    #expect(fates(talk.takeTold()) == ["m1 arrived", "m2 refused", "m3 arrived"])
  }

  @Test func `a refused command is not taken for the message behind it`() throws {
    let talk = try inside()
    talk.host(.command(ref: "k", room: "#room", name: "kick", arguments: "bob"))
    talk.say("hello", id: "m1")
    talk.server(":irc.test 482 jane #room :You're not a channel operator")
    talk.pong()
    #expect(fates(talk.takeTold()) == ["k refused", "m1 arrived"])
  }

  @Test func `what waited for a room that is left is given back, and said once`() throws {
    let talk = try inside()
    talk.disconnect()
    talk.say("hello", id: "m1")
    talk.host(.leave(ref: "l", room: "#room"))
    let told = talk.takeTold()
    #expect(fates(told) == ["m1 refused"])
    #expect(told.errors.map(\.errorClass) == [.retry])
    talk.pass(.seconds(2))
    talk.register()
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.say("hello", id: "m1")
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    #expect(fates(talk.takeTold()) == ["m1 arrived"])
    #expect(talk.heard.count { $0.contains("hello") } == 1)
  }

  @Test func `a message that is on its way is not said again`() throws {
    let talk = try inside()
    talk.say("hello", id: "m1")
    talk.host(
      .send(
        ref: "again",
        SendRequest(
          room: "#room", event: .message(Message(id: "m1", profileID: "", content: "hello")))))
    #expect(talk.heard.count { $0.contains("hello") } == 1)
    talk.pong()
    #expect(fates(talk.takeTold()) == ["again arrived"])
  }

  @Test func `taking leave gives back what was not said, and says no more`() throws {
    let talk = try inside()
    for number in 0..<9 { talk.say("line \(number)", id: "m\(number)") }
    let said = talk.takeHeard().count { $0.hasPrefix("PRIVMSG") }
    talk.host(.bye)
    #expect(talk.takeHeard().map { $0.prefix(4) } == ["QUIT"])
    #expect(fates(talk.takeTold()) == (said..<9).map { "m\($0) refused" })
  }

  @Test func `nothing is said between the lines of one message`() throws {
    let talk = try inside("message-tags batch labeled-response draft/multiline")
    talk.say("before", id: "m0")
    _ = talk.takeHeard()
    talk.host(
      .send(
        ref: "m1",
        SendRequest(
          room: "#room",
          event: .message(
            Message(
              id: "m1", profileID: "", content: "one\n\nthree",
              images: ["https://example.org/cat.png"])))))
    talk.server("PING :now")
    talk.pass(.seconds(30))
    let heard = talk.takeHeard().filter { $0.contains("BATCH") || $0.contains("batch=") }
    #expect(
      heard.map { $0.split(separator: " ").last.map(String.init) } == [
        "#room", ":one", ":", ":three", ":https://example.org/cat.png",
        heard.last?.split(separator: " ").last.map(String.init),
      ])
    let all = talk.heard + heard
    #expect(all.count == heard.count)
  }

  @Test func `no more lines go into one batch than the server takes`() throws {
    let talk = try inside(
      "message-tags batch labeled-response draft/multiline=max-bytes=4096,max-lines=3")
    talk.say("a\n\nb\nc", id: "m1")
    talk.pass(.seconds(30))
    #expect(!talk.heard.contains { $0.contains("BATCH") })
    talk.say("a\n\nb", id: "m2")
    talk.pass(.seconds(30))
    #expect(talk.heard.count { $0.contains("BATCH") } == 2)
  }

  @Test func `several lines to the user alone open a conversation`() throws {
    let talk = try inside("message-tags batch draft/multiline")
    talk.server(
      "@msgid=n2 :bob!b@h BATCH +y draft/multiline jane", "@batch=y :bob!b@h PRIVMSG jane :a",
      "@batch=y :bob!b@h PRIVMSG jane :b", ":irc.test BATCH -y")
    guard case .offer("bob")? = talk.takeTold().last else {
      Issue.record("no conversation is offered")
      return
    }
    talk.host(.join(ref: "q", JoinRequest(room: "bob")))
    #expect(talk.takeTold().messages == ["bob: a\nb"])
  }

  @Test func `several lines that come back without a label are one's own`() throws {
    let talk = try inside("message-tags batch echo-message draft/multiline")
    talk.say("a\nb", id: "m1")
    talk.server(
      "@msgid=n1 :jane!u@h BATCH +y draft/multiline #room", "@batch=y :jane!u@h PRIVMSG #room :a",
      "@batch=y :jane!u@h PRIVMSG #room :b", ":irc.test BATCH -y")
    talk.pong()
    let told = talk.takeTold()
    #expect(told.messages == [])
    #expect(told.acks.map(\.roomID) == ["n1"])
  }
}
