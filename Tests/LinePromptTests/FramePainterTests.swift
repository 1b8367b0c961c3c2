import TerminalText
import Testing

@testable import LinePrompt

@Suite struct FramePainterTests {
  private func frame(
    _ line: String, at point: Int? = nil, prompt: String = "> ", isPlain: Bool = false
  )
    -> Frame
  {
    let glyphs = Glyphs(measure: TextMeasure(), isPlain: isPlain)
    return LineLayout(columns: 10, rows: 6, glyphs: glyphs).frame(
      prompt: PromptText(glyphs: glyphs).cells(prompt), line: Array(line.utf8),
      point: point ?? line.utf8.count)
  }

  /// What is written to go from one frame to the other.
  private func bytes(from old: Frame, to new: Frame, isPlain: Bool = false) -> String {
    var painter = FramePainter(isPlain: isPlain)
    _ = painter.draw(old)
    return String(decoding: painter.draw(new), as: UTF8.self)
  }

  @Test func `nothing changed writes nothing`() {
    #expect(bytes(from: frame("abc"), to: frame("abc")).isEmpty)
  }

  @Test func `one key writes that key's echo`() {
    #expect(bytes(from: frame("ab"), to: frame("abc")) == "c")
    #expect(bytes(from: frame("ab"), to: frame("ab민")) == "민")
    #expect(bytes(from: frame("abc"), to: frame("abc", at: 2)) == "\u{08}")
    #expect(bytes(from: frame("abc", at: 2), to: frame("abc")) == "c")
  }

  @Test func `Backspace writes a step back and clears the tail`() {
    #expect(bytes(from: frame("abc"), to: frame("ab")) == "\u{08}\u{1B}[K")
    #expect(
      bytes(from: frame("abc", isPlain: true), to: frame("ab", isPlain: true), isPlain: true)
        == "\u{08} \u{08}")
  }

  @Test func `a new row is begun by a line end`() {
    #expect(bytes(from: frame("1234567"), to: frame("12345678")) == "\r\n\u{1B}[K8")
  }

  @Test func `a mark that joins a cluster writes the cluster anew`() {
    #expect(bytes(from: frame("ae"), to: frame("ae\u{301}")) == "\u{08}e\u{301}")
  }

  @Test func `rows are cleared one by one, never with ED`() {
    var painter = FramePainter(isPlain: false)
    _ = painter.draw(frame("12345678"))
    let erased = String(decoding: painter.erase(), as: UTF8.self)
    #expect(erased == "\r\u{1B}[K\u{1B}[A\r\u{1B}[K")
    #expect(painter.shown == nil)
    #expect(painter.erase().isEmpty)
  }

  @Test func `a coloured prompt is written with its colour and a reset`() {
    var painter = FramePainter(isPlain: false)
    let shown = painter.draw(frame("x", prompt: "\u{1B}[31mr\u{1B}[0m> "))
    #expect(String(decoding: shown, as: UTF8.self) == "\u{1B}[31mr\u{1B}[0m> x")
  }

  @Test func `a dumb terminal never gets an escape`() {
    var painter = FramePainter(isPlain: true)
    let prompt = "\u{1B}[31mroom\u{1B}[0m> "
    var all: [UInt8] = []
    for line in ["abcdefgh\u{1B}[2J", "a", "한글한글한글", ""] {
      for point in [0, line.utf8.count] {
        all += painter.draw(frame(line, at: point, prompt: prompt, isPlain: true))
      }
    }
    all += painter.erase()
    #expect(!all.contains(0x1B))
  }

  @Test func `a row that the terminal has reflowed is cleared whole`() {
    var painter = FramePainter(isPlain: false)
    _ = painter.draw(frame("1234567"))
    let cleared = painter.eraseAfterResize(columns: 5, rows: 6, reflows: true)
    #expect(String(decoding: cleared, as: UTF8.self) == "\r\u{1B}[K\u{1B}[A\r\u{1B}[K")
  }

  @Test func `rows above are left alone where reflow is not known`() {
    var painter = FramePainter(isPlain: false)
    _ = painter.draw(frame("1234567"))
    let cleared = painter.eraseAfterResize(columns: 5, rows: 6, reflows: false)
    #expect(String(decoding: cleared, as: UTF8.self) == "\r\u{1B}[K")
  }
}
