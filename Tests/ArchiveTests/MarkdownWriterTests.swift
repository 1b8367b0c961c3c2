import ChatModel
import TerminalText
import TestSupport
import Testing

@testable import Archive

struct MarkdownWriterTests {
  @Test func `a message is a paragraph below its day`() {
    #expect(
      Sample.export(.markdown, Conversation.messages.prefix(4)) == """
        # lobby

        ## Monday, 30 November 2026

        **민수** 08:16\\
        긴급! 오늘 회의는 세 시입니다\\
        👍 2 &nbsp;😮

        **민수** 08:16\\
        자료는 여기 있어요\\
        \\[file: 회의 자료.pdf, 182.4 KB\\]

        **Jane** 08:17\\
        @minji are you coming?\\
        We kept you a seat.

        **민지** 08:17 · edited\\
        ↩ Jane: @minji are you coming?\\
        네, 지금 갑니다

        """)
  }

  @Test(arguments: [
    ("a*b", "a\\*b"), ("# a #", "\\# a \\#"), ("1. a", "1\\. a"), ("a 1. b", "a 1. b"),
    ("- a - b", "\\- a - b"), ("a\n+ b", "a\\\n\\+ b"), ("  a  b ", "&nbsp;&nbsp;a &nbsp;b&nbsp;"),
    ("Hi, it's (me)!", "Hi, it's (me)!"), ("a\\", "a\\\\"), ("a\n\nb", "a\\\n\\\nb"),
  ])
  func `only what means something is escaped`(text: String, expected: String) {
    #expect(markdown(text) == expected)
  }

  @Test(arguments: Hostile.texts)
  func `cmark shows just the text that was written`(text: String) throws {
    try expectShown([text])
  }

  @Test func `cmark shows just the text whatever it is made of`() throws {
    var random = SeededRandom(seed: 5)
    try expectShown((0..<1_500).map { _ in random.text() })
  }

  @Test func `no field makes anything but paragraphs, names and links`() {
    let source = Sample.export(.markdown, Hostile.messages, options: Hostile.options())
    let page = Filter.run("cmark --unsafe", on: source)
    #expect(page.status == 0)
    let tags = Rendered.tags(page.output)
    #expect(Set(tags).isSubset(of: ["h1", "h2", "p", "strong", "br", "a"]))
    #expect(tags.count { $0 == "p" } == Hostile.messages.count)
    #expect(tags.count { $0 == "strong" } == Hostile.messages.count)
    #expect(tags.count { $0 == "h1" || $0 == "h2" } == 2)
    for link in Rendered.links(page.output) {
      #expect(link.hasPrefix("https://") || link.hasPrefix("http://"), "\(link)")
    }
  }

  /// Expects that each text is a paragraph of its own below a name, as it is.
  private func expectShown(_ texts: [String]) throws {
    let messages = texts.map { Sample.message("x", "*[\($0)", $0) }
    let page = Filter.run("cmark --unsafe", on: Sample.export(.markdown, messages))
    #expect(page.status == 0)
    let paragraphs = Rendered.paragraphs(page.output)
    try #require(paragraphs.count == texts.count)
    for (shown, text) in zip(paragraphs, texts) {
      let content = StyledText(paragraph: text, []).text
      let name = field("*[\(text)", columns: 64)
      let expected = "\(name) 08:16\n\(content.isEmpty ? "(empty)" : content)"
      #expect(shown == expected.replacingBlanks, "\(text.debugDescription)")
    }
  }
}

/// What a renderer made of Markdown.
private enum Rendered {
  static func tags(_ page: String) -> [String] {
    page.split(separator: "<").compactMap { part in
      guard let name = part.split(separator: ">").first?.split(separator: " ").first,
        name.first?.isLetter == true
      else { return nil }
      return String(name)
    }
  }

  static func links(_ page: String) -> [Substring] {
    page.split(separator: "href=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
  }

  static func paragraphs(_ page: String) -> [String] {
    page.split(separator: "<p>").dropFirst().map { part in
      let inner = part.split(separator: "</p>", omittingEmptySubsequences: false)[0]
      return text(inner).replacingBlanks
    }
  }

  /// The words between the tags.
  private static func text(_ markup: Substring) -> String {
    var result = ""
    var rest = markup
    while let character = rest.popFirst() {
      switch character {
      case "<": rest = rest.drop { $0 != ">" }.dropFirst()
      case "&":
        let name = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(name.count + 1)
        result += ["amp": "&", "lt": "<", "gt": ">", "quot": "\""][name] ?? "?"
      default: result.append(character)
      }
    }
    return result
  }
}

extension String {
  /// With plain blanks for those that are not to be broken.
  fileprivate var replacingBlanks: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\u{A0}" ? " " : $0 }))
  }
}
