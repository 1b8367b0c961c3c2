import TerminalText
import TestSupport
import Testing

struct LineWrapperTests {
  private func rows(_ text: String, _ columns: Int) -> [String] {
    LineWrapper(columns: columns, measure: TextMeasure()).lines(text)
  }

  @Test(arguments: [
    ("", 10, [""]),
    ("hello", 10, ["hello"]),
    ("hello world", 10, ["hello", "world"]),
    ("hello world", 11, ["hello world"]),
    ("a  b   c", 3, ["a", "b", "c"]),
    ("one\ntwo\n", 10, ["one", "two", ""]),
    ("one\n\ntwo", 10, ["one", "", "two"]),
    ("trailing   \n  indented", 20, ["trailing", "  indented"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
    ("go https://a.b/c", 8, ["go", "https://", "a.b/c"]),
    ("안녕하세요 반갑습니다", 14, ["안녕하세요", "반갑습니다"]),
    ("안녕하세요", 4, ["안녕", "하세", "요"]),
    ("안녕하세요,", 10, ["안녕하세", "요,"]),
    ("日本語の文章", 6, ["日本語", "の文章"]),
    ("日本語。次", 6, ["日本", "語。次"]),
    ("「日本」語", 6, ["「日", "本」語"]),
    ("abc日本", 5, ["abc日", "本"]),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 5, ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"]),
    ("e\u{301}e\u{301}e\u{301}", 2, ["e\u{301}e\u{301}", "e\u{301}"]),
    ("a\u{A0}b c", 3, ["a\u{A0}b", "c"]),
    ("ends in nbsp\u{A0}", 20, ["ends in nbsp"]),
    ("ideographic　blank", 12, ["ideographic", "blank"]),
    ("     x", 3, ["x"]),
  ])
  func `text is broken into rows`(text: String, columns: Int, expected: [String]) {
    #expect(rows(text, columns) == expected)
  }

  @Test(arguments: [
    ("한글", 1, ["?", "?"]), ("a한b", 1, ["a", "?", "b"]), ("abc", 0, ["a", "b", "c"]),
    ("abc", -5, ["a", "b", "c"]), ("\u{200B}\u{200B}", 1, ["\u{200B}\u{200B}"]),
    ("👨‍👩‍👧‍👦 x", 1, ["?", "x"]), ("  ", 1, [""]),
  ])
  func `a single column ends with placeholders`(text: String, columns: Int, expected: [String]) {
    #expect(rows(text, columns) == expected)
  }

  @Test func `directions are closed at the end of each row and opened again`() {
    #expect(
      rows("\u{2067}ab cd\u{2069} ef", 4) == [
        "\u{2067}ab\u{2069}", "\u{2067}cd\u{2069}", "ef",
      ])
  }

  @Test func `rows are never too wide, end without blanks and keep every word`() {
    var random = SeededRandom(seed: 3)
    let measure = TextMeasure()
    for _ in 0..<1500 {
      let text = neutralized(random.hostileText(maximalCount: 40), .paragraph)
      let columns = Int.random(in: 1...24, using: &random)
      let rows = LineWrapper(columns: columns, measure: measure).lines(text)
      for row in rows {
        #expect(measure.columns(row) <= columns)
        #expect(row.last.map { $0 == " " || $0 == "\u{3000}" } != true)
      }
      guard columns >= 12, !text.unicodeScalars.contains(where: isDirection) else { continue }
      let kept = rows.joined().filter { !$0.isWhitespace }
      #expect(kept.unicodeScalars.elementsEqual(text.filter { !$0.isWhitespace }.unicodeScalars))
    }
  }

  private func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      || scalar.value == 0x2800
  }
}
