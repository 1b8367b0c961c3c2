import TerminalText
import Testing

struct TextMeasureTests {
  @Test(arguments: [
    ("", 0), ("hello", 5), ("민수", 4), ("\u{1106}\u{1175}\u{11AB}", 2), ("e\u{301}", 1),
    ("❤️", 2), ("❤", 1), ("🅱️", 2), ("☎️", 2), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 2), ("🇰🇷", 2), ("🇰", 1),
    ("1️⃣", 2), ("✌🏽", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🏳️‍🌈", 2), ("\u{1FAE9}", 2),
    ("\u{AD}", 1), ("\u{200B}", 0), ("\u{0301}", 0), ("\u{1161}", 0), ("\r\n", 0), ("\u{1B}", 0),
    ("क्ष", 2), ("नि", 2), ("\u{E000}", 1), ("\u{378}", 1), ("｡", 1), ("。", 2), ("…", 1),
    ("가나다 abc", 10), ("a\u{200E}b", 2), ("一个", 4), ("\u{600}", 1),
  ])
  func `columns of a text`(text: String, columns: Int) {
    #expect(TextMeasure().columns(text) == columns)
  }

  @Test(arguments: [
    ("❤️", 1), ("☎️", 1), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 4), ("🏳️‍🌈", 1), ("🇰🇷", 2), ("1️⃣", 1), ("✌🏽", 3),
    ("😀", 2), ("민수", 4),
  ])
  func `columns where terminals go by code points`(text: String, columns: Int) {
    #expect(TextMeasure(emojiWidth: .narrow).columns(text) == columns)
  }

  @Test(arguments: [(0, 8), (1, 7), (7, 1), (8, 8), (9, 7)])
  func `a tab goes to the next multiple of eight`(column: Int, columns: Int) {
    #expect(TextMeasure().columns("\t", startingAt: column) == columns)
    #expect(TextMeasure().columns("\tab", startingAt: column) == columns + 2)
  }

  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
    ("hello", -1, ""), ("", 3, ""), ("안녕하세요", 5, "안녕…"), ("안녕하세요", 6, "안녕…"),
    ("one two", 5, "one…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"), ("한", 1, "…"),
  ])
  func `text is cut between clusters`(text: String, columns: Int, expected: String) {
    #expect(TextMeasure().truncated(text, to: columns) == expected)
  }

  @Test func `an ellipsis wider than the room is cut as well`() {
    #expect(TextMeasure().truncated("hello", to: 2, ellipsis: "...") == "..")
    #expect(TextMeasure().truncated("hello", to: 4, ellipsis: "...") == "h...")
  }
}
