import ChatModel
import Glibc
import Sockets
import Testing
import Transport

/// Who is not let in, and what is not taken.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
  @Test(arguments: [
    "GET / HTTP/1.1", #"{"type":"send","ref":"1","room":"lobby","event":{"content":"x"}}"#,
    #"{"type":"join","ref":"1","room":"lobby"}"#, #"{"type":"bye"}"#, "", "\0", "{",
    #"{"type":"hello","versions":[2],"client":"x","profile":{"profileID":"x"}}"#,
    #"{"type":"hello","versions":[],"profile":{"profileID":"x"}}"#,
    #"{"type":"hello","versions":"1","profile":{"profileID":"x"}}"#,
    #"{"type":"hello","versions":[1]}"#,
    #"{"type":"hello","versions":[1],"profile":{"profileID":""}}"#,
    #"{"type":"hello","versions":[1],"profile":{"profileName":"x"}}"#,
    #"{"type":"hello","versions":[1],"profile":[]}"#,
  ])
  func `one whose first line is no hello is told so, and let go`(line: String) async throws {
    let hosting = try await Hosting()
    let caller = try hosting.caller()
    try await caller.say(line + "\n" + #"{"type":"ping","ref":"x"}"#)
    let answers = try await caller.rest()
    guard answers.count == 1, case .error? = answers.first else {
      Issue.record("answered \(answers)")
      return
    }
    #expect(hosting.told.map(\.kind) == [.refused])
  }

  @Test func `a line of two megabytes is refused once, and the rest is not listened to`()
    async throws
  {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
    try await jane.say(line + [0x0a] + line + [0x0a])
    #expect(try await jane.errorClass() == .tooLarge)
    #expect(try await jane.rest().isEmpty)
    let minsu = try hosting.caller()
    try await minsu.say(line)
    #expect(try await minsu.errorClass() == .tooLarge)
    #expect(hosting.told.filter { $0.kind == .refused }.count == 2)
  }

  @Test func `one who goes on talking after he was refused is let go all the same`() async throws {
    let hosting = try await Hosting {
      $0.limits.tick = .milliseconds(20)
      $0.limits.farewell = .milliseconds(100)
    }
    let caller = try hosting.caller()
    await #expect(throws: Caller.Silence.self) {
      try await caller.say("nonsense")
      while true { try await caller.say("more of it") }
    }
  }

  @Test func `one who says no hello in time, or a byte now and then, is let go`() async throws {
    let hosting = try await Hosting {
      $0.limits.tick = .milliseconds(20)
      $0.limits.greeting = .milliseconds(200)
    }
    let silent = try hosting.caller()
    let slow = try hosting.caller()
    await #expect(throws: Caller.Silence.self) {
      for byte in Array(repeating: UInt8(ascii: " "), count: 10_000) {
        try await slow.say([byte])
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    #expect(try await silent.errorClass() == .retry)
    #expect(try await silent.rest().isEmpty)
  }

  @Test func `one who falls silent is asked, and then let go`() async throws {
    let hosting = try await Hosting {
      $0.limits.tick = .milliseconds(20)
      $0.limits.quiet = .milliseconds(60)
      $0.limits.silence = .seconds(12)
    }
    let silent = try await hosting.guest("silent")
    #expect(try await silent.rest().contains { if case .ping = $0 { true } else { false } })
    #expect(hosting.told.contains { $0.kind == .left && $0.profileID == "silent" })
  }

  @Test func `one who answers is asked again, and stays`() async throws {
    let hosting = try await Hosting {
      $0.limits.tick = .milliseconds(20)
      $0.limits.quiet = .milliseconds(60)
    }
    let jane = try await hosting.guest("jane")
    for _ in 0..<3 {
      _ = try await jane.first { if case .ping = $0 { true } else { nil } }
      try await jane.say(.pong)
    }
    #expect(!hosting.told.contains { $0.kind == .left })
  }

  @Test func `as many come in as may, and others when some have gone`() async throws {
    let hosting = try await Hosting { $0.limits.connections = 3 }
    var callers: [Caller] = []
    for number in 1...3 { callers.append(try await hosting.guest("\(number)")) }
    let fourth = try hosting.caller()
    #expect(try await fourth.errorClass() == .retry)
    try await callers[0].say(.bye)
    _ = try await callers.removeFirst().rest()
    #expect(
      await eventually {
        guard let caller = try? hosting.caller() else { return false }
        return (try? await caller.greet(as: "late")) != nil
      })
  }

  @Test func `one who sends too fast is told to wait, and others are not`() async throws {
    let hosting = try await Hosting { $0.limits.eventsPerSecond = 5 }
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    try await jane.say((1...50).map { sending("\($0)") })
    var taken = 0
    var refused = 0
    for number in 1...50 {
      let result = try await jane.first { answer -> Result<String, ProtocolError>? in
        switch answer {
        case .ack(let ref, _): .success(ref)
        case .error(_, let error): .failure(error)
        default: nil
        }
      }
      switch result {
      case .success: taken += 1
      case .failure(let error):
        refused += 1
        #expect(error.errorClass == .retry && error.isCertain)
        #expect(error.retryAfter == .seconds(1), "\(number)")
      }
    }
    #expect(taken <= 10 && taken >= 5 && refused == 50 - taken)
    try await minsu.send("slow and steady")
    _ = try await minsu.answer(to: "slow and steady").get()
    for attempt in 0... {
      try await jane.send("again \(attempt)")
      if case .success = try await jane.answer(to: "again \(attempt)") { break }
    }
  }

  @Test(arguments: [
    "../../etc/passwd", ".hidden", "a/b", "/etc/passwd", "", ".", "..", "lobby.jsonl",
    "line\nbreak",
    "tab\tinside", "nul\0inside", "file:///tmp/x.jsonl", "tcp://elsewhere/x", "lobby/../lobby",
    String(repeating: "r", count: 300), "\u{1b}[31m", "/", "a/\u{301}",
  ])
  func `a room with such a name is not opened`(name: String) async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    await #expect(throws: ProtocolError.self) { try await jane.join(name) }
    try await jane.send("x", to: name)
    #expect(try await jane.errorClass() == .denied)
    #expect(hosting.lines().isEmpty)
  }

  @Test(arguments: [#"with "quotes""#, #"back\slash"#, "한글 방", "&<>", "%41", "-rf", "a b", "🎉"])
  func `a room may have such a name`(name: String) async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane", in: name)
    try await jane.send("hello", to: name)
    let told = try await jane.first { answer in
      if case .event(let room, let event) = answer, case .message = event.event {
        room
      } else {
        nil
      }
    }
    #expect(told == name)
    #expect(hosting.contents(of: name) == ["hello"])
  }

  @Test func `a room that is no file is refused, and the hub goes on`() async throws {
    let hosting = try await Hosting()
    mkdir(hosting.path(of: "folder"), 0o700)
    mkfifo(hosting.path(of: "pipe"), 0o600)
    symlink("/dev/zero", hosting.path(of: "device"))
    let jane = try await hosting.guest("jane")
    for name in ["folder", "pipe", "device"] {
      await #expect(throws: ProtocolError.self) { try await jane.join(name, tail: 10) }
    }
    try await jane.send("hello")
    _ = try await jane.answer(to: "hello").get()
  }

  @Test func `nothing is sent to a hub for reading only`() async throws {
    let hosting = try await Hosting { $0.isReadOnly = true }
    hosting.say("old")
    let jane = try hosting.caller()
    try await jane.greet(as: "jane")
    #expect(try await jane.join(tail: 5).contents == ["old"])
    try await jane.send("new")
    #expect(try await jane.errorClass() == .denied)
    hosting.say("from elsewhere")
    #expect(try await jane.message() == "from elsewhere")
    #expect(hosting.contents() == ["old", "from elsewhere"])
  }

  @Test func `a hub that makes no rooms has those that are there`() async throws {
    let hosting = try await Hosting { $0.makesRooms = false }
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    await #expect(throws: ProtocolError.self) { try await jane.join("new") }
    try await jane.send("hello")
    _ = try await jane.answer(to: "hello").get()
    #expect(access(hosting.path(of: "new"), F_OK) != 0)
  }

  @Test func `one connection is in so many rooms at most, and may enter one of them again`()
    async throws
  {
    let hosting = try await Hosting { $0.limits.roomsPerConnection = 2 }
    let jane = try await hosting.guest("jane", in: "a")
    try await jane.join("b")
    await #expect(throws: ProtocolError.self) { try await jane.join("c") }
    try await jane.join("b")
    try await jane.say(.leave(ref: "l", room: "a"))
    try await jane.join("c")
  }

  @Test func `a second hello ends the talk`() async throws {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    try await jane.say(.hello(Hello(client: "test", profile: Profile(id: "minsu", name: ""))))
    #expect(try await jane.errorClass() == .invalid)
    #expect(try await jane.rest().isEmpty)
  }

  @Test func `on a Unix socket the system says who it is`() async throws {
    let hosting = try await Hosting(access: .system)
    let caller = try hosting.caller()
    let welcome = try await caller.greet(as: "somebody else", name: "Called so")
    let own = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    #expect(welcome.profile.id == own && welcome.profile.name == "Called so")
    #expect(welcome.capabilities.authenticatesAuthors)
    let without = try hosting.caller()
    try await without.say(#"{"type":"hello","versions":[1]}"#)
    let other = try await without.first { if case .welcome(let it) = $0 { it } else { nil } }
    #expect(other.profile.id == own)
  }

  @Test func `a profile without measure is cut down, and members fit into a line`() async throws {
    let hosting = try await Hosting()
    let long = String(repeating: "\u{1}", count: 20_000)
    var callers: [Caller] = []
    for number in 1...20 {
      let caller = try hosting.caller()
      let profile = Profile(
        id: "\(number)", name: String(repeating: "\u{1}", count: 1000),
        fields: ["about": number < 2 ? long : String(long.prefix(14_000))])
      try await caller.say(.hello(Hello(client: "test", profile: profile)))
      try await caller.join()
      callers.append(caller)
    }
    try await callers[0].say(.members(ref: "m", room: "lobby"))
    while let line = try await callers[0].line() {
      #expect(line.utf8.count <= LineProtocol.maximumLineBytes)
      if line.contains(#""type":"members""#) { break }
    }
  }

  @Test func `a thousand who say nothing hold up nobody`() async throws {
    let hosting = try await Hosting { $0.limits.greeting = .seconds(60) }
    var silent: [Caller] = []
    for _ in 0..<(isSoak ? 1000 : 300) { silent.append(try hosting.caller()) }
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    for number in 0..<20 {
      try await jane.send("\(number)")
      #expect(try await minsu.message() == "\(number)")
    }
    silent.removeAll()
    try await jane.send("alone again")
    _ = try await jane.answer(to: "alone again").get()
  }
}
