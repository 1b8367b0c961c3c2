import ChatModel
import TerminalText
import Testing

struct StyleTests {
  private func shown(
    _ content: String, _ ranges: [(Int, Int)],
    _ change: (inout TextStyle) -> Void = {
      $0.isBold = true
    }
  ) -> ShownMessage {
    var style = TextStyle()
    change(&style)
    return Sample.message("jane", "Jane", content) { shown in
      shown.entry.message.styles = ranges.map {
        StyledRange(start: $0.0, end: $0.1, style: style)
      }
    }
  }

  private func compact(
    _ shown: ShownMessage, columns: Int = 60, depth: ColorDepth = .ansi16
  ) -> String {
    let screen = Sample.screen(Sample.options(.compact, columns: columns, depth: depth), [shown])
    return String(screen.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }.dropFirst(2))
  }

  @Test func `a style is shown, and ends where it ends`() {
    #expect(compact(shown("a bold b", [(2, 6)])) == "a \u{1b}[1mbold\u{1b}[0m b")
    #expect(
      compact(
        shown("x", [(0, 1)]) {
          ($0.isItalic, $0.isUnderlined, $0.isStruck, $0.isReversed) = (true, true, true, true)
          $0.foreground = 12
        }) == "\u{1b}[3;4;7;9;94mx\u{1b}[0m")
  }

  @Test func `a style goes on over the rows, and an edge of a bubble has none`() {
    let rows = compact(shown("aaaa bbbb cccc dddd", [(5, 14)]), columns: 26)
    #expect(
      rows == """
        aaaa \u{1b}[1mbbbb\u{1b}[0m
                    \u{1b}[1mcccc\u{1b}[0m dddd
        """)
    let bubble = Sample.screen(
      Sample.options(.bubble, depth: .ansi16), [shown("a bold b", [(2, 6)])])
    #expect(bubble.contains(" a \u{1b}[1mbold\u{1b}[0m b "))
  }

  @Test func `plain style and no colours have no escapes`() {
    for options in [Sample.options(.plain, depth: .ansi16), Sample.options(.compact)] {
      let screen = Sample.screen(options, [shown("a bold b", [(2, 6)])])
      #expect(screen.contains("a bold b"))
      #expect(!screen.contains("\u{1b}"))
    }
  }

  @Test(
    arguments: [
      (4, 4, "\u{1b}[97;44m"), (11, 11, "\u{1b}[30;103m"), (nil, 1, "\u{1b}[97;41m"),
      (0, nil, ""), (15, nil, ""), (9, 0, "\u{1b}[91;40m"),
    ] as [(UInt8?, UInt8?, String)])
  func `nothing is hidden by colours`(_ front: UInt8?, _ back: UInt8?, _ codes: String) {
    var style = TextStyle()
    (style.foreground, style.background) = (front, back)
    #expect(Palette(depth: .ansi16).start(for: style) == codes)
  }

  @Test func `blank lines around the content move its styles`() {
    let text = StyledText(
      paragraph: "\n\n ab c \n", [StyledRange(start: 3, end: 5, style: TextStyle())])
    #expect(text.text == " ab c")
    #expect(text.styles.map(\.start) == [1])
    #expect(text.parts.map(\.text) == [" ", "ab", " c"])
  }

  @Test func `hostile text loses its styles where nobody knows where they are`() {
    let raw = "\u{202e}a\u{1b}[31mb\u{202c}c\u{200b}\u{301}d"
    let end = raw.utf8.count
    for start in 0..<end {
      let range = StyledRange(start: start, end: end, style: TextStyle())
      let styles = StyledRange.fitting([range], in: raw)
      let text = StyledText(paragraph: raw, styles)
      #expect(text.text == StyledText(paragraph: raw, []).text)
      #expect(text.styles.allSatisfy { (0...text.text.utf8.count).contains($0.end) })
    }
  }

  @Test func `an action has its styles behind the name`() {
    var waves = shown("waves", [(0, 5)])
    waves.entry.message.isAction = true
    let screen = Sample.screen(Sample.options(.compact, depth: .ansi16), [waves])
    #expect(screen.hasSuffix("* Jane \u{1b}[1mwaves\u{1b}[0m"))
  }
}
