import ChatModel
import Testing
import Transport

@Suite struct RequestTests {
  static let samples: [Request] = [
    .hello(Hello(client: "banter 1", profile: nil)),
    .hello(
      Hello(
        versions: [1, 2, 77], client: "", address: "irc://host/#room",
        profile: Profile(id: "jane", name: "제인 \"\n", image: "a.png", fields: ["about": "\u{1}"]),
        settings: ["nick": "j"])),
    .auth(mechanism: "SCRAM-SHA-256", data: "biws"), .auth(mechanism: nil, data: ""),
    .join(ref: "1", JoinRequest(room: "lobby")),
    .join(ref: "1", JoinRequest(room: "방", after: Cursor(value: "f1.0.0.0"), tail: 0)),
    .leave(ref: "2", room: ""),
    .history(ref: "3", HistoryRequest(room: "r", before: Cursor(value: "x"), limit: 1)),
    .history(ref: "3", HistoryRequest(room: "r", after: Cursor(value: ""), limit: 0)),
    .send(
      ref: "4",
      SendRequest(
        room: "r",
        event: .message(
          Message(id: "m", profileID: "p", content: "line\nbreak", images: ["a"], isAction: true)),
        since: Cursor(value: "c"))),
    .send(
      ref: "4",
      SendRequest(
        room: "r",
        event: .reaction(
          Reaction(eventID: "e", messageID: "m", profileID: "p", reaction: "👍", isRemoved: true)))),
    .command(ref: "5", room: "r", name: "topic", arguments: "a b"),
    .rooms(ref: "6"), .members(ref: "7", room: "r"), .profile(ref: "8", profileID: "jane"),
    .put(
      ref: "9",
      PutRequest(room: "r", name: "a.png", mediaType: "image/png", sizeInBytes: 7, sha256: "ab")),
    .put(
      ref: "9", PutRequest(room: "r", name: "a", mediaType: nil, sizeInBytes: .max, sha256: "")),
    .chunk(ref: "10", data: "AA==", isLast: true), .chunk(ref: "10", data: "", isLast: false),
    .get(ref: "11", room: "r", path: "a.png", offset: 5), .cancel(ref: "12"), .ping(ref: nil),
    .ping(ref: "13"), .pong, .given(ref: "14", value: "secret"), .bye,
    .unknown(type: "dance", ref: "15"), .unknown(type: "dance", ref: nil),
  ]

  @Test(arguments: samples.indices)
  func `what is written is read again`(index: Int) throws {
    let request = Self.samples[index]
    var line: [UInt8] = []
    request.encode(into: &line)
    #expect(line.filter { $0 == 0x0a }.count == 1 && line.last == 0x0a)
    let read = try line.withUnsafeBytes { try Request.decode($0) }
    #expect(String(describing: read) == String(describing: request))
    var again: [UInt8] = []
    read.encode(into: &again)
    #expect(again == line)
  }

  private func decode(_ line: String, by author: String? = nil) throws -> Request {
    try Array(line.utf8).withUnsafeBytes { try Request.decode($0, by: author) }
  }

  @Test func `unknown fields, and null, are passed over`() throws {
    let read = try decode(
      #"{"new":{"a":[1,2,{}]},"type":"join","tail":null,"ref":5,"room":"r","after":null}"#)
    guard case .join("5", let join) = read else {
      Issue.record("\(read)")
      return
    }
    #expect(join.room == "r" && join.after == nil && join.tail == nil)
  }

  @Test func `of an author that is known, what the event says counts for nothing`() throws {
    let line =
      #"{"type":"send","ref":"1","event":{"messageID":"m","profileID":"jane","content":"x"}}"#
    guard case .send(_, let own) = try decode(line), case .message(let claimed) = own.event,
      case .send(_, let known) = try decode(line, by: "minsu"),
      case .message(let real) = known.event
    else {
      Issue.record("no message")
      return
    }
    #expect(claimed.profileID == "jane" && real.profileID == "minsu")
  }

  @Test(
    arguments: [
      ("", nil), ("[]", nil), ("{}", nil), (#"{"type":null}"#, nil), (#"{"ref":"r"}"#, "r"),
      (#"{"type":"rooms"}"#, nil), (#"{"type":"join","room":"r"}"#, nil),
      (#"{"type":"join","ref":"r","room":5}"#, "r"), (#"{"type":"join","ref":"r","tail":-1}"#, "r"),
      (#"{"type":"join","ref":"r","tail":1.5}"#, "r"),
      (#"{"type":"join","ref":"r","tail":99999999999999999999}"#, "r"),
      (#"{"type":"leave","ref":"r"}"#, "r"), (#"{"type":"send","ref":"r"}"#, "r"),
      (#"{"type":"send","ref":"r","event":{"messageID":"m"}}"#, "r"),
      (#"{"type":"send","ref":"r","event":{"type":"new"}}"#, "r"),
      (#"{"type":"hello","versions":{}}"#, nil), (#"{"type":"hello","versions":[{}]}"#, nil),
      (#"{"type":"hello","profile":"jane"}"#, nil), (#"{"type":"chunk","ref":"r"}"#, "r"),
      (#"{"type":"ping"} x"#, nil), (#"{"type":"ping""#, nil),
    ] as [(String, String?)])
  func `what is no request is a fault, with its ref where it has one`(
    line: String, ref: String?
  ) {
    do {
      Issue.record("read as \(try decode(line))")
    } catch {
      #expect((error as? RequestFault)?.ref == ref)
      #expect((error as? RequestFault)?.reason.isEmpty == false)
    }
  }

  @Test func `a ref is not longer than an id`() {
    let long = String(repeating: "x", count: EventCodec.maximumIDBytes + 1)
    #expect(throws: RequestFault.self) { try decode(#"{"type":"rooms","ref":"\#(long)"}"#) }
  }
}
