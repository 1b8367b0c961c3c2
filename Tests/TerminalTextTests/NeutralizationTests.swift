import TerminalText
import TestSupport
import Testing

struct NeutralizationTests {
  @Test(arguments: [
    "", "hello", "안녕하세요", "שלום עולם", "مرحبا", "می‌خواهم", "क्‍ष", "e\u{301}", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️",
    "\u{2066}abc\u{2069}", "\u{202B}שלום\u{202C}", "שלום\u{200F}!", "\u{E000}", "\u{378}",
    "\u{1112}\u{1161}\u{11AB}", "L’été — “ça” 100 %", "  two  blanks ", "葛\u{E0100}",
    "\u{115F}\u{1161}",
  ])
  func `what is harmless stays as it is`(text: String) {
    #expect(Array(neutralized(text, .line).unicodeScalars) == Array(text.unicodeScalars))
    #expect(Array(neutralized(text, .paragraph).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    ("\u{1B}]52;c;AAAA\u{7}", "␛]52;c;AAAA␇"), ("\u{1B}[2J", "␛[2J"), ("a\u{0}b", "a␀b"),
    ("\u{7F}", "␡"), ("\u{9B}31m", "<U+009B>31m"), ("a\nb", "a␊b"), ("a\r\nb", "a␍␊b"),
    ("a\tb", "a b"), ("a\u{2028}b\u{85}", "a<U+2028>b<U+0085>"),
    ("ab\u{202E}gpj.exe", "ab<U+202E>gpj.exe"),
    ("a\u{202D}b\u{202C}c", "a<U+202D>bc"), ("\u{2067}abc", "\u{2067}abc\u{2069}"),
    ("\u{202B}\u{2066}x", "\u{202B}\u{2066}x\u{2069}\u{202C}"), ("a\u{2069}\u{202C}b", "ab"),
    ("\u{2066}\u{202A}x\u{2069}y", "\u{2066}\u{202A}x\u{202C}\u{2069}y"),
    ("ad\u{200B}min", "ad<U+200B>min"), ("\u{3164}", "<U+3164>"), ("\u{FFA0}", "<U+FFA0>"),
    ("\u{115F}", "<U+115F>"), ("\u{E0041}", "<U+E0041>"), ("ad\u{200E}min", "ad<U+200E>min"),
    ("a\u{200D}b", "a<U+200D>b"), ("\u{301}", "◌\u{301}"), ("\u{1161}", "\u{115F}\u{1161}"),
    ("\u{11A8}", "\u{115F}\u{1160}\u{11A8}"), ("\u{2800}", "<U+2800>"), ("\u{FFFF}", "\u{FFFD}"),
    ("\u{2066}\u{2069}", "<U+2066>"), ("\u{AD}", "<U+00AD>"),
    ("\u{200B}\u{301}", "<U+200B>◌\u{301}"),
    ("\u{A0}", "<U+00A0>"), ("\u{FE0F}\u{301}", "<U+FE0F>◌\u{301}"),
  ])
  func `a line shows whatever acts or hides`(text: String, expected: String) {
    #expect(neutralized(text, .line) == expected)
  }

  @Test(arguments: [
    ("a\nb", "a\nb"), ("a\r\nb\rc", "a\nb\nc"), ("\r\r\n\n", "\n\n\n"),
    ("a\u{2029}b\u{85}c", "a\nb\nc"),
    ("a\tb", "a       b"), ("한\tb", "한      b"), ("x\n\tb", "x\n        b"),
    ("\u{1B}c\u{90}", "␛c<U+0090>"), ("ad\u{200B}min\u{FEFF}", "admin"), ("\u{200B}", "<U+200B>"),
    ("\u{2067}a\nb", "\u{2067}a\u{2069}\nb"), ("soft\u{AD}ly", "softly"),
    ("\n\u{2060}\n", "<U+2060>"),
  ])
  func `a paragraph keeps its lines and loses what is stray`(text: String, expected: String) {
    #expect(neutralized(text, .paragraph) == expected)
  }

  @Test func `of a pile of marks eight are kept`() {
    let pile = "Z" + String(repeating: "\u{301}", count: 100) + "a"
    #expect(neutralized(pile) == "Z" + String(repeating: "\u{301}", count: 8) + "a")
  }

  @Test func `an endless chain of joined emoji is cut off`() {
    let chain = Array(repeating: "👩", count: 1000).joined(separator: "\u{200D}")
    let result = neutralized(chain, .paragraph)
    #expect(result.unicodeScalars.count == 32)
    #expect(result.unicodeScalars.last == "\u{FFFD}")
  }

  @Test func `neutralising twice changes nothing more`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<(isSoak ? 400_000 : 4000) {
      let text = random.hostileText(maximalCount: 12)
      for mode in [Neutralization.line, .paragraph] {
        let once = neutralized(text, mode)
        let twice = neutralized(once, mode)
        #expect(
          once.unicodeScalars.elementsEqual(twice.unicodeScalars),
          "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
      }
    }
  }

  @Test func `nothing that is left acts, and something is left`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<(isSoak ? 400_000 : 4000) {
      let text = random.hostileText(maximalCount: 8)
      let line = neutralized(text)
      #expect(!line.unicodeScalars.contains(where: isForbidden))
      let isBlank = text.unicodeScalars.allSatisfy { $0 == " " || $0 == "\t" }
      if !isBlank { #expect(TextMeasure().columns(line) > 0, "\(text.debugDescription)") }
    }
  }

  @Test(arguments: [
    ("paypal", false), ("pаypal", true), ("Иван", false), ("Αλέξης", false), ("Ηello", true),
    ("민수 Kim", false), ("田中Tanaka", false), ("", false), ("José", false), ("Иван Ω", true),
    ("µm", false), ("Иван 2", false),
  ])
  func `names of letters that look alike are told apart`(name: String, isMixed: Bool) {
    #expect(hasMixedScripts(name) == isMixed)
  }
}
