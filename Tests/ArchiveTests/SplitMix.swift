/// Random numbers that are the same in every run (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Text of what means something in Markdown, HTML or JSON, and of controls,
  /// blanks, marks and letters.
  mutating func text(maximalCount: Int = 24) -> String {
    let pieces = [
      "*", "_", "`", "~", "[", "]", "(", ")", "<", ">", "&", "\"", "'", "\\", "#", "-", "+", "=",
      "1",
      ".", ":", "|", "!", "$", "^", "{", "}", "/", "@", " ", "  ", "\n", "\t", "a", "b", "한", "é",
      "👍",
      "e\u{301}", "\u{0}", "\u{1B}", "\u{202E}", "\u{2028}", "http://", "</p>", "&amp;", "<!--",
      "***", "---", "א",
    ]
    let count = Int.random(in: 0...maximalCount, using: &self)
    return (0..<count).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
