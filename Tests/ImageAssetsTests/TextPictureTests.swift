import Testing

@testable import ImageAssets

@Suite struct TextPictureTests {
  private func rows(_ text: String, _ columns: Int = 40, _ rows: Int = 10) -> [String]? {
    TextPicture.rows(Array(text.utf8), PictureSize(columns: columns, rows: rows))
  }

  @Test(arguments: [
    ("\u{1b}[31mx\u{1b}[0m", "\u{1b}[31mx\u{1b}[0m"),
    ("\u{1b}[38;5;1mx\u{1b}[m", "\u{1b}[38;5;1mx\u{1b}[m"),
    ("\u{1b}[38:2:1:2:3mx", "\u{1b}[38:2:1:2:3mx\u{1b}[0m"),
  ])
  func `lets colours through and ends them with the row`(output: String, row: String) {
    #expect(rows(output) == [row])
  }

  @Test(arguments: [
    "\u{1b}[2Jx", "\u{1b}[6nx", "\u{1b}[>4;1mx", "\u{1b}[?4mx", "\u{1b}[1 mx", "\u{1b}[?25lx",
    "x\u{9b}", "x\u{7}", "x\r", "\u{1b}x", "x\u{1b}", "x\u{1b}[", "x\u{1b}[31", "x\u{202e}",
    "x\u{7f}", "x\u{9d}", "\u{1b}cx",
  ])
  func `lets nothing else act`(output: String) {
    #expect(rows(output)?.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } } == true)
    #expect(rows(output)?.first?.hasPrefix("x") == true || rows(output) == ["cx"])
  }

  @Test func `keeps the words of a sequence that is not its own, but not its power`() {
    #expect(rows("\u{1b}]52;c;AAAA\u{7}") == ["]52;c;AAAA"])
    #expect(rows("\u{1b}P1$r0m\u{1b}\\") == ["P1$r0m\\"])
  }

  @Test func `splits rows and survives bytes that are no text`() {
    #expect(rows("a\r\nb\n\nc") == ["a", "b", "c"])
    let size = PictureSize(columns: 10, rows: 4)
    #expect(TextPicture.rows([0xff, 0x9b, 0x41], size) == ["\u{fffd}\u{fffd}A"])
  }

  @Test func `is none where there is nothing, or too much`() {
    #expect(rows("") == nil)
    #expect(rows("\n\n") == nil)
    #expect(rows("a\nb\nc", 5, 3) == ["a", "b", "c"])
    #expect(rows("a\nb\nc\nd", 5, 3) == nil)
    #expect(rows("▄▄▄▄▄", 5, 3) == ["▄▄▄▄▄"])
    #expect(rows("▄▄▄▄▄▄", 5, 3) == nil)
    // Colours take no room; what may be wide counts so.
    #expect(rows("\u{1b}[48;2;100;100;100m▄▄▄▄▄\u{1b}[0m", 5, 3)?.count == 1)
    #expect(rows("한국어", 5, 3) == nil)
  }
}
