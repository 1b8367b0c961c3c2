import Testing
import TerminalText

@testable import LinePrompt

@Suite struct LineLayoutTests {
  /// The screen as text, with `▮` where the cursor stands.
  private func screen(
    _ line: String, at point: Int? = nil, prompt: String = "> ", columns: Int = 10, rows: Int = 5,
    isPlain: Bool = false, offset: Int = 0
  ) -> [String] {
    let glyphs = Glyphs(measure: TextMeasure(), isPlain: isPlain)
    let layout = LineLayout(columns: columns, rows: rows, glyphs: glyphs)
    let frame = layout.frame(
      prompt: PromptText(glyphs: glyphs).cells(prompt), line: Array(line.utf8),
      point: point ?? line.utf8.count, offset: offset)
    return frame.marked
  }

  @Test func `a short line stands in one row`() {
    #expect(screen("abc") == ["> abc▮"])
    #expect(screen("abc", at: 1) == ["> a▮bc"])
    #expect(screen("") == ["> ▮"])
  }

  @Test func `rows leave the last column free`() {
    #expect(screen("1234567") == ["> 1234567▮"])
    #expect(screen("12345678") == ["> 1234567", "8▮"])
    #expect(screen("12345678", at: 7) == ["> 1234567", "▮8"])
  }

  @Test func `a wide cluster is never split over two rows`() {
    #expect(screen("123456민") == ["> 123456", "민▮"])
    #expect(screen("12345민") == ["> 12345민▮"])
  }

  @Test func `a family is one cluster, and the cursor never stands inside it`() {
    let family = "👨‍👩‍👧"
    #expect(screen(family + "x", at: 4) == ["> ▮" + family + "x"])
    #expect(screen("12345" + family) == ["> 12345" + family + "▮"])
  }

  @Test func `line ends break rows, and tabs run to the next stop`() {
    #expect(screen("a\nb\n") == ["> a", "b", "▮"])
    #expect(screen("a\tb", prompt: "", columns: 20) == ["a       b▮"])
  }

  @Test func `control characters are shown as readline shows them`() {
    #expect(screen("\u{01}\u{1B}\u{7F}") == ["> ^A^[^?▮"])
    #expect(screen("\u{9B}2J") == ["> ?2J▮"])
  }

  @Test func `SGR in a prompt takes no columns, marked or not`() {
    let prompt = "\u{01}\u{1B}[1m\u{02}ro\u{1B}[0mom> "
    #expect(screen("123", prompt: prompt) == ["room> 123▮"])
    #expect(screen("1234", prompt: prompt) == ["room> 123", "4▮"])
  }

  @Test func `a line taller than the window shows the rows around the cursor`() {
    let line = "1111111222222222333333333444444444555555555"
    #expect(screen(line, rows: 3) == ["444444444", "555555555▮"])
    #expect(screen(line, at: 0, rows: 3) == ["> ▮1111111", "222222222"])
    #expect(screen(line, at: 17, rows: 3, offset: 1) == ["222222222", "3▮33333333"])
  }

  @Test(arguments: 1...3, 1...3)
  func `the smallest windows show something, and end`(columns: Int, rows: Int) {
    let shown = screen("민a👨‍👩‍👧\t\n\u{200D}b", columns: columns, rows: rows)
    #expect(shown.count <= max(1, rows - 1))
    #expect(shown.joined().contains("▮"))
  }

  @Test func `a dumb terminal gets one row that moves sideways`() {
    #expect(screen("1234567890", isPlain: true) == ["890▮"])
    #expect(screen("1234567890", at: 0, isPlain: true) == ["> ▮1234567"])
    #expect(screen("a\nb", isPlain: true) == ["> a^Jb▮"])
  }

  @Test func `bytes that are no UTF-8 are shown one by one`() {
    let part = LinePart(of: [0x61, 0xFF, 0x62], around: 2, reach: 100)
    #expect(part.text == "a?b")
    #expect(part.point == 2)
  }

  @Test func `only the part of a huge line near the cursor is laid out`() {
    let line = Array(String(repeating: "민", count: 100_000).utf8)
    let part = LinePart(of: line, around: 150_000, reach: 16384)
    #expect(part.text.utf8.count < 60_000)
    #expect(!part.text.contains("\u{FFFD}"))
    #expect(!part.isFromStart)
  }
}

extension Frame {
  /// The rows as text, with `▮` where the cursor stands.
  var marked: [String] {
    rows.enumerated().map { index, row in
      guard index == cursorRow else { return row.map(\.text).joined() }
      var column = 0
      var text = ""
      var isMarked = false
      for cell in row {
        if column >= cursorColumn, !isMarked {
          text += "▮"
          isMarked = true
        }
        text += cell.text
        column += cell.columns
      }
      return isMarked ? text : text + "▮"
    }
  }
}
