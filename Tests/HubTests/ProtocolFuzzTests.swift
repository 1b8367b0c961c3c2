import ChatModel
import Glibc
import Testing
import Transport

/// Lines of the protocol that something has happened to.
struct LineMutator {
  var random: SeededRandom
  private static let requests: [Request] = [
    .hello(Hello(client: "x", profile: Profile(id: "jane", name: "제인", fields: ["a": "b"]))),
    .auth(mechanism: "SCRAM-SHA-256", data: "biws"),
    .join(ref: "1", JoinRequest(room: "lobby", after: Cursor(value: "f1.1.2.3"), tail: 5)),
    .leave(ref: "1", room: "lobby"),
    .history(
      ref: "2", HistoryRequest(room: "lobby", before: Cursor(value: "f1.0.0.0"), limit: 9)),
    .history(ref: "2", HistoryRequest(room: "lobby", after: Cursor(value: "f1.0.0.0"), limit: 9)),
    sending("안녕 \"x\"\n", since: Cursor(value: "f1.0.0.0")), sending("hello"),
    .send(
      ref: "3",
      SendRequest(
        room: "lobby",
        event: .edit(Edit(eventID: "e", messageID: "hello", profileID: "p", content: "c")))),
    .send(
      ref: "3",
      SendRequest(
        room: "lobby",
        event: .reaction(
          Reaction(eventID: "r", messageID: "hello", profileID: "p", reaction: "👍")))),
    .command(ref: "4", room: "lobby", name: "n", arguments: "a"), .rooms(ref: "5"),
    .members(ref: "6", room: "lobby"), .profile(ref: "7", profileID: "jane"),
    .chunk(ref: "8", data: "AA==", isLast: true), .ping(ref: "9"), .pong, .cancel(ref: "9"),
  ]
  private static let event = RoomEvent(
    event: .message(Message(id: "m", profileID: "p", content: "긴\n말")),
    cursor: Cursor(value: "f1.1.2.3"))
  private static let answers: [Answer] = [
    .welcome(
      Welcome(
        server: "s", profile: Profile(id: "x", name: "y"),
        capabilities: Capabilities(
          history: .full, order: .total, removesDuplicates: true, maximumEventBytes: 9),
        commands: [RoomCommand(name: "topic", arguments: "T", help: "h")])),
    .joined(ref: "1", Joined(room: "r", newest: Cursor(value: "c"))),
    .live(room: "r", cursor: Cursor(value: "c")), .event(room: "r", event),
    .page(ref: "2", Page(events: [event, event], more: true, next: nil)),
    .ack(
      ref: "3",
      Acknowledgement(room: "r", id: "m", cursor: Cursor(value: "c"), isDuplicate: true)),
    .rooms(ref: "4", [RoomItem(room: "a", members: 3)], next: "n"),
    .members(ref: "5", [Profile(id: "x", name: "y")], next: nil),
    .error(ref: "6", ProtocolError(.retry, "m", retryAfter: .seconds(3))),
    .state(.reconnecting(in: .seconds(4), reason: TransportError(.unreachable, reason: "r"))),
    .gap(room: "r", after: Cursor(value: "a"), before: nil),
    .need(ref: "7", name: "n", isSecret: true),
  ]
  private static let seeds: [[UInt8]] =
    requests.map { request in
      var line: [UInt8] = []
      request.encode(into: &line)
      return line.dropLast()
    }
    + answers.map { answer in
      var line: [UInt8] = []
      answer.encode(into: &line)
      return line.dropLast()
    }
  private static let tokens = [
    "null", "true", "{}", "[]", "[", "{", "}", "]", "\"", "\\", ",", ":", "-1", "0", "1e999",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "\\ud800", "\\u0000",
    "\u{0}", "\r", "\u{feff}", "\"ref\":\"1\",", "\"type\":\"bye\",", "\"since\":\"f1.0.9.0\",",
    "../x", ".jsonl", "f1.zzzzzzzzzzzz.9223372036854775807.zzzzzzzzzzzz",
  ].map { Array($0.utf8) }

  /// A line without a newline in it, as it is or changed in up to six places.
  mutating func next() -> [UInt8] {
    var line = random.pick(Self.seeds)
    for _ in 0..<Int.random(in: 0...6, using: &random) { change(&line) }
    return line.filter { $0 != 0x0a }
  }

