import ChatModel
import IRC
import TestSupport
import Testing
import Transport

/// Whatever a server says, the plugin lives on and tells the host lines that it
/// can read: ``Scripted`` stops the test at one that it cannot.
struct HostileServerTests {
  private static let all =
    "message-tags server-time batch echo-message labeled-response draft/chathistory "
    + "account-notify account-tag extended-join away-notify chghost setname invite-notify "
    + "standard-replies multi-prefix userhost-in-names draft/multiline"

  private static let lines = [
    "@time=2026-11-30T08:00:00.000Z;msgid=abc;account=bob :bob!b@host PRIVMSG #room :hello",
    ":irc.test 005 jane PREFIX=(ov)@+ CHANTYPES=# :are supported", ":bob!b@h JOIN #room bob :Bob",
    ":bob!b@h PART #room :bye", ":bob!b@h QUIT :a.b c.d", ":bob!b@h NICK bob2",
    ":irc.test 353 jane = #room :@mia!u@h +bob!u@h", ":irc.test 366 jane #room :End",
    ":mia!u@h KICK #room bob :why", ":mia!u@h MODE #room +ovb bob bob *!*@*",
    ":mia!u@h TOPIC #room :topic", ":irc.test 332 jane #room :topic", ":bob!b@h AWAY :gone",
    ":bob!b@h ACCOUNT bob", ":bob!b@h CHGHOST u h", ":bob!b@h SETNAME :Bob",
    ":mia!u@h INVITE jane #other", "FAIL CHATHISTORY INVALID_TARGET #room :no",
    ":irc.test BATCH +x chathistory #room", "@batch=x :bob!b@h PRIVMSG #room :old",
    ":irc.test BATCH -x", "@label=5 :irc.test ACK", ":irc.test 311 jane bob b h * :Bob",
    ":irc.test 317 jane bob 1 2 :idle", ":irc.test 322 jane #room 5 :topic",
    ":irc.test 323 jane :End",
    "@+draft/react=👍;+draft/reply=abc :bob!b@h TAGMSG #room", ":irc.test 404 jane #room :no",
    ":irc.test 470 jane #room #other :Forwarding", "PING :x", ":irc.test PONG irc.test :banter-3",
    ":irc.test CAP jane NEW :sasl=PLAIN", ":irc.test CAP jane DEL :batch", "AUTHENTICATE +",
    ":bob!b@h PRIVMSG jane :\u{1}VERSION\u{1}", ":bob!b@h NOTICE jane :psst",
  ]

  private func inside() throws -> Scripted {
    let talk = try Scripted()
    talk.register(Self.all)
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    for line in talk.takeHeard() where line.hasPrefix("@label=") {
      talk.server("@label=\(line.dropFirst(7).prefix { $0 != " " }) :irc.test ACK")
    }
    talk.pong()
    return talk
  }

  /// Something is still said and heard.
  private func expectAlive(_ talk: Scripted) {
    _ = talk.takeTold()
    talk.host(.ping(ref: "alive"))
    guard case .pong("alive")? = talk.takeTold().last else {
      Issue.record("it does not answer")
      return
    }
  }

  @Test func `takes every line cut at every byte, and without parameters`() throws {
    let talk = try inside()
    for line in Self.lines {
      let bytes = Array(line.utf8)
      for length in 0..<bytes.count { talk.server(bytes: Array(bytes[..<length])) }
      let words = line.split(separator: " ")
      for count in 0..<words.count { talk.server(words.prefix(count).joined(separator: " ")) }
    }
    expectAlive(talk)
  }

  @Test func `takes every number without and with odd parameters`() throws {
    let talk = try inside()
    for number in 0...999 {
      let verb = String(repeating: "0", count: 3 - String(number).count) + String(number)
      guard number != 465 else { continue }
      for rest in ["", " jane", " jane #room", " x y z :t", " jane :", " * * * * * * :"] {
        talk.server(":irc.test \(verb)\(rest)")
      }
    }
    expectAlive(talk)
  }

