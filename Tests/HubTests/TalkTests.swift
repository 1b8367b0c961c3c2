import ChatModel
import Testing
import Transport

/// What those who come can ask for, and what they hear.
@Suite(.timeLimit(.minutes(5))) struct TalkTests {
  @Test(arguments: [false, true])
  func `one who comes is greeted, joins, and hears what is said`(overTCP: Bool) async throws {
    let hosting = try await Hosting()
    let jane = try overTCP ? hosting.tcpCaller() : hosting.caller()
    let welcome = try await jane.greet(as: "jane", name: "Jane")
    #expect(welcome.profile == Profile(id: "jane", name: "Jane"))
    #expect(welcome.version == 1)
    #expect(welcome.capabilities.removesDuplicates && welcome.capabilities.presence)
    #expect(!welcome.capabilities.authenticatesAuthors)
    let joining = try await jane.join()
    #expect(joining.joined?.room == "lobby")
    #expect(joining.events.isEmpty)

    let minsu = try await hosting.guest("minsu")
    try await minsu.send("안녕")
    let acknowledgement = try await minsu.answer(to: "안녕").get()
    #expect(acknowledgement.id == "안녕" && acknowledgement.room == "lobby")
    #expect(!acknowledgement.isDuplicate)
    let heard = try await jane.first { answer in
      if case .event("lobby", let event) = answer, case .message = event.event {
        event
      } else {
        nil
      }
    }
    #expect(heard.cursor == acknowledgement.cursor)
    #expect(hosting.contents() == ["안녕"])
  }

  @Test func `the sender hears his own message once, before or after its acknowledgement`()
    async throws
  {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.send("one")
    try await jane.say(.ping(ref: "p"))
    var told = 0
    _ = try await jane.first(
      others: { if case .event(_, let event) = $0, event.event.id == "one" { told += 1 } },
      { if case .ack = $0 { true } else { nil } })
    try await jane.send("two")
    _ = try await jane.first(
      others: { if case .event(_, let event) = $0, event.event.id == "one" { told += 1 } },
      { if case .event(_, let event) = $0, event.event.id == "two" { true } else { nil } })
    #expect(told == 1)
  }

  @Test func `one who joins hears the last messages, or those after a place`() async throws {
    let hosting = try await Hosting()
    for number in 1...20 { hosting.say("\(number)") }
    let jane = try hosting.caller()
    try await jane.greet(as: "jane")
    let joining = try await jane.join(tail: 3)
    #expect(joining.contents == ["18", "19", "20"])
    #expect(joining.live == joining.joined?.newest)
    let again = try await jane.join(after: joining.events[0].cursor)
    #expect(again.contents == ["19", "20"])
    #expect(try await jane.join(after: again.live).contents.isEmpty)
    #expect(try await jane.join(tail: 1_000_000).contents.count == 20)
    #expect(try await jane.join().contents.isEmpty)
  }

  @Test func `one who joins once more hears everything once, and is acknowledged`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.join()
    try await jane.send("hello")
    _ = try await jane.answer(to: "hello").get()
    hosting.say("from elsewhere")
    try await jane.send("last")
    #expect(try await jane.messages(2) == ["from elsewhere", "last"])
  }

  @Test func `history goes back and forth in pages`() async throws {
    let hosting = try await Hosting()
    for number in 1...25 { hosting.say("\(number)") }
    let jane = try await hosting.guest("jane")
    func page(before: Cursor? = nil, after: Cursor? = nil, limit: Int) async throws -> Page {
      try await jane.say(
        .history(
          ref: "h", HistoryRequest(room: "lobby", before: before, after: after, limit: limit)))
      return try await jane.first { if case .page("h", let page) = $0 { page } else { nil } }
    }
    let last = try await page(limit: 10)
    #expect(last.events.contents == (16...25).map(String.init))
    #expect(last.more)
    let middle = try await page(before: last.next, limit: 10)
    #expect(middle.events.contents == (6...15).map(String.init))
    let first = try await page(before: middle.next, limit: 10)
    #expect(first.events.contents == (1...5).map(String.init))
    #expect(!first.more)
    let onward = try await page(after: first.events[4].cursor, limit: 12)
    #expect(onward.events.contents == (6...17).map(String.init))
    #expect(onward.more)
    var next = onward.next
    var rest: [String] = []
    while true {
      let page = try await page(after: next, limit: 12)
      rest += page.events.contents
      next = page.next
      if !page.more { break }
    }
    #expect(rest == (18...25).map(String.init))
  }

  @Test func `a page of large events fits into a line, and the rest follows`() async throws {
    let hosting = try await Hosting()
    let large = String(repeating: "긴", count: 60_000)
    for number in 1...8 { hosting.say("\(number)" + large) }
    let jane = try await hosting.guest("jane")
    var found: [String] = []
    var before: Cursor?
    while true {
      try await jane.say(
        .history(ref: "h", HistoryRequest(room: "lobby", before: before, limit: 100)))
      let page = try await jane.first { if case .page("h", let page) = $0 { page } else { nil } }
      found = page.events.contents.map { String($0.prefix(1)) } + found
      before = page.next
      if !page.more { break }
    }
    #expect(found == (1...8).map(String.init))
  }

  @Test func `who is there, where, and who it is`() async throws {
    let hosting = try await Hosting()
    hosting.say("x", in: "empty")
    let jane = try await hosting.guest("jane")
    let other = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu", in: "lobby")
    try await minsu.send("first")
    _ = try await minsu.answer(to: "first").get()
    try await jane.say(.members(ref: "m", room: "lobby"), .rooms(ref: "r"))
    let members = try await jane.first {
      if case .members("m", let items, nil) = $0 { items } else { nil }
    }
    #expect(Set(members.map(\.id)) == ["jane", "minsu"] && members.count == 2)
    let rooms = try await jane.first {
      if case .rooms("r", let items, nil) = $0 { items } else { nil }
    }
    #expect(rooms.map(\.room) == ["empty", "lobby"])
    #expect(rooms.map(\.members) == [0, 3])
    try await jane.say(
      .profile(ref: "p", profileID: "minsu"), .profile(ref: "q", profileID: "nobody"))
    let profile = try await jane.first {
      if case .profile("p", let profile) = $0 { profile } else { nil }
    }
    #expect(profile.id == "minsu")
    #expect(try await jane.errorClass() == .notFound)
    _ = other
  }

  @Test func `lists longer than a line go on where they were cut`() async throws {
    let hosting = try await Hosting()
    let long = String(repeating: "y", count: 15_000)
    var others: [Caller] = []
    for number in 100..<150 {
      let caller = try hosting.caller()
      let profile = Profile(id: "\(number)", name: "n", fields: ["about": long])
      try await caller.say(.hello(Hello(client: "test", profile: profile)))
      try await caller.join()
      others.append(caller)
    }
    let jane = try await hosting.guest("jane")
    var (ids, after): ([String], String?) = ([], nil)
    var pages = 0
    repeat {
      try await jane.say(.members(ref: "m", room: "lobby", after: after))
      let (items, next) = try await jane.first {
        if case .members("m", let items, let next) = $0 { (items, next) } else { nil }
      }
      ids += items.map(\.id)
      after = next
      pages += 1
    } while after != nil
    #expect(ids == (100..<150).map(String.init) + ["jane"] && pages > 1)
  }

  @Test func `only who is in a room is told who else is`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let stranger = try hosting.caller()
    try await stranger.greet(as: "stranger")
    try await stranger.say(.members(ref: "m", room: "lobby"))
    #expect(try await stranger.errorClass() == .denied)
    _ = jane
  }

  @Test func `a room is one however its name is composed`() async throws {
    let hosting = try await Hosting()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let jane = try await hosting.guest("jane", in: composed)
    try await jane.send("first", to: composed)
    _ = try await jane.answer(to: "first").get()
    try await jane.say(.bye)
    let minsu = try await hosting.guest("minsu", in: decomposed)
    try await minsu.send("second", to: decomposed)
    _ = try await minsu.answer(to: "second").get()
    #expect(hosting.contents(of: composed) == ["first", "second"])
    #expect(hosting.lines(of: decomposed).isEmpty)
  }

  @Test func `two rooms are apart, and what is left is heard no more`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.join("garden")
    let minsu = try await hosting.guest("minsu")
    try await minsu.join("garden")
    try await minsu.say(
      sending("in the lobby"), sending("in the garden", to: "garden"))
    #expect(try await Set(jane.messages(2)) == ["in the lobby", "in the garden"])
    try await jane.say(.leave(ref: "l", room: "lobby"))
    _ = try await jane.first { if case .left("l") = $0 { true } else { nil } }
    try await minsu.say(
      sending("unheard"), sending("heard", to: "garden"))
    #expect(try await jane.message() == "heard")
    #expect(hosting.contents() == ["in the lobby", "unheard"])
    #expect(hosting.contents(of: "garden") == ["in the garden", "heard"])
  }

  @Test func `a hub of one file has one room, under its own name and under none`() async throws {
    let hosting = try await Hosting(file: "chat.jsonl")
    let jane = try hosting.caller()
    try await jane.greet(as: "jane")
    #expect(try await jane.join("").joined?.room == "chat")
    try await jane.send("hello", to: "")
    #expect(try await jane.answer(to: "hello").get().room == "chat")
    #expect(try await jane.join("chat", tail: 5).contents == ["hello"])
    try await jane.say(.history(ref: "h", HistoryRequest(room: "", limit: 5)))
    let page = try await jane.first { if case .page("h", let page) = $0 { page } else { nil } }
    #expect(page.events.contents == ["hello"])
    await #expect(throws: ProtocolError.self) { try await jane.join("lobby") }
    try await jane.say(.rooms(ref: "r"), .leave(ref: "l", room: ""))
    let rooms = try await jane.first {
      if case .rooms("r", let items, nil) = $0 { items } else { nil }
    }
    #expect(rooms.map(\.room) == ["chat"])
    _ = try await jane.first { if case .left("l") = $0 { true } else { nil } }
    try await jane.send("from outside", to: "")
    #expect(try await jane.errorClass() == .denied)
  }

  @Test func `everything that a message holds comes through, and its author is who he is`()
    async throws
  {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    try await minsu.say(
      #"{"type":"send","ref":7,"room":"lobby","event":{"messageID":"m1","profileID":"jane","#
        + #""profileName":"민수","content":"그\u0007\"래\n","images":["a.png"],"action":true,"#
        + #""replyTo":"m0","unknown":[1,{}],"createdAt":"2026-11-30T08:16:00.123Z"}}"#)
    _ = try await minsu.answer(to: "7").get()
    guard
      case .message(let message) = try await jane.first(
        { if case .event(_, let event) = $0, event.event.id == "m1" { event.event } else { nil } })
    else { return }
    #expect(message.profileID == "minsu" && message.profileName == "민수")
    #expect(message.content == "그\u{7}\"래\n" && message.images == ["a.png"])
    #expect(message.isAction && message.replyTo == "m0")
    #expect(message.createdAt?.milliseconds == 1_796_026_560_123)
    try await minsu.say(
      #"{"type":"send","ref":"8","room":"lobby","event":{"messageID":"m2","content":"no author"}}"#)
    #expect(try await minsu.answer(to: "8").get().id == "m2")
    #expect(hosting.lines().allSatisfy { $0.contains(#""profileID":"minsu""#) })
  }

  @Test func `nobody changes what another has said`() async throws {
    let hosting = try await Hosting()
    hosting.say("from the file", by: "jane")
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    hosting.say("later in the file", by: "jane")
    #expect(try await jane.message() == "later in the file")
    try await jane.send("mine")
    _ = try await jane.answer(to: "mine").get()
    func change(_ event: Event) async throws {
      try await minsu.say(.send(ref: event.id, SendRequest(room: "lobby", event: event)))
    }
    for (number, id) in ["mine", "later in the file"].enumerated() {
      let refs = ["edit\(number)", "delete\(number)", id]
      try await change(
        .edit(Edit(eventID: refs[0], messageID: id, profileID: "jane", content: "yours")))
      try await change(.deletion(Deletion(eventID: refs[1], messageID: id, profileID: "jane")))
      try await change(.message(Message(id: id, profileID: "jane", content: "instead")))
      for ref in refs {
        let answer = try await minsu.answer(to: ref)
        #expect(throws: ProtocolError.self) { try answer.get() }
      }
    }
    try await change(
      .reaction(Reaction(eventID: "r", messageID: "mine", profileID: "jane", reaction: "👍")))
    _ = try await minsu.answer(to: "r").get()
    #expect(hosting.lines().count == 4)
    try await jane.say(
      .send(
        ref: "e",
        SendRequest(
          room: "lobby",
          event: .edit(
            Edit(eventID: "e", messageID: "mine", profileID: "minsu", content: "better")))))
    _ = try await jane.answer(to: "e").get()
    #expect(hosting.lines().last?.contains(#""profileID":"jane""#) == true)
  }

  @Test func `one who says goodbye is answered first, and then let go`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.say((1...100).map { sending("\($0)") } + [.bye])
    let answers = try await jane.rest()
    let acknowledged = answers.compactMap { answer -> String? in
      if case .ack(let ref, _) = answer { ref } else { nil }
    }
    #expect(acknowledged == (1...100).map(String.init))
    guard case .bye? = answers.last else {
      Issue.record("the last word is \(String(describing: answers.last))")
      return
    }
    #expect(hosting.contents().count == 100)
  }

  @Test func `one who says no more is answered`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.send("last words")
    jane.endWriting()
    let answers = try await jane.rest()
    #expect(answers.contains { if case .ack("last words", _) = $0 { true } else { false } })
  }

  @Test func `what cannot be done is refused, and the talk goes on`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let lines = [
      (#"{"type":"dance","ref":"1"}"#, ProtocolError.Class.unsupported),
      (#"{"type":"command","ref":"1","name":"topic"}"#, .unsupported),
      (#"{"type":"put","ref":"1","name":"a","size":1,"sha256":""}"#, .denied),
      (#"{"type":"get","ref":"1","room":"lobby","path":"a"}"#, .notFound),
      (#"{"type":"chunk","ref":"2","data":""}"#, .invalid),
      ("no JSON", .invalid), ("[]", .invalid), ("{}", .invalid), ("", .invalid),
      (#"{"type":5,"ref":"1"}"#, .invalid), (#"{"type":"join","ref":{}}"#, .invalid),
      (#"{"type":"send","ref":"1","room":"lobby","event":"x"}"#, .invalid),
      (#"{"type":"send","ref":"1","room":"lobby","event":{"type":"new"}}"#, .invalid),
      (#"{"type":"send","ref":"1","room":"lobby"}"#, .invalid),
      (#"{"type":"send","room":"lobby","event":{"messageID":"x","content":"x"}}"#, .invalid),
      (#"{"type":"join","ref":"1","room":["lobby"]}"#, .invalid),
      (#"{"type":"history","ref":"1","room":"lobby","limit":-1}"#, .invalid),
      (#"{"type":"history","ref":"1","room":"attic"}"#, .denied),
      (
        #"{"type":"send","ref":"1","room":"attic","event":{"messageID":"x","content":"x"}}"#,
        .denied
      ),
      (
        #"{"type":"send","ref":"1","room":"lobby","event":{"type":"notice","eventID":"n","#
          + #""content":"x"}}"#, .denied
      ),
      (
        #"{"type":"send","ref":"1","room":"lobby","event":{"type":"presence","eventID":"n"}}"#,
        .denied
      ),
    ]
    for (line, expected) in lines {
      try await jane.say(line)
      #expect(try await jane.errorClass() == expected, "\(line)")
    }
    try await jane.say(.ping(ref: "still there"))
    _ = try await jane.first { if case .pong("still there") = $0 { true } else { nil } }
    #expect(hosting.lines().isEmpty)
  }

  @Test func `an event that is too large is refused, and the largest is not`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let large = String(repeating: "x", count: EventCodec.maximumEventBytes)
    try await jane.send(large, id: "a")
    #expect(try await jane.errorClass() == .tooLarge)
    let largest = String(large.dropLast(100))
    try await jane.send(largest, id: "b")
    var told = 0
    _ = try await jane.first(
      others: { if case .event(_, let event) = $0, event.event.id == "b" { told += 1 } },
      { if case .ack = $0 { true } else { nil } })
    if told == 0 { #expect(try await jane.message() == largest) }
    #expect(hosting.contents() == [largest])
  }
}
