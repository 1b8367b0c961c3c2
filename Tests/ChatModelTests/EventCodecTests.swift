import Testing

@testable import ChatModel

struct EventCodecTests {
  private let head = #""messageID":"m","profileID":"p""#

  private func message(_ fields: String) throws -> Message? {
    guard case .message(let message)? = try EventCodec.decode("{\(head),\(fields)}") else {
      return nil
    }
    return message
  }

  private func reason(_ line: String) -> String? {
    do throws(EventCodingError) {
      _ = try EventCodec.decode(line)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: EventSamples.all) func `reads back what it writes`(event: Event) throws {
    let line = EventCodec.encode(event)
    let back = try #require(try EventCodec.decode(line))
    #expect(back == event)
    #expect(EventCodec.encode(back) == line)
  }

  @Test func `writes the documented form`() {
    let line = EventCodec.encode(EventSamples.fullMessage)
    let wanted =
      #"{"type":"message","messageID":"m1","profileID":"minsu","profileName":"민수","#
      + #""profileImage":"https://x/y.png","createdAt":"2026-11-30T08:16:00.123Z","#
      + #""replyTo":"m0","action":true,"truncated":true,"content":"안녕","#
      + #""images":["a.png","b \"c\".png"],"files":[{"path":"f/1","name":"원.pdf","#
      + #""mediaType":"application/pdf","size":12,"sha256":"00ff"},{"path":"f/2"}]}"#
    #expect(line == wanted)
  }

  @Test(arguments: ["messageID", "eventID", "profileID", "replyTo"])
  func `refuses ids that are too long to be kept`(field: String) throws {
    let type = field == "eventID" ? "notice" : "message"
    func line(_ id: String) -> String {
      let others = ["messageID", "eventID", "profileID"].filter { $0 != field }
      let head = others.map { "\"\($0)\":\"x\"," }.joined()
      return "{\"type\":\"\(type)\",\(head)\"content\":\"hi\",\"\(field)\":\(id)}"
    }
    let limit = EventCodec.maximumIDBytes
    for unit in ["7", "가", "\\u0041"] {
      let bytes = unit == "가" ? 3 : 1
      let fits = String(repeating: unit, count: limit / bytes)
      #expect(reason(line("\"\(fits)\"")) == nil)
      let long = line("\"\(fits)\(unit)\"")
      #expect(reason(long) == "\(field) is longer than 1024 bytes")
      let isMessage = long.utf8.withContiguousStorageIfAvailable {
        EventCodec.isMessage(UnsafeRawBufferPointer($0))
      }
      #expect(isMessage == false)
    }
    #expect(reason(line(String(repeating: "7", count: limit))) == nil)
    #expect(
      reason(line(String(repeating: "7", count: limit + 1)))
        == "\(field) is longer than 1024 bytes")
  }