  @Test(arguments: 0..<4) func `takes lines with bytes changed`(_ seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let talk = try inside()
    for _ in 0..<(isSoak ? 200_000 : 3_000) {
      var bytes = Array(random.pick(Self.lines).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(random.pick(Array(" :;=@!\u{1}\u{1b}\0".utf8)), at: place)
        default: bytes += Array(random.pick(Self.lines).utf8)
        }
      }
      talk.server(bytes: bytes.filter { $0 != 0x0a })
      if random.once(in: 50) { talk.pass(.seconds(1)) }
    }
    // Even one that was told to go answers.
    expectAlive(talk)
  }

  @Test func `takes wrong times for now, and ids that are none for missing`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    let long = String(repeating: "x", count: 5_000)
    talk.server(
      "@time=9999-99-99T99:99:99.999Z;msgid= :bob!b@h PRIVMSG #room :a",
      "@time=x;msgid=\(long) :bob!b@h PRIVMSG #room :b",
      "@time=2026-11-30T08:00:00.000Z;msgid=with\\sblank :bob!b@h PRIVMSG #room :c")
    let messages = talk.takeTold().events.compactMap { event in
      if case .message(let message) = event { message } else { nil }
    }
    #expect(messages.map(\.content) == ["a", "b", "c"])
    #expect(messages[0].createdAt == talk.now.time)
    #expect(Set(messages.map(\.id)).count == 3)
  }

  @Test func `bounds what is kept of batches, and what is told of messages`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    let long = String(repeating: "x", count: 90_000)
    // Each opens in the one before it: none is done before all are.
    talk.server(":irc.test BATCH +0 t")
    for number in 1..<60 {
      talk.server("@batch=\(number - 1) :irc.test BATCH +\(number) t \(long)")
      for line in 0..<20 { talk.server("@batch=\(number) :bob!b@h PRIVMSG #room :\(line) \(long)") }
    }
    // What would be more than 32 MiB was told, as far as it had come.
    #expect(talk.takeTold().messages.count >= 300)
    let toggles = String(repeating: "\u{2}x", count: 40_000)
    talk.server(":bob!b@h PRIVMSG #room :\(toggles)")
    guard case .message(let message)? = talk.takeTold().events.last else {
      Issue.record("no message")
      return
    }
    #expect(message.isTruncated)
    #expect(message.content?.utf8.count ?? 0 <= 65_536)
    var line: [UInt8] = []
    Answer.event(room: "#room", RoomEvent(event: .message(message), cursor: Cursor(value: "1")))
      .encode(into: &line)
    #expect(line.count < LineProtocol.maximumLineBytes)
  }

  @Test func `joins the lines of a long message in no time`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    talk.server("@msgid=1 :bob!b@h BATCH +m draft/multiline #room")
    for _ in 0..<50_000 {
      talk.server("@batch=m :bob!b@h PRIVMSG #room :\(String(repeating: "x", count: 100))")
    }
    talk.server(":irc.test BATCH -m")
    #expect(talk.takeTold().messages.count == 1)
  }

  @Test func `bounds the names of strangers`() throws {
    let talk = try inside()
    let long = String(repeating: "n", count: 3_000)
    talk.server(":\(long)!u@h JOIN #room", ":\(long)!u@h PRIVMSG #room :hi")
    talk.server(":\u{1b}[2J\u{202e}x\r!u@h PRIVMSG #room :hi", ":\(long)!u@h PRIVMSG jane :psst")
    talk.pass(.seconds(2))
    let told = talk.takeTold()
    let names = told.events.compactMap { event in
      if case .message(let message) = event { message.profileName } else { nil }
    }
    #expect(!names.isEmpty && names.allSatisfy { $0.utf8.count <= 200 })
    expectAlive(talk)
  }

  @Test func `takes batches that never end, nest and lie`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    talk.server(
      ":irc.test BATCH +a chathistory #room", "@batch=a :irc.test BATCH +b chathistory #room")
    talk.server(
      "@batch=b;msgid=1 :bob!b@h PRIVMSG #room :inner", "@batch=a :irc.test BATCH +a netsplit")
    talk.server("@batch=nobody :bob!b@h PRIVMSG #room :outside", ":irc.test BATCH -nobody")
    #expect(talk.takeTold().messages == ["bob: outside"])
    talk.server(":irc.test BATCH -b", ":irc.test BATCH -a")
    #expect(talk.takeTold().messages == ["bob: inner"])
    for number in 0..<200 { talk.server(":irc.test BATCH +n\(number) netjoin a.b c.d") }
    talk.server("@batch=n3 :bob!b@h PRIVMSG #room :late")
    #expect(talk.takeTold().messages == [])
    talk.pass(.seconds(61))
    #expect(talk.takeTold().messages == ["bob: late"])
  }

  @Test func `shows a forged id once, and the user's own never as another's`() throws {
    let talk = try inside()
    _ = talk.takeTold()
    talk.server("@msgid=same :bob!b@h PRIVMSG #room :a", "@msgid=same :eve!b@h PRIVMSG #room :b")
    #expect(talk.takeTold().messages == ["bob: a"])
  }
}
