import IRC
import TestSupport
import Testing

struct MessageSplitterTests {
  @Test func `counts what the server puts before a message`() {
    let source = Source(nick: "jane", user: "~u", host: "host")
    let head = ":jane!~u@host PRIVMSG #room :"
    #expect(
      MessageSplitter.budget(target: "#room", from: source, lineLength: 512)
        == 510 - head.utf8.count)
  }

  @Test func `cuts at blanks, and within words only where it must`() {
    #expect(MessageSplitter.parts(of: "one two three", budget: 7) == ["one two", "three"])
    #expect(MessageSplitter.parts(of: "abcdefghij", budget: 4) == ["abcd", "efgh", "ij"])
    #expect(
      MessageSplitter.parts(of: "one two three", budget: 8, keepsBlanks: true)
        == ["one two ", "three"])
    #expect(MessageSplitter.parts(of: "", budget: 4) == [""])
  }

  @Test func `never cuts what is seen as one character`() {
    let family = "👨‍👩‍👧‍👦"
    let text = String(repeating: family, count: 3)
    let budget = family.utf8.count * 2 - 1
    #expect(MessageSplitter.parts(of: text, budget: budget) == [family, family, family])
    #expect(MessageSplitter.parts(of: "가나다", budget: 4) == ["가", "나", "다"])
    // One that is longer than a line alone is cut between scalars.
    let parts = MessageSplitter.parts(of: family, budget: 8)
    #expect(parts.joined() == family)
    #expect(parts.allSatisfy { $0.utf8.count <= 8 })
  }

  @Test func `keeps every word of any text`() {
    var random = SeededRandom(seed: 7)
    let pieces = ["a", "word", "안녕", "👩‍💻", " ", "e\u{301}", "https://example.org/x"]
    for _ in 0..<300 {
      let text = (0..<40).map { _ in random.pick(pieces) }.joined()
      let budget = Int.random(in: 12...60, using: &random)
      let parts = MessageSplitter.parts(of: text, budget: budget, keepsBlanks: true)
      #expect(parts.joined() == text)
      #expect(parts.allSatisfy { $0.utf8.count <= budget })
      let words = MessageSplitter.parts(of: text, budget: budget)
      #expect(words.allSatisfy { $0.utf8.count <= budget })
      let bare = { (text: String) in text.unicodeScalars.filter { $0 != " " }.map(\.value) }
      #expect(bare(words.joined()) == bare(text))
    }
  }
}
