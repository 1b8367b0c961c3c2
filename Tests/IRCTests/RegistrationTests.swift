import ChatModel
import IRC
import Testing
import Transport
import TransportSecurity

struct RegistrationTests {
  @Test func `asks only for what was offered, over several lines`() throws {
    let talk = try Scripted()
    talk.connect()
    _ = talk.takeHeard()
    talk.server(
      ":irc.test CAP * LS * :server-time batch=x nonsense", ":irc.test CAP * LS :away-notify")
    #expect(talk.takeHeard() == ["CAP REQ :away-notify batch server-time"])
    talk.server(":irc.test CAP * ACK :away-notify batch server-time")
    #expect(talk.takeHeard() == ["CAP END"])
    talk.server(":irc.test CAP jane NEW :echo-message nonsense")
    #expect(talk.takeHeard() == ["CAP REQ :echo-message"])
  }

  @Test func `does without everything that is refused`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test CAP * LS :server-time batch echo-message")
    _ = talk.takeHeard()
    talk.server(":irc.test CAP * NAK :batch echo-message server-time")
    let single = talk.takeHeard()
    #expect(single == ["CAP REQ :batch", "CAP REQ :echo-message", "CAP REQ :server-time"])
    for line in single { talk.server(":irc.test CAP * NAK :\(line.dropFirst(9))") }
    #expect(talk.takeHeard() == ["CAP END"])
  }

  @Test func `lives with a server that knows no capabilities`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test 421 * CAP :Unknown command", ":irc.test 001 jane :Welcome")
    talk.server(":irc.test 422 jane :no message")
    talk.pong()
    talk.join()
    talk.say("hello", id: "m1")
    talk.pong()
    #expect(talk.takeTold().acks.map(\.id) == ["m1"])
  }

  @Test func `takes another name, as short as the server wants it`() throws {
    let talk = try Scripted(nick: "abcdefghi")
    talk.connect()
    _ = talk.takeHeard()
    talk.server(":irc.test 433 * abcdefghi :in use", ":irc.test 433 * abcdefgh_ :in use")
    #expect(talk.takeHeard() == ["NICK abcdefgh_", "NICK abcdefg_2"])
    talk.server(":irc.test 001 abcdefg_2 :Welcome", ":irc.test 376 abcdefg_2 :End")
    talk.pong()
    talk.join(nick: "abcdefg_2")
    _ = talk.takeHeard()
    // It is free again.
    talk.server(":abcdefghi!u@h QUIT :bye")
    #expect(talk.takeHeard() == ["NICK abcdefghi"])
  }

  @Test func `is called by plain letters where the server wants them`() throws {
    let talk = try Scripted(nick: "민수kim")
    talk.connect()
    _ = talk.takeHeard()
    talk.server(":irc.test 432 * 민수kim :Erroneous nickname")
    #expect(talk.takeHeard() == ["NICK kim"])
    let other = try Scripted(nick: "민수")
    other.connect()
    _ = other.takeHeard()
    other.server(":irc.test 432 * 민수 :Erroneous nickname")
    #expect(other.takeHeard() == ["NICK guest"])
  }

  // MARK: - Logging in

  private func loggingIn(_ offered: String, _ settings: [String: String] = [:]) throws -> Scripted {
    var settings = settings
    settings["account"] = "jane"
    let talk = try Scripted(address: "ircs://irc.test/#room", settings: settings)
    guard case .need(let ref, let name, true, nil)? = talk.takeTold().last else {
      Issue.record("no need")
      return talk
    }
    #expect(name == "password of jane at irc.test")
    #expect(talk.takeOrders().isEmpty)
    talk.host(.given(ref: ref, value: "secret"))
    #expect(talk.takeOrders() == [.connect(host: "irc.test", port: 6697, isSecure: true)])
    talk.connect()
    talk.server(":irc.test CAP * LS :sasl=\(offered)")
    _ = talk.takeHeard()
    talk.server(":irc.test CAP * ACK :sasl")
    return talk
  }

  @Test func `logs in with a password`() throws {
    let talk = try loggingIn("PLAIN,EXTERNAL")
    #expect(talk.takeHeard() == ["AUTHENTICATE PLAIN"])
    talk.server("AUTHENTICATE +")
    #expect(talk.takeHeard() == ["AUTHENTICATE \(Base64.encode(Array("\0jane\0secret".utf8)))"])
    talk.server(
      ":irc.test 900 jane jane!u@host Jane :You are now logged in", ":irc.test 903 jane :ok")
    #expect(talk.takeHeard() == ["CAP END"])
    talk.server(":irc.test 001 jane :Welcome", ":irc.test 376 jane :End")
    talk.pong()
    guard case .state(.online)? = talk.takeTold().last else {
      Issue.record("not online")
      return
    }
  }

  @Test func `logs in by SCRAM, and believes only a server that knows the password`() throws {
    let talk = try loggingIn("SCRAM-SHA-256,PLAIN")
    #expect(talk.takeHeard() == ["AUTHENTICATE SCRAM-SHA-256"])
    talk.server("AUTHENTICATE +")
    let first = try #require(talk.takeHeard().first?.dropFirst("AUTHENTICATE ".count))
    let message = String(decoding: try #require(Base64.decode(String(first))), as: UTF8.self)
    #expect(message.hasPrefix("n,,n=jane,r="))
    // A server that says yes without a proof.
    talk.server(":irc.test 903 jane :ok")
    #expect(talk.takeHeard().isEmpty)
    #expect(talk.takeTold().fatal.count == 1)
    #expect(talk.takeOrders() == [.hangUp])
  }

  @Test func `is let in by a server that proves that it knows the password`() throws {
    let talk = try loggingIn("SCRAM-SHA-256,PLAIN")
    let verifier = try ScramVerifier(password: "secret", iterations: 4_096)
    var server = ScramServer(mechanism: .scramSHA256, binding: nil, secret: [1]) { name in
      name == "jane" ? verifier : nil
    }
    func takeSaid() throws -> [UInt8] {
      let line = try #require(talk.takeHeard().last)
      return try #require(Base64.decode(String(line.dropFirst("AUTHENTICATE ".count))))
    }
    _ = talk.takeHeard()
    talk.server("AUTHENTICATE +")
    guard case .challenge(let challenge) = server.receive(try takeSaid()) else {
      Issue.record("no challenge")
      return
    }
    talk.server("AUTHENTICATE \(Base64.encode(challenge))")
    guard case .authenticated("jane", let final) = server.receive(try takeSaid()) else {
      Issue.record("the server does not believe it")
      return
    }
    talk.server("AUTHENTICATE \(Base64.encode(final))")
    _ = talk.takeHeard()
    talk.server(":irc.test 900 jane jane!u@host jane :ok", ":irc.test 903 jane :ok")
    #expect(talk.takeHeard() == ["CAP END"])
    #expect(talk.takeTold().fatal.isEmpty)
  }

  @Test func `tells that the password was wrong`() throws {
    let talk = try loggingIn("PLAIN")
    talk.server("AUTHENTICATE +", ":irc.test 904 jane :SASL authentication failed")
    #expect(
      talk.takeTold().fatal == [
        "the login as jane was refused: SASL authentication failed"
      ])
  }

  @Test func `tells that nothing which is offered can be used`() throws {
    let talk = try loggingIn("ECDSA-NIST256P-CHALLENGE")
    let message = try #require(talk.takeTold().fatal.first)
    #expect(message.contains("it offers ECDSA-NIST256P-CHALLENGE"))
  }

  @Test func `gives up a login that hangs`() throws {
    let talk = try loggingIn("PLAIN")
    talk.pass(.seconds(61))
    #expect(talk.takeOrders() == [.hangUp])
    guard case .state(.reconnecting(_, let reason))? = talk.takeTold().last else {
      Issue.record("not reconnecting")
      return
    }
    #expect(reason.reason == "the server does not answer")
  }

  /// What is asked for.
  private func needed(_ talk: Scripted) throws -> String {
    try #require(
      talk.takeTold().compactMap { if case .need(let ref, _, _, _) = $0 { ref } else { nil } }.last)
  }

  @Test func `tells nobody a password who could overhear it`() throws {
    let talk = try Scripted(settings: ["account": "jane"])
    talk.host(.given(ref: try needed(talk), value: "secret"))
    talk.connect()
    talk.server(":irc.test CAP * LS :sasl=PLAIN")
    talk.server(":irc.test CAP * ACK :sasl")
    #expect(talk.heard.allSatisfy { !$0.hasPrefix("AUTHENTICATE") })
    #expect(talk.takeTold().fatal.count == 1)
    // Nor NickServ, where there is no SASL.
    let other = try Scripted(settings: ["account": "jane"])
    other.host(.given(ref: try needed(other), value: "secret"))
    other.register()
    #expect(other.takeHeard().allSatisfy { !$0.contains("secret") })
    #expect(other.takeTold().warnings.count == 1)
  }

  @Test func `asks for the password that a server wants`() throws {
    let talk = try Scripted(settings: ["plainPassword": "yes"])
    talk.connect()
    talk.server(":irc.znc.in 464 jane :Password required")
    guard case .need(let ref, "password of the server irc.test", true, nil)? = talk.takeTold().last
    else {
      Issue.record("no need")
      return
    }
    _ = talk.takeHeard()
    talk.disconnect()
    talk.host(.given(ref: ref, value: "user:pass"))
    #expect(talk.takeOrders().last == .connect(host: "irc.test", port: 6667, isSecure: false))
    talk.connect()
    #expect(talk.takeHeard().contains("PASS user:pass"))
  }

  @Test func `tells no server a password that all can read`() throws {
    let talk = try Scripted(settings: ["serverPassword": "yes"])
    let fatal = try #require(talk.takeTold().fatal.first)
    #expect(fatal.contains("ircs://") && fatal.contains("plainPassword"))
    #expect(talk.takeOrders() == [.hangUp])
    // Nor one that asks for it by itself.
    let other = try Scripted()
    other.connect()
    other.server(":irc.test 464 jane :Password required")
    #expect(other.takeTold().fatal.count == 1)
    let near = try Scripted(
      address: "irc://127.0.0.1/#room", settings: ["serverPassword": "yes"])
    guard case .need? = near.takeTold().last else {
      Issue.record("nothing is asked")
      return
    }
  }

  @Test func `a promise of TLS counts from the end of the last call, and covers the password`()
    throws
  {
    let start = Timestamp(milliseconds: 1_796_040_000_000)
    let policy = TransportPolicy(port: 6697, until: start + .seconds(10))
    let talk = try Scripted(settings: ["serverPassword": "yes"], policies: ["irc.test": policy])
    talk.host(.given(ref: try needed(talk), value: "hunter2"))
    talk.connect()
    talk.server(":irc.test CAP * LS :sts=duration=100")
    talk.pass(.seconds(50))
    _ = talk.takeOrders()
    talk.disconnect()
    let until = talk.now.time + .seconds(100)
    #expect(
      talk.takeOrders() == [
        .remember(host: "irc.test", policy: TransportPolicy(port: 6697, until: until))
      ])
    // A server that has promised nothing any more is not told the password.
    let other = try Scripted(settings: ["serverPassword": "yes"], policies: ["irc.test": policy])
    other.host(.given(ref: try needed(other), value: "hunter2"))
    other.connect()
    _ = other.takeHeard()
    other.pass(.seconds(20))
    other.disconnect()
    other.pass(.seconds(5))
    #expect(other.takeTold().fatal.count == 1)
    #expect(
      !other.takeOrders().contains { if case .connect(_, _, false) = $0 { true } else { false } })
  }

  @Test func `NickServ is told nothing where there is SASL, or another way is wanted`() throws {
    for (capabilities, settings) in [("", ["sasl": "SCRAM-SHA-256"]), ("sasl=PLAIN", [:])] {
      var settings = settings
      settings["account"] = "jane"
      let talk = try Scripted(address: "ircs://irc.test/#room", settings: settings)
      talk.host(.given(ref: try needed(talk), value: "secret"))
      talk.connect()
      talk.server(":irc.test CAP * LS :\(capabilities)", ":irc.test CAP * NAK :sasl")
      talk.server(":irc.test 001 jane :Welcome", ":irc.test 422 jane :no message")
      talk.pong()
      #expect(talk.heard.allSatisfy { !$0.contains("NickServ") }, "\(capabilities)")
    }
  }

  @Test func `is not let on by a server that passes the login over`() throws {
    let talk = try loggingIn("SCRAM-SHA-256")
    talk.server(":irc.test 001 jane :Welcome", ":irc.test 422 jane :no message")
    talk.pong()
    #expect(
      talk.takeTold().fatal == [
        "the login as jane was refused: the server went on without waiting for it"
      ])
  }

  @Test func `takes another way to log in where the server names them only then`() throws {
    let talk = try loggingIn("")
    #expect(talk.takeHeard() == ["AUTHENTICATE SCRAM-SHA-256"])
    talk.server(
      ":irc.test 908 jane PLAIN,EXTERNAL :are available SASL mechanisms",
      ":irc.test 904 jane :SASL authentication failed")
    #expect(talk.takeHeard() == ["AUTHENTICATE PLAIN"])
    talk.server(
      ":irc.test 908 jane PLAIN,EXTERNAL :are available SASL mechanisms",
      ":irc.test 904 jane :SASL authentication failed")
    #expect(talk.takeTold().fatal.count == 1)
  }

  @Test func `is called otherwise where the name is not to be had for a while`() throws {
    let talk = try Scripted()
    talk.connect()
    _ = talk.takeHeard()
    talk.server(":irc.test 437 * jane :Nick/channel is temporarily unavailable")
    #expect(talk.takeHeard() == ["NICK jane_"])
  }

  @Test func `says that it is a program, as the network wants it`() throws {
    let talk = try Scripted(settings: ["bot": "yes"])
    talk.connect()
    talk.server(
      ":irc.test 001 jane :Welcome", ":irc.test 005 jane BOT=B :are supported",
      ":irc.test 422 jane :no message")
    talk.pong()
    #expect(talk.heard.contains("MODE jane +B"))
  }

  // MARK: - TLS only

  @Test func `goes to TLS where the server wants it, and stays there`() throws {
    let talk = try Scripted()
    talk.connect()
    _ = talk.takeOrders()
    talk.server(":irc.test CAP * LS :sts=port=6697,duration=100 batch")
    #expect(
      talk.takeOrders() == [.hangUp, .connect(host: "irc.test", port: 6697, isSecure: true)])
    talk.connect()
    talk.server(":irc.test CAP * LS :sts=port=6697,duration=100")
    let until = talk.now.time + .seconds(100)
    let policy = TransportPolicy(port: 6697, until: until)
    #expect(talk.takeOrders() == [.remember(host: "irc.test", policy: policy)])
    let later = try Scripted(policies: ["irc.test": policy])
    #expect(later.takeOrders() == [.connect(host: "irc.test", port: 6697, isSecure: true)])
  }

  @Test func `says at once what makes no sense`() {
    #expect(throws: ProtocolError.self) { try Scripted(address: "irc://") }
  }

  @Test func `tells that one is banned, for good`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test 465 jane :You are banned: spam")
    #expect(
      talk.takeTold().fatal == [
        "this server does not let you in: You are banned: spam"
      ])
    #expect(talk.takeOrders().last == .hangUp)
    // Who asks later is told as well.
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    #expect(talk.takeTold().errors.map(\.errorClass) == [.denied])
  }
}
