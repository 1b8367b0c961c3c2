import ChatModel
import IRC
import TerminalText
import Testing
import Transport

struct RoomTests {
  private func inside(_ settings: [String: String] = [:]) throws -> Scripted {
    let talk = try Scripted(settings: settings)
    talk.register()
    talk.join()
    _ = talk.takeTold()
    _ = talk.takeHeard()
    return talk
  }

  @Test func `tells of people who come and go in one line`() throws {
    let talk = try inside()
    talk.server(":a!u@h JOIN #room", ":b!u@h JOIN #room", ":bob!u@h PART #room :dinner")
    #expect(talk.takeTold().notices == [])
    talk.pass(.seconds(2))
    #expect(talk.takeTold().notices == ["a and b joined; bob left (dinner)"])
    talk.server(":a!u@h NICK :c")
    talk.pass(.seconds(30))
    let told = talk.takeTold()
    // The change of the profile tells it, for all rooms at once.
    #expect(told.notices == [])
    let changes = told.events.compactMap { event in
      if case .profile(let change) = event { change } else { nil }
    }
    #expect(changes.map(\.profileID) == ["a"])
    #expect(changes.map(\.profileName) == ["c"])
    // Whoever is called otherwise is still the same.
    talk.server(":c!u@h PRIVMSG #room :hi")
    guard case .message(let message)? = talk.takeTold().events.first else {
      Issue.record("no message")
      return
    }
    #expect(message.profileID == "a")
    #expect(message.profileName == "c")
  }

