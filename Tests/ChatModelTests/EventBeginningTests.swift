import Testing

@testable import ChatModel

struct EventBeginningTests {
  private func beginning(of line: [UInt8], count: Int) -> Message? {
    line.withUnsafeBytes { bytes in
      let beginning = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
      guard case .message(let message)? = EventCodec.decodeBeginning(beginning) else { return nil }
      return message
    }
  }

  /// Large messages: with scripts of each width of UTF-8, with escapes, with
  /// pairs of them, and with the content before the ids.
  private static let lines: [(line: String, content: String)] = {
    let text = String(repeating: "한글 é 😀 abc\n\"x\" \u{1b}\u{202e}", count: 40)
    let pairs = String(repeating: #"\ud83d\ude00\u00e9"#, count: 40)
    let plain = String(repeating: "😀é", count: 40)
    let message = Message(
      id: "message-1", profileID: "profile-1", profileName: "민수", content: text,
      images: ["a.png", "b.png"], createdAt: Timestamp(milliseconds: 1))
    return [
      (EventCodec.encode(.message(message)), text),
      (#"{"messageID":"message-1","profileID":"profile-1","content":"\#(pairs)"}"#, plain),
      (#"{"messageID":"message-1", "profileID":"profile-1", "content" : "\#(plain)" }"#, plain),
      (#"{"content":"\#(plain)","messageID":"message-1","profileID":"profile-1"}"#, plain),
      (#"{"content":"\#(plain)","profileID":"profile-1","messageID":12345678}"#, plain),
    ]
  }()

  @Test(arguments: 0..<5) func `makes a message of it from wherever it is cut`(line: Int) {
    let (text, content) = Self.lines[line]
    let bytes = Array(text.utf8)
    var longest = 0
    for count in 0...bytes.count {
      guard let message = beginning(of: bytes, count: count) else {
        #expect(longest == 0, "nothing at \(count), though there was something before")
        continue
      }
      #expect(message.isTruncated)
      #expect(message.id == "message-1" || message.id == "12345678")
      #expect(message.profileID == "profile-1")
      let shown = message.content ?? ""
      #expect(content.unicodeScalars.starts(with: shown.unicodeScalars), "cut at \(count)")
      #expect(shown.utf8.count >= longest)
      longest = shown.utf8.count
    }
    #expect(longest == content.utf8.count)
  }

  @Test func `begins with the first byte of the content`() {
    let line = Array(Self.lines[0].line.utf8)
    let name = Array(#""content":""#.utf8)
    let start = line.indices.first { line[$0...].starts(with: name) } ?? 0
    #expect(beginning(of: line, count: start + name.count - 1) == nil)
    #expect(beginning(of: line, count: start + name.count)?.content == "")
    #expect(beginning(of: line, count: start + name.count + 3)?.content == "한")
  }

  @Test(arguments: [
    #"{"content":"x","profileID":"p","messageID":"01"#, #"{"content":"x","messageID":"m","#,
    #"{"content":"x","profileID":"p","messageID":12"#, #"{"messageID":"m","profileID":"p""#,
    #"{"messageID":"m","profileID":"p","content":["abc"#,
    #"{"messageID":"m","profileID":"p","x":"abc"#,
    #"{"messageID":"m","profileID":"p","content":"a"; "#,
    #"{"messageID":"m","profileID":"p","content":"a\x"#,
    #"{"type":"edit","eventID":"e","messageID":"m","profileID":"p","content":"a"#,
    #"{"type":"other","messageID":"m","profileID":"p","content":"a"#, "", "{", "[",
  ])
  func `makes nothing of halves of ids, of other events and of what is no JSON`(text: String) {
    let bytes = Array(text.utf8)
    #expect(beginning(of: bytes, count: bytes.count) == nil)
  }

  @Test func `leaves out a name and images that are cut`() {
    let head = #"{"messageID":"m","profileID":"p","content":"x","#
    for rest in [#""profileName":"Ja"#, #""images":["a","b"#, #""action":tr"#, #""replyTo":1"#] {
      let bytes = Array((head + rest).utf8)
      let message = beginning(of: bytes, count: bytes.count)
      #expect(message?.content == "x" && message?.profileName == nil)
      #expect(message?.images == [] && message?.isAction == false && message?.replyTo == nil)
    }
  }
}
