import Testing

@testable import ChatModel

/// What is odd about the bytes of a line, and what may never be written.
struct EventCodecTextTests {
  /// The content of a message whose content is these bytes.
  private func content(_ bytes: [UInt8]) throws -> String? {
    let line =
      Array(#"{"messageID":"m","profileID":"p","content":""#.utf8) + bytes + Array("\"}".utf8)
    guard case .message(let message)? = try line.withUnsafeBytes({ try EventCodec.decode($0) })
    else { return nil }
    return message.content
  }

  private func content(_ text: String) throws -> String? { try content(Array(text.utf8)) }

  @Test(arguments: [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{c}\n\r\t"), (#"\u0041\u00e9\uD55C"#, "Aé한"),
    (#"\ud83d\ude00"#, "😀"), (#"\uD83D\uDE00x"#, "😀x"), (#"\u0000"#, "\u{0}"),
    (#"a\u007fb"#, "a\u{7f}b"), ("한글", "한글"), (#"\u0022"#, "\""),
  ])
  func `reads escapes`(text: String, wanted: String) throws {
    #expect(try content(text) == wanted)
  }

  @Test(arguments: [
    (#"a\ud83d"#, "a\u{fffd}"), (#"\ude00b"#, "\u{fffd}b"), (#"\ud83dx"#, "\u{fffd}x"),
    (#"\ud83d\ue000"#, "\u{fffd}\u{e000}"), (#"\ud83d\udbff"#, "\u{fffd}\u{fffd}"),
    (#"\ud83d\n"#, "\u{fffd}\n"), (#"\ud83d\u0041"#, "\u{fffd}A"),
    (#"\ud83d\ud83d\ude00"#, "\u{fffd}😀"), (#"\ude00\ud83d"#, "\u{fffd}\u{fffd}"),
  ])
  func `repairs halves of surrogate pairs`(text: String, wanted: String) throws {
    #expect(try content(text) == wanted)
  }

  @Test(
    arguments: [
      ([0x61, 0xff, 0x62], "a\u{fffd}b"), ([0xed, 0x95], "\u{fffd}"),
      ([0xc0, 0x80], "\u{fffd}\u{fffd}"),
      ([0xed, 0xa0, 0x80], "\u{fffd}\u{fffd}\u{fffd}"), ([0xf0, 0x9f, 0x98, 0x61], "\u{fffd}a"),
      ([0x5c, 0x6e, 0xff, 0xed, 0x95, 0x9c], "\n\u{fffd}한"), ([0x80], "\u{fffd}"),
    ] as [([UInt8], String)])
  func `repairs what is not UTF-8`(bytes: [UInt8], wanted: String) throws {
    #expect(try content(bytes) == wanted)
  }

  @Test(arguments: [
    #"\x"#, #"\u12"#, #"\u12g4"#, #"\U0041"#, #"\'"#, #"\u+041"#, "\\",
  ])
  func `refuses other escapes`(text: String) {
    #expect(throws: EventCodingError.self) { try content(text) }
  }

  @Test func `refuses control characters in a string, at any place`() {
    for byte in UInt8(0)..<0x20 {
      for offset in 0..<20 {
        let bytes = [UInt8](repeating: 0x61, count: offset) + [byte, 0x62]
        #expect(throws: EventCodingError.self) { try content(bytes) }
      }
    }
  }

  @Test func `finds a string's end at any place`() throws {
    for length in 0..<40 {
      for character in ["a", "\u{7f}", "é", "한", "\u{80}", "#", "]", "!", "[", " "] {
        let text = String(repeating: character, count: length)
        #expect(try content(text) == text)
        #expect(try content(text + #"\n"# + text) == text + "\n" + text)
      }
    }
  }

  @Test func `survives a byte order mark, blanks and a carriage return`() throws {
    let line = EventCodec.encode(EventSamples.fullMessage)
    for text in ["\u{feff}\(line)", "\u{feff} \(line)", " \t\(line)\r", "\(line)\r\n"] {
      #expect(try EventCodec.decode(text) == EventSamples.fullMessage)
    }
    #expect(throws: EventCodingError.self) { try EventCodec.decode("\u{feff}\u{feff}\(line)") }
  }

  @Test func `refuses NUL and rubbish around an event`() {
    let line = EventCodec.encode(EventSamples.fullMessage)
    for text in ["\u{0}\(line)", "\(line)\u{0}", "\(line)\(line)", "\(line),", "\(line)x"] {
      #expect(throws: EventCodingError.self) { try EventCodec.decode(text) }
    }
  }

  @Test(arguments: [
    "", " ", "\u{feff}", "null", "[]", "7", "\"{}\"", "{", "}", "{]", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":1 "b":2}"#, #"{"a":01}"#, #"{"a":1.}"#,
    #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":-}"#, #"{"a":1e}"#, #"{"a":1e+}"#, #"{"a":-01}"#,
    #"{"a":NaN}"#, #"{"a":Infinity}"#, #"{"a":0x1}"#, #"{"a":tru}"#, #"{"a":truex}"#,
    #"{"a":True}"#, #"{"a":nul}"#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":[1 2]}"#,
    #"{"a":[1}"#, #"{"a":"b}"#, #"{"a":1}/**/"#, #"{/**/"a":1}"#, "{\"a\":1\u{a0}}",
  ])
  func `refuses what is not one JSON object`(text: String) {
    #expect(throws: EventCodingError.self) { try EventCodec.decode(text) }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `refuses what lies ten thousand deep`(opening: String) {
    let deep = String(repeating: opening, count: 10_000)
    let error = #expect(throws: EventCodingError.self) { try EventCodec.decode("{\"a\":" + deep) }
    #expect(error?.reason == "values lie too deep in each other")
    var line = "{\"content\":\"x\",\"a\":" + deep
    #expect(line.withUTF8 { EventCodec.decodeBeginning(UnsafeRawBufferPointer($0)) } == nil)
  }

  @Test func `writes nothing that acts on a terminal or ends a line`() throws {
    var text = ""
    for value in UInt32(0)...0xffff { Unicode.Scalar(value).map { text.unicodeScalars.append($0) } }
    let event = Event.message(
      Message(id: "m", profileID: "p", profileName: text, content: text, images: [text]))
    let line = EventCodec.encode(event)
    #expect(line.unicodeScalars.first { Self.acts($0) } == nil)
    guard case .message(let back)? = try EventCodec.decode(line) else {
      return #expect(Bool(false))
    }
    let texts: [String?] = [back.profileName, back.content, back.images.first]
    #expect(texts.allSatisfy { $0?.unicodeScalars.elementsEqual(text.unicodeScalars) == true })
    // An id cannot have all of them at once.
    for scalar in text.unicodeScalars where Self.acts(scalar) {
      let id = "a\(scalar)b"
      let line = EventCodec.encode(.notice(Notice(eventID: id, content: "x")))
      #expect(line.unicodeScalars.first { Self.acts($0) } == nil)
      #expect(
        try EventCodec.decode(line)?.id.unicodeScalars.elementsEqual(id.unicodeScalars) == true)
    }
  }

  private static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0xfeff: true
    default: scalar.properties.isBidiControl
    }
  }

  @Test func `writes each such character as an escape, at any place`() throws {
    for scalar in ["\u{1b}", "\u{7f}", "\u{9b}", "\u{85}", "\u{61c}", "\u{202e}", "\u{2066}"] {
      for length in 0..<20 {
        let text = String(repeating: "a", count: length) + scalar + "한글 abcdefgh"
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        let written = String(decoding: bytes, as: UTF8.self)
        #expect(!written.unicodeScalars.contains { Self.acts($0) })
        #expect(written.utf8.dropFirst(length + 1).starts(with: #"\u"#.utf8))
        #expect(try content(Array(bytes.dropFirst().dropLast())) == text)
      }
    }
  }
}