  private mutating func change(_ line: inout [UInt8]) {
    let place = Int.random(in: 0...line.count, using: &random)
    let end = min(line.count, place + Int.random(in: 0...12, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0: line.replaceSubrange(place..<end, with: [])
    case 1: line.insert(contentsOf: random.pick(Self.tokens), at: place)
    case 2: line.replaceSubrange(place..<end, with: random.pick(Self.tokens))
    case 3: line.insert(UInt8.random(in: 0...255, using: &random), at: place)
    case 4 where place < line.count: line[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 5: line.insert(contentsOf: line[place..<end], at: place)
    default:
      let other = random.pick(Self.seeds)
      let start = Int.random(in: 0..<other.count, using: &random)
      line.replaceSubrange(place..., with: other[start...])
    }
  }
}

@Suite(.timeLimit(.minutes(isSoak ? 60 : 2))) struct ProtocolFuzzTests {
  @Test(arguments: [1, 2])
  func `whatever a line is, it is read or is a fault, and what is read can be written`(
    seed: UInt64
  ) throws {
    var mutator = LineMutator(random: SeededRandom(seed: seed))
    for number in 0..<(isSoak ? 500_000 : 10_000) {
      let line = mutator.next()
      let author = number.isMultiple(of: 2) ? nil : "author"
      line.withUnsafeBytes { bytes in
        if let request = try? Request.decode(bytes, by: author) {
          checkRoundTrip(line, { request.encode(into: &$0) }) {
            try Request.decode($0, by: author).encode(into: &$1)
          }
        }
        // Of what is not known nothing but the type is kept.
        if let answer = try? Answer.decode(bytes), !answer.isUnknown {
          checkRoundTrip(line, { answer.encode(into: &$0) }) {
            try Answer.decode($0).encode(into: &$1)
          }
        }
      }
    }
  }

  private func checkRoundTrip(
    _ line: [UInt8], _ write: (inout [UInt8]) -> Void,
    _ again: (UnsafeRawBufferPointer, inout [UInt8]) throws -> Void
  ) {
    var written: [UInt8] = []
    write(&written)
    var rewritten: [UInt8] = []
    try? written.withUnsafeBytes { try again($0, &rewritten) }
    guard written == rewritten, written.filter({ $0 == 0x0a }).count == 1 else {
      Issue.record("\(String(decoding: line, as: UTF8.self)) became \(written)")
      return
    }
  }

  @Test func `whatever a hub is told, it goes on, and its rooms stay whole`() async throws {
    let hosting = try await Hosting {
      $0.limits.outputBytes = 64 * 1024
      $0.limits.roomsPerConnection = 4
      $0.limits.silence = .seconds(3_600)
    }
    let witness = try await hosting.guest("witness")
    var mutator = LineMutator(random: SeededRandom(seed: 3))
    for round in 0..<(isSoak ? 4_000 : 60) {
      let caller = try await hosting.guest("fuzz")
      var bytes: [UInt8] = []
      for _ in 0..<50 { bytes += mutator.next() + [0x0a] }
      Request.ping(ref: "end \(round)").encode(into: &bytes)
      try? await caller.say(bytes)
      // An answer, or the end; and never silence.
      while let line = try? await caller.line() {
        if line.contains("end \(round)") { break }
      }
      if round.isMultiple(of: 20) {
        try await witness.send("still here \(round)")
        _ = try await witness.answer(to: "still here \(round)").get()
      }
    }
    for room in try rooms(of: hosting) {
      for line in hosting.lines(of: room) {
        let event = try EventCodec.decode(line)
        #expect(event != nil)
        #expect(line.contains(#""profileID":"fuzz""#) || line.contains(#""profileID":"witness""#))
      }
    }
    #expect(access("/tmp/x.jsonl", F_OK) != 0)
  }

  private func rooms(of hosting: Hosting) throws -> [String] {
    let found = Program.runAndWait("cd \(hosting.folder.path)/rooms && ls -A", seconds: 10)
    #expect(found.lines.allSatisfy { $0.hasSuffix(".jsonl") && !$0.hasPrefix(".") })
    return found.lines.map { String($0.dropLast(6)) }
  }
}

extension Answer {
  fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
}
