import Testing

@testable import ChatModel

/// The event format, line by line.
@Suite struct EventCodecTests {
  private func message(_ line: String) throws -> Message {
    guard case .message(let message) = try #require(try EventCodec.decode(line)) else {
      throw EventCodingError(reason: "no message", byteOffset: 0)
    }
    return message
  }

  private static let everyEvent: [Event] = [
    .message(
      Message(
        id: "1", profileID: "a", profileName: "민수", profileImage: "https://x",
        content: "안녕\n\"\\\u{7}",
        images: ["p.png", "q.png"],
        files: [
          FileReference(path: "f", name: "n", mediaType: "text/plain", sizeInBytes: 7, sha256: "00")
        ], createdAt: Timestamp(milliseconds: 5), replyTo: "0", isAction: true, isTruncated: true)),
    .message(Message(id: "1", profileID: "a", content: "")),
    .message(Message(id: "1", profileID: "a", images: ["x"])),
    .edit(
      Edit(
        eventID: "e", messageID: "1", profileID: "a", content: "x",
        createdAt: Timestamp(milliseconds: 1))),
    .deletion(Deletion(eventID: "d", messageID: "1", profileID: "a")),
    .reaction(
      Reaction(eventID: "r", messageID: "1", profileID: "a", reaction: "👍", isRemoved: true)),
    .profile(
      ProfileChange(
        eventID: "p", profileID: "a", profileName: "", profileImage: nil,
        fields: ["content": "x"])),
    .presence(Presence(eventID: "q", profileID: "a", isPresent: false)),
    .notice(Notice(eventID: "n", content: "joined")),
  ]

  @Test(arguments: everyEvent)
  func `reads back what it writes`(event: Event) throws {
    let line: String = EventCodec.encode(event)
    let read = try #require(try EventCodec.decode(line))
    #expect("\(read)" == "\(event)")
  }

  @Test func `writes nothing that acts on a terminal`() throws {
    let hostile = String(
      String.UnicodeScalarView(
        (Array(0...0x2ff) + Array(0x2000...0x2070) + [0x061c, 0xfeff, 0x1f600])
          .compactMap { Unicode.Scalar(UInt32($0)) }))
    let line: String = EventCodec.encode(
      .message(Message(id: hostile, profileID: "a", content: hostile)))
    for scalar in line.unicodeScalars {
      #expect(scalar.properties.generalCategory != .control)
      #expect(
        !(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
      #expect(![0x2028, 0x2029, 0x061c, 0xfeff, 0x200e, 0x200f].contains(scalar.value))
    }
    #expect(try message(line).content == hostile)
  }

  @Test func `takes ids as whole numbers, a missing type, and unknown fields`() throws {
    let read = try message(
      #"{"messageID":12345678901234567890123,"profileID":-7,"content":"x","more":{"a":[1,{}]}}"#)
    #expect(read.id == "12345678901234567890123")
    #expect(read.profileID == "-7")
    #expect(try EventCodec.decode(#"{"type":"typing","x":1}"#) == nil)
  }

  @Test(arguments: [
    #""1970-01-01T00:00:00Z""#, #""not a date""#, "17", "null", #""9999-99-99T99:99:99.999Z""#,
  ])
  func `a bad date costs nothing but the date`(date: String) throws {
    let read = try message(#"{"messageID":"1","profileID":"a","content":"x","createdAt":\#(date)}"#)
    #expect((read.createdAt == nil) == !date.hasPrefix("\"1970"))
  }

  @Test(arguments: [
    ("", "ends too early"), ("nonsense", "{ is missing"), ("[]", "{ is missing"),
    (#"{"messageID":"1"}"#, "profileID is missing"),
    (#"{"messageID":"","profileID":"a","content":"x"}"#, "messageID is missing"),
    (#"{"messageID":{},"profileID":"a","content":"x"}"#, "messageID is not text or a whole number"),
    (
      #"{"messageID":1.5,"profileID":"a","content":"x"}"#, "messageID is not text or a whole number"
    ),
    (#"{"messageID":"1","profileID":"a","content":5}"#, "content is not text"),
    (#"{"messageID":"1","profileID":"a"}"#, "neither content nor images nor files"),
    (#"{"messageID":"1","profileID":"a","images":[]}"#, "neither content nor images nor files"),
    (#"{"messageID":"1","profileID":"a","images":[1]}"#, "images is not a list of texts"),
    (#"{"messageID":"1","profileID":"a","content":"x"} y"#, "something follows the object"),
    (#"{"messageID":"1","profileID":"a","content":"x""#, "ends too early"),
    ("{\"content\":\"a\u{1b}\"}", "a control character stands in a string"),
    ("\0\0\0", "{ is missing"),
  ])
  func `says what is wrong with a line`(line: String, reason: String) {
    let error = #expect(throws: EventCodingError.self) { try EventCodec.decode(line) }
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test func `does not follow values however deep they lie`() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      let deep =
        String(repeating: open, count: 10_000) + "1" + String(repeating: close, count: 10_000)
      let error = #expect(throws: EventCodingError.self) {
        try EventCodec.decode(#"{"messageID":"1","profileID":"a","content":"x","z":\#(deep)}"#)
      }
      #expect(error?.reason == "values lie too deep in each other")
    }
  }

  @Test func `repairs what is not UTF-8, and survives a byte order mark and a carriage return`()
    throws
  {
    var line = Array("\u{feff}{\"messageID\":\"1\",\"profileID\":\"a\",\"content\":\"x".utf8)
    line += [0xff, 0xed, 0xa0, 0x80] + Array(#"\ud800y"}"#.utf8) + [0x0d]
    let event = try line.withUnsafeBytes { try EventCodec.decode($0) }
    guard case .message(let read)? = event else { return #expect(Bool(false)) }
    #expect(read.content?.hasPrefix("x\u{fffd}") == true)
    #expect(read.content?.hasSuffix("\u{fffd}y") == true)
  }

  @Test func `shows the beginning of what was cut off at any byte`() throws {
    let content = String(repeating: "안녕 \"x\" 👨‍👩‍👧 \u{7} \u{202e}", count: 3)
    let line: String = EventCodec.encode(
      .message(Message(id: "1", profileID: "a", profileName: "b", content: content)))
    let bytes = Array(line.utf8)
    let start = try #require(line.range(of: #""content":""#)).upperBound
    let contentStart = line.utf8.distance(from: line.startIndex, to: start)
    for end in 0..<bytes.count {
      let event = bytes[..<end].withUnsafeBytes { EventCodec.decodeBeginning($0) }
      guard end >= contentStart else {
        #expect(event == nil)
        continue
      }
      guard case .message(let read)? = event else {
        Issue.record("nothing was read of the first \(end) bytes")
        continue
      }
      #expect(read.isTruncated && read.id == "1")
      #expect(content.unicodeScalars.starts(with: (read.content ?? "").unicodeScalars))
    }
  }

  @Test func `tells a message from other lines as reading it does`() {
    let lines =
      Self.everyEvent.map { EventCodec.encode($0) as String }
      + [#"{"type":"typing"}"#, "nonsense", #"{"messageID":"1"}"#]
    for line in lines {
      var line = line
      var isRead = false
      if case .message? = try? EventCodec.decode(line) { isRead = true }
      let isMessage = line.withUTF8 { EventCodec.isMessage(UnsafeRawBufferPointer($0)) }
      #expect(isMessage == isRead, "\(line)")
    }
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<Index>? { ranges(of: part).first }
}
