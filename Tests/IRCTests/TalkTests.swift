import ChatModel
import IRC
import Testing
import Transport

struct TalkTests {
  @Test func `welcomes the host at once, and is let in by the server`() throws {
    let talk = try Scripted()
    guard case .welcome(let welcome)? = talk.takeTold().first else {
      Issue.record("no welcome")
      return
    }
    #expect(welcome.profile.id == "jane")
    #expect(welcome.commands.map(\.name).contains("topic"))
    #expect(
      talk.takeOrders() == [.connect(host: "irc.test", port: 6667, isSecure: false)])
    talk.connect()
    #expect(
      talk.takeHeard() == ["CAP LS 302", "NICK jane", "USER banter 0 * :jane"])
    talk.server(":irc.test CAP * LS :")
    #expect(talk.takeHeard() == ["CAP END"])
    talk.server(":irc.test 001 jane :Welcome", ":irc.test 376 jane :End")
    #expect(talk.takeHeard() == ["PING banter-greeting"])
    talk.server(":irc.test PONG irc.test :banter-greeting")
    guard case .state(.online)? = talk.takeTold().last else {
      Issue.record("not online")
      return
    }
  }

  @Test func `enters a channel, hears and says something`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    let told = talk.takeTold()
    let joined = told.compactMap { answer in
      if case .joined("1", let joined) = answer { joined.room } else { nil }
    }
    #expect(joined == ["#room"])
    guard case .live("#room", _)? = told.last else {
      Issue.record("not live: \(told)")
      return
    }
    talk.server(":bob!~b@host PRIVMSG #room :안녕 \u{2}you\u{2}")
    let heard = talk.takeTold()
    #expect(heard.messages == ["bob: 안녕 you"])
    guard case .message(let message)? = heard.events.first else {
      Issue.record("no message")
      return
    }
    var bold = TextStyle()
    bold.isBold = true
    #expect(message.styles == [StyledRange(start: 7, end: 10, style: bold)])
    _ = talk.takeHeard()
    talk.say("hello", id: "m1")
    #expect(talk.heard.first == "PRIVMSG #room :hello")
    #expect(talk.told.acks.isEmpty)
    talk.pong()
    #expect(talk.takeTold().acks.map(\.id) == ["m1"])
  }

  @Test func `tells why something was not said`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.say("hello", id: "m1")
    talk.server(":irc.test 404 jane #room :Cannot send to channel")
    talk.pong()
    let told = talk.takeTold()
    #expect(told.acks.isEmpty)
    #expect(told.errors.map(\.message) == ["Cannot send to channel"])
    #expect(told.errors.map(\.errorClass) == [.denied])
    #expect(told.errors.map(\.isCertain) == [true])
  }

  @Test func `learns the network's id from the labeled echo, and shows it once`() throws {
    let talk = try Scripted()
    talk.register("message-tags server-time batch echo-message labeled-response")
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    let line = try #require(talk.takeHeard().first { $0.contains("JOIN #room") })
    let label = try #require(line.split(separator: " ").first?.dropFirst("@label=".count))
    talk.server(
      "@label=\(label) :irc.test BATCH +b labeled-response", "@batch=b :jane!~u@host JOIN #room",
      "@batch=b :irc.test 353 jane = #room :jane bob", "@batch=b :irc.test 366 jane #room :End",
      ":irc.test BATCH -b")
    talk.pong()
    _ = talk.takeTold()
    talk.say("hello", id: "m1")
    let said = try #require(talk.takeHeard().first)
    let other = said.split(separator: " ")[0].dropFirst("@label=".count)
    talk.server(
      "@label=\(other);msgid=net-1;time=2026-11-30T08:00:00.000Z :jane!~u@host PRIVMSG #room :hello"
    )
    let told = talk.takeTold()
    #expect(told.messages == [])
    #expect(told.acks.map(\.id) == ["m1"])
    #expect(told.acks.map(\.roomID) == ["net-1"])
    // Somebody answers it, by the network's id.
    talk.server("@+draft/reply=net-1;msgid=net-2 :bob!b@h PRIVMSG #room :yes")
    guard case .message(let reply)? = talk.takeTold().events.first else {
      Issue.record("no message")
      return
    }
    #expect(reply.replyTo == "m1")
    talk.say("good", id: "m2", replyTo: "net-2")
    #expect(talk.heard.last?.contains("+draft/reply=net-2") == true)
  }

  @Test func `shows what another client of the user's says`() throws {
    let talk = try Scripted()
    talk.register("echo-message")
    talk.join()
    _ = talk.takeTold()
    talk.server(":jane!~u@host PRIVMSG #room :from the phone")
    #expect(talk.takeTold().messages == ["jane: from the phone"])
  }

  @Test func `takes an action for one, and answers two requests of programs at most`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeTold()
    _ = talk.takeHeard()
    talk.server(":bob!b@h PRIVMSG #room :\u{1}ACTION waves\u{1}")
    #expect(talk.takeTold().messages == ["* bob waves"])
    talk.server(":bob!b@h PRIVMSG jane :\u{1}TIME\u{1}", ":bob!b@h PRIVMSG jane :\u{1}VERSION\u{1}")
    talk.server(":bob!b@h PRIVMSG jane :\u{1}PING 123\u{1}")
    #expect(talk.takeHeard() == ["NOTICE bob :\u{1}VERSION Banter\u{1}"])
    #expect(talk.takeTold().events.isEmpty)
    talk.pass(.seconds(6))
    talk.server(":bob!b@h PRIVMSG jane :\u{1}PING 123\u{1}")
    #expect(talk.takeHeard() == ["NOTICE bob :\u{1}PING 123\u{1}"])
  }

  @Test func `sends an action, in parts that are actions`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeHeard()
    let text = String(repeating: "word ", count: 120)
    let message = Message(id: "m1", profileID: "", content: text, isAction: true)
    talk.host(.send(ref: "s", SendRequest(room: "#room", event: .message(message))))
    talk.pass(.seconds(5))
    let lines = talk.takeHeard().filter { $0.hasPrefix("PRIVMSG") }
    #expect(lines.count == 2)
    for line in lines {
      #expect(line.hasPrefix("PRIVMSG #room :\u{1}ACTION word"))
      #expect(line.hasSuffix("\u{1}"))
      #expect(":jane!~u@host ".utf8.count + line.utf8.count + 2 <= 512)
    }
  }

  @Test func `keeps what is said to the user alone until the conversation is opened`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.server(":bob!b@h PRIVMSG jane :psst")
    talk.server(":bob!b@h PRIVMSG jane :hello?")
    let told = talk.takeTold()
    #expect(told.messages == [])
    #expect(told.notices == [])
    let offers = told.compactMap { if case .offer(let room) = $0 { room } else { nil } }
    #expect(offers == ["bob"])
    // A host that does not open it has its user told, once.
    talk.pass(.seconds(4))
    talk.server(":bob!b@h PRIVMSG jane :anybody?")
    talk.pass(.seconds(4))
    #expect(talk.takeTold().notices == ["bob writes to you alone: /join bob shows it"])
    talk.host(.join(ref: "q", JoinRequest(room: "bob")))
    #expect(talk.takeTold().messages == ["bob: psst", "bob: hello?", "bob: anybody?"])
    talk.say("what?", id: "m1", in: "bob")
    #expect(talk.heard.contains("PRIVMSG bob :what?"))
  }

  @Test func `asks for a sign where the answer with a label does not come`() throws {
    let talk = try Scripted()
    talk.register("message-tags batch labeled-response")
    talk.join()
    talk.pass(.seconds(3))
    talk.pong()
    _ = (talk.takeTold(), talk.takeHeard())
    talk.say("hello", id: "m1")
    #expect(talk.takeHeard().count == 1)
    let deadline = try #require(talk.session.deadline)
    #expect(deadline <= talk.now.uptime + .seconds(2))
    talk.pass(.seconds(2))
    talk.pong()
    #expect(talk.takeTold().acks.map(\.id) == ["m1"])
  }

  @Test func `shows what is there where the server gives no signs`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test CAP * LS :message-tags batch labeled-response server-time")
    talk.server(":irc.test CAP * ACK :message-tags batch labeled-response server-time")
    talk.server(":irc.test 001 jane :Welcome", ":irc.test 422 jane :no message")
    talk.host(.join(ref: "j", JoinRequest(room: "#room", tail: 10)))
    #expect(try #require(talk.session.deadline) <= talk.now.uptime + .seconds(2))
    talk.pass(.seconds(2))
    talk.server(
      ":jane!~u@host JOIN #room", "@time=2026-11-30T08:00:00.000Z :bob!b@h PRIVMSG #room :before",
      ":irc.test 366 jane #room :End")
    _ = talk.takeTold()
    #expect(try #require(talk.session.deadline) <= talk.now.uptime + .seconds(1))
    talk.pass(.seconds(1))
    let told = talk.takeTold()
    #expect(told.messages == ["bob: before"])
    guard case .live("#room", _)? = told.last else {
      Issue.record("not live")
      return
    }
  }

  @Test(arguments: ["irc://irc.test", "ircs://jane@irc.test:7000/"])
  func `an address that names no room is refused at once`(_ address: String) throws {
    let error = #expect(throws: ProtocolError.self) {
      _ = try Scripted(address: address)
    }
    #expect(error?.code == "address")
    #expect(error?.message.contains("write irc://host/#channel") == true)
  }

  @Test func `finds the pictures in what is said`() throws {
    let talk = try Scripted()
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.server(":bob!b@h PRIVMSG #room :look (https://a.example/x.png), https://b.example/")
    guard case .message(let message)? = talk.takeTold().events.first else {
      Issue.record("no message")
      return
    }
    #expect(message.images == ["https://a.example/x.png"])
  }

  @Test func `shows what the server has made of a message`() throws {
    let talk = try Scripted()
    talk.register("message-tags batch echo-message labeled-response")
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(":jane!~u@host JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    _ = talk.takeHeard()
    talk.say("a \u{3}4red b", id: "m1")
    let label = try #require(talk.takeHeard().first?.dropFirst(7).prefix { $0 != " " })
    _ = talk.takeTold()
    talk.server("@label=\(label);msgid=n1 :jane!~u@host PRIVMSG #room :a red b")
    let told = talk.takeTold()
    #expect(told.acks.map(\.roomID) == ["n1"])
    guard case .edit(let edit)? = told.events.first else {
      Issue.record("no edit")
      return
    }
    #expect(edit.messageID == "m1")
    #expect(edit.content == "a red b")
  }

  @Test func `sends several lines as one message where the server knows them`() throws {
    let talk = try Scripted()
    talk.register("message-tags batch echo-message labeled-response draft/multiline")
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(":jane!~u@host JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    _ = talk.takeHeard()
    talk.say("one\ntwo", id: "m1")
    talk.pass(.seconds(10))
    let lines = talk.takeHeard().filter { !$0.hasPrefix("PING") }
    #expect(lines.count == 4)
    #expect(lines[0].hasSuffix("draft/multiline #room"))
    #expect(lines[1].hasSuffix("PRIVMSG #room :one"))
    #expect(lines[2].hasSuffix("PRIVMSG #room :two"))
    // One comes back as one.
    let label = lines[0].dropFirst(7).prefix { $0 != " " }
    _ = talk.takeTold()
    talk.server(
      "@label=\(label);msgid=n1 :jane!~u@host BATCH +x draft/multiline #room",
      "@batch=x :jane!~u@host PRIVMSG #room :one", "@batch=x :jane!~u@host PRIVMSG #room :two",
      ":irc.test BATCH -x")
    let told = talk.takeTold()
    #expect(told.acks.map(\.roomID) == ["n1"])
    #expect(told.messages == [])
    talk.server(
      "@msgid=n2 :bob!b@h BATCH +y draft/multiline #room", "@batch=y :bob!b@h PRIVMSG #room :a",
      "@batch=y;draft/multiline-concat :bob!b@h PRIVMSG #room :b", ":irc.test BATCH -y")
    #expect(talk.takeTold().messages == ["bob: ab"])
  }
}
