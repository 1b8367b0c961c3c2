import ChatModel
import Testing
import Transport

@Suite struct AnswerTests {
  private static let event = RoomEvent(
    event: .message(Message(id: "m", profileID: "p", content: "긴\n말")), cursor: Cursor(value: "c"))
  private static let jane = Profile(id: "jane", name: "Jane", image: "a", fields: ["about": "x"])

  static let samples: [Answer] = [
    .welcome(
      Welcome(
        server: "banter", profile: jane,
        capabilities: Capabilities(
          history: .full, order: .total, removesDuplicates: true, maximumEventBytes: 1000,
          presence: true, authenticatesAuthors: true),
        commands: [RoomCommand(name: "topic", arguments: "TEXT", help: "sets it")],
        requires: ["dedupe"], data: "dj0=", maximumLineBytes: 77)),
    .welcome(
      Welcome(
        server: "", profile: Profile(id: "x", name: ""),
        capabilities: Capabilities(
          history: .join, order: .sender, removesDuplicates: false, echo: .none,
          maximumEventBytes: 10, excess: .split, multiline: false, images: false, profiles: false,
          edits: false, deletions: false, reactions: false, replies: false, typing: true))),
    .auth(mechanisms: ["SCRAM-SHA-256"], data: nil), .auth(mechanisms: [], data: "cj0="),
    .joined(ref: "1", Joined(room: "r")),
    .joined(
      ref: "1",
      Joined(
        room: "r", title: "t",
        capabilities: Capabilities(
          history: .none, order: .none, removesDuplicates: false, maximumEventBytes: 5),
        newest: Cursor(value: "n"))),
    .live(room: "r", cursor: Cursor(value: "")), .event(room: "r", event), .left(ref: "2"),
    .page(ref: "3", Page(events: [event, event], more: true, next: Cursor(value: "n"))),
    .page(ref: "3", Page(events: [], more: false, next: nil)),
    .ack(
      ref: "4",
      Acknowledgement(
        room: "r", id: "m", roomID: "$1", cursor: Cursor(value: "c"), isDuplicate: true)),
    .ack(ref: "4", Acknowledgement(room: "r", id: "m", cursor: nil, isDuplicate: false)),
    .ack(
      ref: "4",
      Acknowledgement(room: "r", id: "m", roomIDs: ["$1", "$2"], cursor: nil, isDuplicate: false)),
    .done(ref: "5", notice: "n"), .done(ref: "5", notice: nil),
    .rooms(
      ref: "6", [RoomItem(room: "a", title: "t", members: 3), RoomItem(room: "b")], next: "x"),
    .members(ref: "7", [jane, Profile(id: "x", name: "")], next: nil), .profile(ref: "8", jane),
    .ready(ref: "9", offset: 5), .stored(ref: "10", path: "ab.png"),
    .chunk(ref: "11", data: "AA==", isLast: true), .ping(ref: nil), .ping(ref: "12"),
    .pong(ref: nil), .pong(ref: "13"), .bye, .state(.connecting), .state(.online),
    .state(
      .reconnecting(
        in: .seconds(4), reason: TransportError(.unreachable, reason: "the line is cut"))),
    .state(.offline(reason: TransportError(.unreachable, reason: "gone"))),
    .state(.fatal(reason: TransportError(.unreachable, reason: "banned"))),
    .gap(room: "r", after: Cursor(value: "a"), before: nil),
    .gap(room: "r", after: nil, before: nil),
    .reset(room: "r"), .need(ref: "14", name: "password", isSecret: true),
    .need(ref: "15", name: "key", isSecret: true, user: "#tea"), .offer(room: "jane"),
    .progress(ref: "15", done: 1, total: 2), .log(level: "warning", message: "m"),
    .error(ref: nil, ProtocolError(.fatal, "m")),
    .error(
      ref: "16",
      ProtocolError(.retry, "m", code: "busy", isCertain: false, retryAfter: .seconds(3))),
    .unknown(type: "new", ref: "17"), .unknown(type: "new", ref: nil),
  ]

  @Test(arguments: samples.indices)
  func `what is written is read again`(index: Int) throws {
    let answer = Self.samples[index]
    var line: [UInt8] = []
    answer.encode(into: &line)
    #expect(line.filter { $0 == 0x0a }.count == 1 && line.last == 0x0a)
    let read = try line.withUnsafeBytes { try Answer.decode($0) }
    #expect(String(describing: read) == String(describing: answer))
    var again: [UInt8] = []
    read.encode(into: &again)
    #expect(again == line)
  }