  @Test func `tells of each person once`() throws {
    let talk = try inside()
    talk.server(
      ":bob!u@h PART #room", ":bob!u@h JOIN #room", ":bob!u@h QUIT :x", ":bob!u@h JOIN #room")
    talk.server(
      ":a!u@h JOIN #room", ":a!u@h PART #room :oops", ":b!u@h JOIN #room", ":b!u@h NICK :c")
    talk.pass(.seconds(2))
    #expect(
      talk.takeTold().notices == ["c joined; bob left and came back; a came and left (oops)"])
  }

  @Test func `asks for the key of a channel, and says which one was wrong`() throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "1", JoinRequest(room: "#room")))
    _ = talk.takeHeard()
    for attempt in 1...3 {
      talk.server(":irc.test 475 jane #room :Cannot join channel (+k)")
      talk.pong()
      guard case .need(let ref, "key of #room at irc.test", true, "#room")? = talk.takeTold().last
      else {
        Issue.record("nothing is asked")
        return
      }
      talk.host(.given(ref: ref, value: "wrong\(attempt)"))
      #expect(talk.takeHeard().contains("JOIN #room wrong\(attempt)"))
    }
    talk.server(":irc.test 475 jane #room :Cannot join channel (+k)")
    guard case .error("1", let error)? = talk.takeTold().last else {
      Issue.record("no error")
      return
    }
    #expect(error.message == "#room cannot be entered: this is not the key of #room")
    #expect(error.errorClass == .denied)
  }

  @Test func `enters with the key that was typed, and tells that a wrong one was`() throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "1", JoinRequest(room: "#room", key: "sesame")))
    #expect(talk.takeHeard().contains("JOIN #room sesame"))
    talk.server(":irc.test 475 jane #room :Cannot join channel (+k)")
    let told = talk.takeTold()
    #expect(told.warnings == ["this is not the key of #room"])
    guard case .need? = told.last else {
      Issue.record("nothing is asked")
      return
    }
  }

  @Test func `tells what a room is about from now on`() throws {
    let talk = try inside()
    talk.server(":mia!u@h TOPIC #room :tea")
    talk.server(":irc.test 332 jane #room :coffee", ":irc.test 331 jane #room :No topic is set")
    let titles = talk.takeTold().compactMap { answer in
      if case .joined("", let joined) = answer { joined.title } else { nil }
    }
    #expect(titles == ["tea", "coffee", ""])
  }

  @Test func `names whoever is not there`() throws {
    let talk = try inside()
    talk.host(.command(ref: "1", room: "#room", name: "msg", arguments: "nemo hello"))
    talk.server(":irc.test 401 jane nemo :No such nick")
    talk.pong()
    #expect(talk.takeTold().errors.map(\.message) == ["nemo: No such nick"])
  }

  @Test(arguments: [Language.english, .korean])
  func `tells about somebody in the user's words`(_ language: Language) throws {
    let talk = try Scripted(language: language)
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.host(.command(ref: "w", room: "#room", name: "whois", arguments: "bob"))
    talk.server(
      ":irc.test 311 jane bob b host * :Bob Smith",
      ":irc.test 317 jane bob 60 1796000000 :seconds idle", ":irc.test 318 jane bob :End")
    talk.pong()
    guard case .done("w", let notice?)? = talk.takeTold().last else {
      Issue.record("no answer")
      return
    }
    #expect(notice.contains(language == .korean ? "실명: Bob Smith" : "real name: Bob Smith"))
    #expect(!notice.contains("T") && notice.contains("2026"))
  }

  @Test func `folds ten thousand who come, and a netsplit of five thousand`() throws {
    let talk = try inside()
    talk.server(atOnce: (0..<10_000).map { ":n\($0)!u@h JOIN #room" })
    talk.pass(.seconds(2))
    let told = talk.takeTold()
    #expect(told.notices == ["n0, n1, n2 and 9997 others joined"])
    #expect(told.events.count < 200)
    talk.host(.members(ref: "m", room: "#room"))
    guard case .members("m", let page, let next?)? = talk.takeTold().last else {
      Issue.record("no page of members")
      return
    }
    talk.host(.members(ref: "n", room: "#room", after: next))
    guard case .members("n", let second, _)? = talk.takeTold().last else {
      Issue.record("no second page")
      return
    }
    #expect(Set(page.map(\.id)).isDisjoint(with: second.map(\.id)))
    talk.pass(.seconds(30))
    talk.server(atOnce: (0..<5_000).map { ":n\($0)!u@h QUIT :a.example b.example" })
    talk.pass(.seconds(2))
    #expect(talk.takeTold().notices == ["netsplit: n0, n1, n2 and 4997 others left"])
  }

  @Test func `tells nothing of that where it is not wanted`() throws {
    let talk = try inside(["joins": "no"])
    talk.server(":a!u@h JOIN #room", ":a!u@h QUIT :bye")
    talk.pass(.seconds(60))
    #expect(talk.takeTold().events.isEmpty)
  }

  @Test func `says that one was kicked, by whom and why, and goes back`() throws {
    let talk = try inside()
    talk.server(":mia!u@h KICK #room jane :enough")
    #expect(talk.takeTold().notices == ["mia has kicked you out of #room: enough"])
    talk.say("wait", id: "m1")
    talk.pass(.seconds(6))
    #expect(talk.takeHeard().contains("JOIN #room"))
    talk.server(":irc.test 474 jane #room :Cannot join channel (+b)")
    let told = talk.takeTold()
    let reason = "#room cannot be entered: Cannot join channel (+b)"
    #expect(told.notices == [reason])
    #expect(told.errors.map(\.message) == [reason])
    // Whoever speaks there wants to be in it, and learns why he is not.
    _ = talk.takeHeard()
    talk.say("again", id: "m2")
    #expect(talk.heard.contains("JOIN #room"))
    talk.server(":irc.test 474 jane #room :Cannot join channel (+b)")
    #expect(talk.takeTold().errors.map(\.message) == [reason])
    talk.say("now", id: "m3")
    talk.server(":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pass(.seconds(10))
    #expect(talk.heard.contains("PRIVMSG #room :now"))
  }

  @Test func `follows a channel that forwards`() throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "1", JoinRequest(room: "#room")))
    talk.server(
      ":irc.test 470 jane #room ##other :Forwarding to another channel",
      ":jane!u@h JOIN ##other", ":irc.test 366 jane ##other :End")
    talk.pong()
    let rooms = talk.takeTold().compactMap { answer in
      if case .joined("1", let joined) = answer { joined.room } else { nil }
    }
    #expect(rooms == ["##other"])
    talk.say("hello", id: "m1", in: "#room")
    #expect(talk.heard.contains("PRIVMSG ##other :hello"))
  }

  @Test func `a channel that is open and forwards from now on goes on under its name`() throws {
    let talk = try inside()
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register()
    talk.server(
      ":irc.test 470 jane #room ##other :Forwarding to another channel",
      ":jane!u@h JOIN ##other", ":irc.test 366 jane ##other :End")
    talk.pong()
    _ = talk.takeTold()
    talk.server(":bob!b@h PRIVMSG ##other :over here")
    let rooms = talk.takeTold().compactMap {
      if case .event(let room, _) = $0 { room } else { nil }
    }
    #expect(rooms == ["#room"])
    talk.say("yes", id: "m1")
    #expect(talk.heard.contains("PRIVMSG ##other :yes"))
  }

  @Test func `a channel that forwards to one that is open is not opened beside it`() throws {
    let talk = try inside()
    talk.host(.join(ref: "2", JoinRequest(room: "#tea")))
    talk.server(":irc.test 470 jane #tea #room :Forwarding to another channel")
    talk.pong()
    #expect(
      talk.takeTold().errors.map(\.message) == ["#tea is the same as #room, where you are"])
  }

  @Test func `rooms are the same by the server's rules, whenever it tells them`() throws {
    let talk = try Scripted(address: "irc://irc.test/#a^b")
    talk.host(.join(ref: "1", JoinRequest(room: "#a^b")))
    talk.register(features: "CASEMAPPING=ascii")
    talk.server(":jane!u@h JOIN #a^b", ":irc.test 366 jane #a^b :End")
    talk.pong()
    talk.server(":bob!b@h PRIVMSG #a^b :here", ":bob!b@h PRIVMSG #a~b :elsewhere")
    #expect(talk.takeTold().messages == ["bob: here"])
  }

  @Test func `asks for as many channels at once as fit into a line`() throws {
    let talk = try Scripted()
    let names = (0..<9).map { "#\($0)" + String(repeating: "x", count: 150) }
    for (index, name) in names.enumerated() {
      talk.host(.join(ref: "\(index)", JoinRequest(room: name)))
    }
    talk.register()
    talk.pass(.seconds(60))
    let lines = talk.heard.filter { $0.hasPrefix("JOIN") }
    #expect(lines.allSatisfy { $0.utf8.count <= 510 })
    #expect(lines.flatMap { $0.dropFirst(5).split(separator: ",") }.map(String.init) == names)
  }

  @Test func `tells whom a ban is about`() throws {
    let talk = try inside()
    talk.server(":bob!b@Evil.example PRIVMSG #room :hi", ":x!y@evil.example JOIN #room")
    talk.pass(.seconds(2))
    _ = talk.takeTold()
    talk.server(":mia!u@h MODE #room +b-b *!*@*.EXAMPLE a!*@*")
    #expect(talk.takeTold().notices == ["mia sets mode +b-b *!*@*.EXAMPLE a!*@* (x)"])
  }

  @Test func `somebody who is not logged in is not who has that account`() throws {
    let talk = try Scripted()
    talk.register("account-tag message-tags")
    talk.join()
    _ = talk.takeTold()
    talk.server(
      "@account=bob :robert!b@h PRIVMSG #room :I am bob", ":bob!b@h PRIVMSG #room :so am I")
    let ids = talk.takeTold().events.compactMap {
      if case .message(let one) = $0 { one.profileID } else { nil }
    }
    #expect(ids == ["bob", "bob~"])
    talk.host(.profile(ref: "p", profileID: "bob~"))
    #expect(talk.heard.contains("WHOIS bob bob"))
  }

  @Test func `an account of the user's name is not the user`() throws {
    let talk = try Scripted()
    talk.register("account-tag message-tags")
    talk.join()
    _ = talk.takeTold()
    talk.server("@account=jane :mallory!m@h PRIVMSG #room :I am jane")
    guard case .message(let message)? = talk.takeTold().events.first else {
      Issue.record("no message")
      return
    }
    #expect(message.profileID == "jane~")
  }

  @Test func `a conversation goes on with whoever was in it, and another has its own`() throws {
    let talk = try inside()
    talk.host(.join(ref: "q", JoinRequest(room: "bob")))
    talk.server(":bob!b@h PRIVMSG jane :it is me", ":bob!b@h NICK robert")
    _ = talk.takeTold()
    talk.server(":bob!e@evil PRIVMSG jane :me too")
    let told = talk.takeTold()
    #expect(told.messages == [])
    guard case .offer("bob~")? = told.last else {
      Issue.record("no conversation is offered: \(told)")
      return
    }
    talk.host(.join(ref: "r", JoinRequest(room: "bob~")))
    #expect(talk.takeTold().messages == ["bob: me too"])
    _ = talk.takeHeard()
    talk.say("hello robert", id: "1", in: "bob")
    talk.say("who are you?", id: "2", in: "bob~")
    let said = talk.takeHeard().filter { $0.hasPrefix("PRIVMSG") }
    #expect(said == ["PRIVMSG robert :hello robert", "PRIVMSG bob :who are you?"])
  }

  @Test func `a friend is heard though five hundred strangers have written`() throws {
    let talk = try inside()
    talk.server(atOnce: (0..<600).map { ":n\($0)!u@h PRIVMSG jane :buy" })
    _ = talk.takeTold()
    talk.server(":mia!m@h PRIVMSG jane :it is me")
    #expect(talk.takeTold().contains { if case .offer("mia") = $0 { true } else { false } })
    talk.host(.join(ref: "q", JoinRequest(room: "mia")))
    #expect(talk.takeTold().messages == ["mia: it is me"])
  }

  /// Why each request to join was refused.
  private func refusals(_ told: [Answer]) -> [String] {
    told.compactMap { if case .error(let ref?, _) = $0 { ref } else { nil } }
  }

  @Test func `each request to join is answered, whatever comes between`() throws {
    let talk = try inside()
    talk.host(.join(ref: "1", JoinRequest(room: "#tea")))
    talk.host(.leave(ref: "l", room: "#tea"))
    #expect(refusals(talk.takeTold()) == ["1"])
    talk.host(.join(ref: "2", JoinRequest(room: "#ROOM")))
    #expect(refusals(talk.takeTold()) == ["2"])
    talk.host(.join(ref: "3", JoinRequest(room: "#b")))
    talk.host(.join(ref: "4", JoinRequest(room: "#a")))
    talk.server(":irc.test 470 jane #a #b :Forwarding to another channel")
    #expect(refusals(talk.takeTold()) == ["3"])
    talk.server(":jane!u@h JOIN #b", ":irc.test 366 jane #b :End")
    #expect(
      talk.takeTold().contains { if case .joined("4", _) = $0 { true } else { false } })
    talk.say("one", id: "m1")
    talk.host(.command(ref: "c", room: "#room", name: "whois", arguments: "mia"))
    _ = talk.takeTold()
    talk.server(":irc.test 465 jane :You are banned")
    #expect(Set(refusals(talk.takeTold())) == ["m1", "c"])
  }

  @Test func `a channel that was forwarded and left is asked for by its own name`() throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "1", JoinRequest(room: "#a")))
    talk.server(
      ":irc.test 470 jane #a ##a :Forwarding to another channel", ":jane!u@h JOIN ##a",
      ":irc.test 366 jane ##a :End")
    talk.pong()
    talk.host(.leave(ref: "2", room: "##a"))
    _ = talk.takeHeard()
    talk.host(.join(ref: "3", JoinRequest(room: "#a")))
    talk.pass(.seconds(10))
    #expect(talk.heard.contains("JOIN #a"))
  }

  @Test func `whoever does not want to go back after a kick does not, ever`() throws {
    let talk = try inside(["rejoin": "no"])
    talk.server(":mia!u@h KICK #room jane :enough")
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.register()
    talk.pass(.seconds(10))
    #expect(talk.heard.allSatisfy { !$0.hasPrefix("JOIN") })
  }

  @Test func `a name that is refused is not wanted any more`() throws {
    let talk = try inside()
    talk.host(.command(ref: "n", room: "#room", name: "nick", arguments: "mia"))
    talk.server(":irc.test 433 jane mia :Nickname is already in use")
    talk.pong()
    _ = talk.takeHeard()
    talk.server(":mia!m@h QUIT :bye")
    #expect(talk.heard.allSatisfy { !$0.hasPrefix("NICK") })
    talk.host(.command(ref: "o", room: "#room", name: "nick", arguments: "jean"))
    talk.server(":jane!u@h NICK jean")
    talk.disconnect()
    talk.pass(.seconds(2))
    talk.connect()
    #expect(talk.heard.contains("NICK jean"))
  }

  @Test func `shows the message of the day once`() throws {
    let talk = try Scripted()
    for _ in 0..<2 {
      talk.connect()
      talk.server(
        ":irc.test 001 jane :Welcome", ":irc.test 372 jane :- be nice", ":irc.test 376 jane :End")
      talk.pong()
      talk.join()
      _ = talk.takeTold()
      talk.host(.command(ref: "m", room: "#room", name: "motd", arguments: ""))
      #expect(talk.takeTold().notices == ["- be nice"])
      talk.disconnect()
      talk.pass(.seconds(5))
      _ = talk.takeHeard()
    }
  }

  @Test func `asks for the list of channels once, however many leaf through it`() throws {
    let talk = try inside()
    talk.host(.rooms(ref: "1", after: nil))
    talk.server(
      (0..<1_200).map { ":irc.test 322 jane #c\(String(10_000 + $0)) 3 :topic" }
        + [":irc.test 323 jane :End"])
    var names: [String] = []
    var next: String?
    for page in 1...3 {
      if let next { talk.host(.rooms(ref: "\(page)", after: next)) }
      guard case .rooms("\(page)", let items, let following)? = talk.takeTold().last else {
        Issue.record("no page \(page)")
        return
      }
      names += items.map(\.room)
      next = following
    }
    #expect(next == nil)
    #expect(names == (0..<1_200).map { "#c\(10_000 + $0)" })
    #expect(talk.heard.count { $0.hasPrefix("LIST") } == 1)
  }

  @Test(arguments: [
    (471, "Cannot join channel (+l)"), (473, "Cannot join channel (+i)"),
    (403, "No such channel"),
  ]) func `tells why a channel cannot be entered`(_ number: Int, _ text: String) throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "1", JoinRequest(room: "#room")))
    talk.server(":irc.test \(number) jane #room :\(text)")
    guard case .error("1", let error)? = talk.takeTold().last else {
      Issue.record("no error")
      return
    }
    #expect(error.message == "#room cannot be entered: \(text)")
  }

  @Test func `keeps ranks, topics and modes`() throws {
    let talk = try inside()
    talk.server(":mia!u@h MODE #room +ov bob bob", ":mia!u@h TOPIC #room :\u{2}new\u{2} things")
    #expect(
      talk.takeTold().notices == ["mia sets mode +ov bob bob", "mia has set the topic: new things"])
    talk.host(.members(ref: "m", room: "#room"))
    guard case .members(_, let members, _)? = talk.takeTold().last else { return }
    #expect(members.map { "\($0.fields["rank"] ?? "")\($0.name)" } == ["@+bob", "jane", "@mia"])
  }

  @Test func `knows people by their accounts`() throws {
    let talk = try Scripted()
    talk.register("extended-join account-notify account-tag message-tags")
    talk.join()
    talk.server(":bob_!u@h JOIN #room Bob :Bob Smith")
    talk.server("@account=Bob :bob_!u@h PRIVMSG #room :hi")
    talk.server("@account=Bob :bob2!u@h PRIVMSG #room :on the phone")
    let authors = talk.takeTold().events.compactMap { event in
      if case .message(let message) = event { message.profileID } else { nil }
    }
    #expect(authors == ["bob", "bob"])
  }

  @Test func `lets nobody pass for the user`() throws {
    let talk = try Scripted()
    talk.connect()
    talk.server(":irc.test 433 * jane :in use", ":irc.test 001 jane_ :Welcome")
    talk.server(":irc.test 376 jane_ :End")
    talk.pong()
    talk.join(nick: "jane_")
    talk.server(":jane!u@h PRIVMSG #room :I am you")
    guard case .message(let message)? = talk.takeTold().events.last else {
      Issue.record("no message")
      return
    }
    #expect(message.profileID == "jane~")
  }

  @Test func `answers commands with what the server says`() throws {
    let talk = try inside()
    talk.host(.command(ref: "1", room: "#room", name: "topic", arguments: "a b"))
    talk.host(.command(ref: "2", room: "#room", name: "invite", arguments: "bob"))
    talk.host(.command(ref: "3", room: "#room", name: "ban", arguments: "bob"))
    talk.host(.command(ref: "4", room: "#room", name: "quote", arguments: "VERSION :a b"))
    talk.pass(.seconds(4))
    #expect(
      talk.takeHeard().filter { !$0.hasPrefix("PING") } == [
        "TOPIC #room :a b", "INVITE bob #room", "MODE #room +b bob!*@*", "VERSION :a b",
      ])
    talk.server(":irc.test 482 jane #room :You're not channel operator")
    talk.host(.command(ref: "5", room: "#room", name: "dance", arguments: ""))
    talk.host(.command(ref: "6", room: "#room", name: "kick", arguments: ""))
    #expect(talk.takeTold().errors.map(\.errorClass) == [.unsupported, .invalid])
  }

  @Test func `gathers what is known about somebody`() throws {
    let talk = try inside()
    talk.host(.profile(ref: "p", profileID: "bob"))
    #expect(talk.takeHeard().first == "WHOIS bob bob")
    talk.server(
      ":irc.test 311 jane bob b host * :Bob Smith", ":irc.test 319 jane bob :@#room #other",
      ":irc.test 317 jane bob 99999999999999999999 0 :idle", ":irc.test 330 jane bob Bob :is",
      ":irc.test 318 jane bob :End")
    // The sign behind the question comes back.
    talk.pass(.zero)
    talk.server(":irc.test PONG irc.test :banter-9999")
    let profile = talk.takeTold().compactMap { answer in
      if case .profile("p", let profile) = answer { profile } else { nil }
    }.first
    #expect(profile?.fields["realName"] == "Bob Smith")
    #expect(profile?.fields["account"] == "Bob")
    #expect(profile?.fields["channels"] == "@#room #other")
    #expect(profile?.fields["idle"] == nil)
  }

  @Test func `speaks Korean to whoever does`() throws {
    let talk = try Scripted(language: .korean)
    talk.register()
    talk.join()
    _ = talk.takeTold()
    talk.server(":a!u@h JOIN #room")
    talk.pass(.seconds(2))
    #expect(talk.takeTold().notices == ["a 들어옴"])
  }

  @Test func `enters again what was just left`() throws {
    let talk = try inside()
    talk.host(.leave(ref: "l", room: "#room"))
    talk.host(.join(ref: "j", JoinRequest(room: "#room")))
    talk.server(
      ":jane!u@h PART #room", ":jane!u@h JOIN #room", ":irc.test 366 jane #room :End")
    talk.pong()
    let told = talk.takeTold()
    #expect(told.notices == [])
    guard case .live("#room", _)? = told.last else {
      Issue.record("not live")
      return
    }
  }

  @Test func `waits for the end of a long list`() throws {
    let talk = try inside()
    talk.host(.rooms(ref: "r"))
    talk.server(":irc.test 321 jane Channel :Users Name", ":irc.test 322 jane #b 2 :topic")
    talk.pong()
    #expect(talk.takeTold().isEmpty)
    talk.server(":irc.test 322 jane #a 99999999999999999999 :", ":irc.test 323 jane :End")
    guard case .rooms("r", let items, nil)? = talk.takeTold().last else {
      Issue.record("no list")
      return
    }
    #expect(items.map(\.room) == ["#a", "#b"])
  }

  @Test(arguments: ["", "a b", "#a,#b", ":x", "#a\r"])
  func `says what cannot be a room`(_ name: String) throws {
    let talk = try Scripted()
    talk.register()
    talk.host(.join(ref: "j", JoinRequest(room: name)))
    #expect(talk.takeTold().errors.map(\.errorClass) == [.invalid])
    #expect(talk.takeHeard().allSatisfy { !$0.hasPrefix("JOIN") })
  }
}
