import TerminalText
import TestSupport
import Testing

@testable import Archive

/// What parsers find in pages that are full of hostile text.
struct HTMLSafetyTests {
  private static let page = Sample.export(
    .html, Hostile.messages + Conversation.messages, options: Hostile.options())

  /// Lists every tag and every attribute that a browser would see.
  private static let lister = """
    python3 -c '
    import html.parser, sys
    class Lister(html.parser.HTMLParser):
      def handle_starttag(self, tag, attributes):
        print("tag", tag)
        for name, value in attributes: print("attribute", name, (value or "").replace("\\n", " "))
      def handle_comment(self, data): print("comment")
      def handle_pi(self, data): print("instruction")
      def unknown_decl(self, data): print("declaration")
    sys.stdin.reconfigure(encoding="utf-8"); sys.stdout.reconfigure(encoding="utf-8")
    Lister().feed(sys.stdin.read())
    '
    """

  private static let tags: Set<Substring> = [
    "html", "head", "meta", "title", "style", "body", "header", "h1", "main", "section", "h2",
    "time", "div", "article", "p", "bdi", "b", "span", "blockquote", "cite", "a", "small", "ul",
    "li",
  ]
  private static let attributes: Set<Substring> = [
    "lang", "charset", "http-equiv", "content", "name", "class", "id", "dir", "datetime", "href",
    "rel", "aria-hidden", "aria-label",
  ]

  @Test func `a browser sees no tag and no attribute that is not the page's own`() {
    let list = Filter.run(Self.lister, on: Self.page)
    #expect(list.status == 0)
    for line in list.output.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      switch parts[0] {
      case "tag": #expect(Self.tags.contains(parts[1]), "\(line)")
      case "attribute":
        #expect(Self.attributes.contains(parts[1]), "\(line)")
        if parts[1] == "href" { #expect(isHarmless(parts[2]), "\(line)") }
      default: Issue.record("\(line)")
      }
    }
  }

  private func isHarmless(_ address: Substring) -> Bool {
    ["#m-", "http://", "https://"].contains { address.hasPrefix($0) }
  }

  @Test func `the page is well-formed XML, too`() {
    let result = Filter.run("xmllint --noout -", on: Self.page)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output.prefix(400))")
  }

  @Test func `there is one article a message, whatever it says`() {
    let count = Filter.run("xmllint --xpath 'count(//main//article)' -", on: Self.page)
    #expect(
      count.output.prefix { !$0.isNewline }
        == "\(Hostile.messages.count + Conversation.messages.count)")
  }

  @Test func `nothing in the page acts on a terminal or turns text around`() {
    #expect(!Self.page.unicodeScalars.contains(where: Hostile.isForbidden))
  }

  @Test(arguments: Hostile.texts)
  func `the text is shown just as it was written`(text: String) {
    let page = Sample.export(.html, [Sample.message("x", "X", text)])
    let shown = Filter.run("xmllint --xpath 'string(//p[@class=\"text\"])' -", on: page)
    let content = StyledText(paragraph: text, []).text
    #expect(shown.output == (content.isEmpty ? "(empty)" : content) + "\n")
  }

  @Test func `random text breaks nothing`() {
    var random = SeededRandom(seed: 21)
    let messages = (0..<1_500).map { index in
      Hostile.message(random.text(), after: Int64(index))
    }
    let page = Sample.export(.html, messages, options: Hostile.options())
    let count = Filter.run("xmllint --xpath 'count(//main//article)' -", on: page)
    #expect(count.output.prefix { !$0.isNewline } == "1500")
    let tags = Filter.run("\(Self.lister) | grep ^tag | sort -u | cut -d' ' -f2", on: page)
    #expect(Set(tags.output.split(separator: "\n")).isSubset(of: Self.tags))
  }
}