  @Test(arguments: ["images", "files"])
  func `keeps the first of more images or files than anybody looks at`(field: String) throws {
    let limit = EventCodec.maximumAttachments
    func paths(of count: Int) throws -> (paths: [String], isTruncated: Bool) {
      let list = (0..<count).map { field == "images" ? "\"\($0)\"" : "{\"path\":\"\($0)\"}" }
      let message = try #require(
        try message("\"\(field)\":[\(list.joined(separator: ","))],\"content\":\"hi\""))
      #expect(message.content == "hi")
      return (message.images + message.files.map(\.path), message.isTruncated)
    }
    for count in [limit, limit + 1, 20_000] {
      let read = try paths(of: count)
      #expect(read.paths.count == limit && read.paths.last == "\(limit - 1)")
      #expect(read.isTruncated == (count > limit))
    }
  }

  @Test func `writes a message without anything in it so that it is read back`() throws {
    let line = EventCodec.encode(.message(Message(id: "1", profileID: "jane", content: nil)))
    #expect(
      try EventCodec.decode(line) == .message(Message(id: "1", profileID: "jane", content: "")))
  }

  @Test func `appends to what the buffer holds`() {
    var buffer = Array("x".utf8)
    EventCodec.encode(EventSamples.fullMessage, into: &buffer)
    #expect(
      String(decoding: buffer, as: UTF8.self) == "x" + EventCodec.encode(EventSamples.fullMessage))
  }

  @Test func `knows every field by its name, and only by that`() {
    for field in EventField.allCases {
      var name = field.name
      #expect(name.withUTF8 { EventField(name: UnsafeRawBufferPointer($0)) } == field)
      for index in name.utf8.indices {
        var bytes = Array(name.utf8)
        bytes[name.utf8.distance(from: name.startIndex, to: index)] ^= 0x20
        #expect(bytes.withUnsafeBytes { EventField(name: $0) } == nil)
      }
    }
    for var name in ["", "a", "typ", "types", "id", "contentcontentcontent", "messageId"] {
      #expect(name.withUTF8 { EventField(name: UnsafeRawBufferPointer($0)) } == nil)
    }
  }

  @Test func `takes what has no type for a message`() throws {
    #expect(try message(#""content":"x""#)?.content == "x")
    #expect(try message(#""type":null,"content":"x""#)?.content == "x")
    #expect(try message(#""type":"message","content":"x""#)?.content == "x")
  }

  @Test(arguments: [
    #"{"type":"typing","profileID":7,"content":[]}"#, #"{"type":""}"#, #"{"type":"Message"}"#,
  ])
  func `passes over unknown types`(line: String) throws {
    #expect(try EventCodec.decode(line) == nil)
  }

  @Test func `passes over unknown fields, whatever they hold`() throws {
    let fields =
      #""x":{"content":[1,2,{}],"messageID":"n"},"":[],"y":-1.5e+3,"content":"c","z":false"#
    let message = try message(fields)
    #expect(message?.content == "c" && message?.id == "m")
  }

  @Test(arguments: [
    ("7", "7"), ("0", "0"), ("-12", "-12"), ("\"7\"", "7"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
  ])
  func `reads whole numbers as ids`(value: String, wanted: String) throws {
    let event = try EventCodec.decode(
      #"{"messageID":\#(value),"profileID":\#(value),"replyTo":\#(value),"content":"x"}"#)
    guard case .message(let message)? = event else { return #expect(Bool(false)) }
    #expect([message.id, message.profileID, message.replyTo] == [wanted, wanted, wanted])
  }

  @Test(arguments: [
    "", #","createdAt":null"#, #","createdAt":"yesterday""#, #","createdAt":17"#,
    #","createdAt":["2026-11-30T08:16:00Z"]"#, #","createdAt":"""#,
  ])
  func `knows no time where there is no date`(fields: String) throws {
    let message = try #require(try message(#""content":"x"\#(fields)"#))
    #expect(message.createdAt == nil)
  }

  @Test func `reads a date with escapes`() throws {
    let message = try message(#""content":"x","createdAt":"1970-01-01T00:00:01\u005a""#)
    #expect(message?.createdAt == Timestamp(milliseconds: 1_000))
  }

  @Test func `takes null for a field that is not there`() throws {
    let nulls = ["type", "profileName", "profileImage", "images", "files", "replyTo", "action"]
      .map { "\"\($0)\":null," }.joined()
    let message = try #require(try message(nulls + #""truncated":null,"content":"x""#))
    #expect(message.images.isEmpty && message.files.isEmpty && !message.isAction)
    #expect(message.profileName == nil && message.replyTo == nil)
  }

  @Test func `goes by the last of fields that stand there twice`() throws {
    #expect(try message(#""content":"a","content":"b""#)?.content == "b")
    #expect(try message(#""content":"a","cont\u0065nt":"b""#)?.content == "b")
    #expect(try message(#""content":7,"content":"b""#)?.content == "b")
    #expect(throws: EventCodingError.self) { try message(#""content":"a","content":null"#) }
  }

  @Test(arguments: [
    (#"{"profileID":"p","content":"x"}"#, "messageID is missing"),
    (#"{"messageID":"","profileID":"p","content":"x"}"#, "messageID is missing"),
    (#"{"messageID":"m","content":"x"}"#, "profileID is missing"),
    (#"{"messageID":"m","profileID":"p"}"#, "neither content nor images nor files"),
    (#"{"messageID":"m","profileID":"p","images":[],"files":[]}"#, "neither content nor"),
    (#"{"messageID":true,"profileID":"p","content":"x"}"#, "messageID is not text or a whole"),
    (#"{"messageID":1.0,"profileID":"p","content":"x"}"#, "messageID is not text or a whole"),
    (#"{"messageID":1e5,"profileID":"p","content":"x"}"#, "messageID is not text or a whole"),
    (#"{"messageID":"m","profileID":"p","content":7}"#, "content is not text"),
    (#"{"messageID":"m","profileID":"p","content":{}}"#, "content is not text"),
    (#"{"messageID":"m","profileID":"p","content":"x","images":"a"}"#, "images is not a list"),
    (#"{"messageID":"m","profileID":"p","images":["a",1]}"#, "images is not a list of texts"),
    (#"{"messageID":"m","profileID":"p","files":{}}"#, "files is not a list"),
    (#"{"messageID":"m","profileID":"p","files":["a"]}"#, "files is not a list of objects"),
    (#"{"messageID":"m","profileID":"p","files":[{"name":"a"}]}"#, "path is missing"),
    (#"{"messageID":"m","profileID":"p","files":[{"path":"a","size":"1"}]}"#, "size is not"),
    (#"{"messageID":"m","profileID":"p","files":[{"path":"a","size":-1}]}"#, "size is not"),
    (#"{"messageID":"m","profileID":"p","files":[{"path":"a","size":1.5}]}"#, "size is not"),
    (#"{"messageID":"m","profileID":"p","content":"x","action":1}"#, "action is not true or"),
    (#"{"messageID":"m","profileID":"p","content":"x","action":"yes"}"#, "action is not true or"),
    (#"{"type":1}"#, "type is not text"),
    (#"{"type":"edit","messageID":"m","profileID":"p","content":"x"}"#, "eventID is missing"),
    (#"{"type":"edit","eventID":"e","messageID":"m","profileID":"p"}"#, "content is missing"),
    (#"{"type":"delete","eventID":"e","profileID":"p"}"#, "messageID is missing"),
    (#"{"type":"reaction","eventID":"e","messageID":"m","profileID":"p"}"#, "reaction is missing"),
    (#"{"type":"presence","eventID":"e","profileID":"p","present":0}"#, "present is not true or"),
    (#"{"type":"profile","eventID":"e"}"#, "profileID is missing"),
    (#"{"type":"notice","eventID":"e"}"#, "content is missing"),
  ])
  func `says what is wrong with a field`(line: String, wanted: String) {
    #expect(reason(line)?.contains(wanted) == true)
  }

  @Test func `says where a field is wrong`() {
    let line = #"{"messageID":"m","profileID":"p","files":[{"path":"a"},{"path":7}]}"#
    let error = #expect(throws: EventCodingError.self) { try EventCodec.decode(line) }
    #expect(error?.byteOffset == line.utf8.count - 4)
    #expect(error?.description.hasSuffix("(at byte \(line.utf8.count - 3) of the line)") == true)
  }

  @Test func `keeps any further field of a profile, but none of the event's own`() throws {
    let line =
      #"{"type":"profile","eventID":"e","profileID":"p","about":"a","name":"n","content":"c","#
      + #""size":7,"x":null,"gone":"x","gone":7,"city":"old","city":"Seoul"}"#
    guard case .profile(var change)? = try EventCodec.decode(line) else {
      return #expect(Bool(false))
    }
    #expect(change.fields == ["about": "a", "name": "n", "content": "c", "city": "Seoul"])
    change.fields = ["type": "message", "profileID": "mallory", "eventID": "f", "about": "b"]
    change.fields["createdAt"] = "1970-01-01T00:00:00Z"
    let back = try EventCodec.decode(EventCodec.encode(.profile(change)))
    change.fields = ["about": "b"]
    #expect(back == .profile(change))
  }

  @Test func `takes presence without a word for being there`() throws {
    let event = try EventCodec.decode(#"{"type":"presence","eventID":"e","profileID":"p"}"#)
    #expect(event == .presence(Presence(eventID: "e", profileID: "p", isPresent: true)))
  }

  private func isMessage(_ line: String) -> Bool {
    var line = line
    return line.withUTF8 { EventCodec.isMessage(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: EventSamples.all) func `tells messages without reading them`(event: Event) {
    var isOne = false
    if case .message = event { isOne = true }
    #expect(isMessage(EventCodec.encode(event)) == isOne)
    #expect(!isMessage(EventCodec.encode(event) + "x"))
  }

  @Test(arguments: [
    "", "nonsense", #"{"type":"typing","messageID":"m","profileID":"p","content":"x"}"#,
    #"{"messageID":"m","profileID":"p"}"#, #"{"messageID":"m","content":"x"}"#,
    #"{"messageID":"m","profileID":"p","content":null}"#,
    #"{"type":7,"messageID":"m","profileID":"p","content":"x"}"#,
  ])
  func `tells what is no message without reading it`(line: String) {
    #expect(!isMessage(line))
  }

  @Test(arguments: [
    (#""a""#, "a"), (#" "a\u0041\n" "#, "aA\n"), (#""""#, ""), (#""a"#, nil), ("a", nil),
    (#""a" b"#, nil), ("", nil), (#""\x""#, nil),
  ])
  func `reads a quoted text by itself`(text: String, wanted: String?) {
    #expect(JSONText.decode(text) == wanted)
  }
}
