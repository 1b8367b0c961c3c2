/// Text that would act on a terminal if it reached it.
enum Hostile {
  /// By name: what each would do.
  static let texts: [(name: String, text: String)] = [
    ("clipboard", "\u{1B}]52;c;cHduZWQ=\u{7}"),
    ("link", "\u{1B}]8;;http://x\u{1B}\\y\u{1B}]8;;\u{1B}\\"),
    ("title", "\u{1B}]0;pwned\u{7}"), ("clear", "\u{1B}[2J\u{1B}[H"), ("report", "\u{1B}[6n"),
    ("device control", "\u{1B}P$qm\u{1B}\\"), ("reset", "\u{1B}c"), ("return", "safe\rpwned"),
    ("bell", "ring\u{7}"), ("C1", "\u{9B}2J\u{9D}0;pwned\u{9C}"),
    ("unterminated", "\u{1B}]0;pwned"),
    ("override", "a\u{202E}b"), ("isolate", "a\u{2066}\u{2067}b"), ("backspace", "abc\u{8}\u{8}"),
    ("delete", "a\u{7F}\u{0}b"), ("feed", "a\u{B}\u{C}b\u{85}c\u{2028}d"), ("shift", "\u{E}x\u{F}"),
  ]

  /// All of them in one.
  static let all = texts.map(\.text).joined(separator: " ")

  /// Lines of a room file in whose every field that is.
  static func lines(of world: World) -> String {
    let text = json(all)
    let sender = #""profileID":\#(text),"profileName":\#(text),"profileImage":\#(text)"#
    let time = #""createdAt":"2025-11-30T08:16:00Z""#
    return [
      #"{"messageID":"h1",\#(sender),"content":\#(text),"images":[\#(text)],\#(time)}"#,
      #"{"messageID":\#(text),\#(sender),"content":"reply","replyTo":"h1",\#(time)}"#,
      #"{"messageID":"h3",\#(sender),"files":[{"path":\#(text),"name":\#(text),"mediaType":\#(text),"size":3}],\#(time)}"#,
      #"{"type":"reaction","eventID":"h4","messageID":"h1",\#(sender),"reaction":\#(text),\#(time)}"#,
      #"{"type":"edit","eventID":"h5","messageID":"h1",\#(sender),"content":\#(text),\#(time)}"#,
      #"{"type":"notice","eventID":"h6","content":\#(text),\#(time)}"#,
      #"{"type":"profile","eventID":"h7",\#(sender),"about":\#(text),\#(text):\#(text),\#(time)}"#,
      #"{"messageID":"h8","profileID":"j","action":true,"content":\#(text),\#(time)}"#,
      #"{"type":\#(text),"messageID":"h9"}"#, #"{"messageID":\#(text),"content":3}"#,
      "{\"messageID\":\"h10\",\"profileID\":\"j\",\"content\":\"\(all)\"}", all,
    ].joined(separator: "\n") + "\n"
  }

  /// What in an output acts on a terminal, apart from what Banter itself needs
  /// at the prompt; nil when nothing does.
  static func fault(in bytes: [UInt8], atPrompt: Bool) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return "it is not UTF-8" }
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x0A: continue
      case 0x0D where atPrompt, 0x08 where atPrompt: continue
      case 0x1B where atPrompt:
        guard let sequence = takeSequence(&rest) else {
          return "the escape sequence \(String(rest.prefix(12)).debugDescription)"
        }
        if !isOwn(sequence) { return "the escape sequence \(sequence)" }
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029, 0x202D...0x202E:
        return
          "U+\(String(scalar.value, radix: 16)) before \(String(rest.prefix(12)).debugDescription)"
      default: continue
      }
    }
    return nil
  }

  /// A control sequence without ESC (ECMA-48, 5.4); nil when it is something
  /// else.
  private static func takeSequence(_ rest: inout Substring.UnicodeScalarView) -> String? {
    guard rest.first == "[" else { return nil }
    var sequence = ""
    while let scalar = rest.popFirst() {
      sequence.unicodeScalars.append(scalar)
      if sequence.count > 1, (0x40...0x7E).contains(scalar.value) { return sequence }
    }
    return nil
  }

  /// Whether the prompt writes that: moving, erasing to the row's end, colours,
  /// and bracketed paste.
  private static func isOwn(_ sequence: String) -> Bool {
    if ["[?2004h", "[?2004l", "[H", "[J", "[2J"].contains(sequence) {
      return !["[2J", "[H"].contains(sequence)
    }
    return "ABCDGKmP@".contains(sequence.last ?? " ") && !sequence.contains("?")
  }
}