  @Test func `a message that holds everything is carried whole`() throws {
    let message = Message(
      id: "m", profileID: "p", profileName: "n", profileImage: "i", content: "c",
      images: ["a", "b"], createdAt: Timestamp(milliseconds: 5), replyTo: "r", isAction: true)
    var line: [UInt8] = []
    Answer.event(room: "r", RoomEvent(event: .message(message), cursor: Cursor(value: "c")))
      .encode(into: &line)
    guard case .event("r", let event) = try line.withUnsafeBytes({ try Answer.decode($0) }) else {
      Issue.record("no event")
      return
    }
    #expect(event.event == .message(message))
  }

  private func decode(_ line: String) throws -> Answer {
    try Array(line.utf8).withUnsafeBytes { try Answer.decode($0) }
  }

  @Test(arguments: [
    #"{"type":"event","room":"r","cursor":"c","event":{"type":"new","x":1}}"#,
    #"{"type":"ack","id":"m"}"#, #"{"type":"profile","ref":"1"}"#, #"{"type":"new","ref":"1"}"#,
    #"{"type":"joined","room":"r"}"#,
  ])
  func `what is not known is passed over`(line: String) throws {
    guard case .unknown = try decode(line) else {
      Issue.record("read as \(try decode(line))")
      return
    }
  }

  @Test(arguments: [
    "", "[]", "{}", "banner of a shell", #"{"type":"event"}"#, #"{"type":"event","room":"r"}"#,
    #"{"type":"event","room":"r","event":[]}"#,
    #"{"type":"event","room":"r","event":{"messageID":"m"}}"#,
    #"{"type":"page","ref":"1","events":{}}"#, #"{"type":"page","ref":"1","events":[1]}"#,
    #"{"type":"page","ref":"1","events":[{"event":5}]}"#, #"{"type":"live","room":"r"}"#,
    #"{"type":"ack","ref":"1","duplicate":"yes"}"#, #"{"type":"members","ref":"1","items":["x"]}"#,
    #"{"type":"welcome","maxLine":-1}"#, #"{"type":"welcome","self":"jane"}"#,
  ])
  func `what is no answer is an error`(line: String) {
    #expect(throws: ProtocolError.self) { try decode(line) }
  }

  @Test func `what a welcome does not say cannot be counted on`() throws {
    let welcome = try #require(try decodedWelcome(#"{"type":"welcome"}"#))
    #expect(welcome.capabilities.history == .none && !welcome.capabilities.removesDuplicates)
    #expect(welcome.version == 0 && welcome.maximumLineBytes == LineProtocol.maximumLineBytes)
    let other = try #require(
      try decodedWelcome(
        #"{"type":"welcome","capabilities":{"maxBytes":99999999,"history":{"depth":"full"},"#
          + #""maxFileBytes":9000000000000000000,"#
          + #""order":"odd","dedupe":"seconds"}}"#))
    #expect(other.capabilities.maximumEventBytes == EventCodec.maximumEventBytes)
    #expect(other.capabilities.maximumFileBytes == RoomFiles.maximumBytes)
    #expect(other.capabilities.history == .full && other.capabilities.order == .none)
    #expect(!other.capabilities.removesDuplicates && !other.capabilities.edits)
  }

  @Test func `an unknown class of error is fatal`() throws {
    let error = try #require(
      try decodedError(#"{"type":"error","class":"weird","message":"m","certain":false}"#))
    #expect(error.errorClass == .fatal && error.code == "fatal" && !error.isCertain)
  }

  @Test(arguments: zip([-5, 7, Int64.max], [0, 7, 3_600] as [Int64]))
  func `nobody is sent away for longer than an hour`(said: Int64, taken: Int64) throws {
    let error = try #require(
      try decodedError(#"{"type":"error","class":"retry","retryAfter":\#(said)}"#))
    #expect(error.retryAfter == .seconds(taken))
  }

  @Test func `every capability that is written is known by its name`() throws {
    var line: [UInt8] = []
    var welcome = Welcome(
      server: "", profile: Profile(id: "x", name: ""),
      capabilities: Capabilities(
        history: .full, order: .total, removesDuplicates: true, maximumEventBytes: 1))
    welcome.capabilities.maximumFileBytes = 1
    Answer.welcome(welcome).encode(into: &line)
    let text = String(decoding: line, as: UTF8.self)
    let written = try #require(text.split(separator: #""capabilities":{"#).last)
    let names = written.prefix { $0 != "[" }.matches(of: /"(\w+)":/).map { String($0.1) }
    let others = ["before", "after", "depth", "requires"]
    #expect(Set(names).subtracting(others) == Capabilities.names)
  }

  private func decodedWelcome(_ line: String) throws -> Welcome? {
    if case .welcome(let welcome) = try decode(line) { welcome } else { nil }
  }

  private func decodedError(_ line: String) throws -> ProtocolError? {
    if case .error(nil, let error) = try decode(line) { error } else { nil }
  }
}
