import ChatModel
import Testing

struct StyledRangeTests {
  private func style(_ change: (inout TextStyle) -> Void) -> TextStyle {
    var style = TextStyle()
    change(&style)
    return style
  }

  private func read(_ content: String, _ styles: String) throws -> [StyledRange] {
    let line =
      #"{"messageID":"m","profileID":"p","content":"\#(content)","styles":\#(styles)}"#
    guard case .message(let message)? = try EventCodec.decode(line) else {
      Issue.record("no message")
      return []
    }
    return message.styles
  }

  @Test func `styles are read back as they were written`() throws {
    var message = Message(id: "m", profileID: "p", content: "bold, blue and struck")
    message.styles = [
      StyledRange(start: 0, end: 4, style: style { $0.isBold = true }),
      StyledRange(
        start: 6, end: 10,
        style: style {
          ($0.isItalic, $0.isUnderlined, $0.isReversed) = (true, true, true)
          ($0.foreground, $0.background) = (4, 15)
        }),
      StyledRange(
        start: 15, end: 21, style: style { ($0.isStruck, $0.isMonospaced) = (true, true) }),
    ]
    let line = EventCodec.encode(.message(message))
    guard case .message(let other)? = try EventCodec.decode(line) else {
      Issue.record("no message")
      return
    }
    #expect(other.styles == message.styles)
    #expect(EventCodec.encode(.message(other)) == line)
  }

  @Test func `an edge within a character moves behind it`() throws {
    let bold = style { $0.isBold = true }
    #expect(
      try read("안녕 e\u{301}x", #"[{"start":1,"length":3,"bold":true}]"#)
        == [StyledRange(start: 3, end: 6, style: bold)])
    #expect(
      try read("안녕 e\u{301}x", #"[{"start":7,"length":1,"bold":true}]"#)
        == [StyledRange(start: 7, end: 10, style: bold)])
    #expect(
      try read("abc", #"[{"start":1,"length":99,"bold":true}]"#)
        == [StyledRange(start: 1, end: 3, style: bold)])
  }

  @Test(arguments: [
    "7", "{}", "[7,\"x\",null,[]]", #"[{"start":-1,"length":2,"bold":true}]"#,
    #"[{"start":0,"length":0,"bold":true}]"#, #"[{"start":3,"length":1,"bold":true}]"#,
    #"[{"start":9223372036854775807,"length":9223372036854775807,"bold":true}]"#,
    #"[{"start":0,"length":2}]"#, #"[{"start":0,"length":2,"bold":"yes","foreground":16}]"#,
    #"[{"start":0,"length":2,"foreground":-1}]"#, #"[{"start":0.5,"length":2,"bold":true}]"#,
  ])
  func `what makes no sense is passed over, and the message stays`(_ styles: String) throws {
    #expect(try read("abc", styles) == [])
  }

  @Test func `ranges do not overlap, and there are so many at most`() throws {
    let bold = style { $0.isBold = true }
    #expect(
      try read(
        "abcdef",
        #"[{"start":2,"length":2,"bold":true},{"start":0,"length":5,"bold":true}]"#)
        == [
          StyledRange(start: 2, end: 4, style: bold), StyledRange(start: 4, end: 5, style: bold),
        ])
    let many = (0..<1_000).map { #"{"start":\#($0),"length":1,"bold":true}"# }
    let content = String(repeating: "x", count: 1_000)
    #expect(try read(content, "[\(many.joined(separator: ","))]").count == EventCodec.maximumStyles)
  }

  @Test func `an edit takes the styles away`() {
    var message = Message(id: "m", profileID: "p", content: "abc")
    message.styles = [StyledRange(start: 0, end: 1, style: style { $0.isBold = true })]
    var entry = TimelineEntry(message: message, time: Timestamp(milliseconds: 0))
    _ = entry.apply(.edit(Edit(eventID: "e", messageID: "m", profileID: "p", content: "xyz")))
    #expect(entry.message.styles.isEmpty)
  }
}
