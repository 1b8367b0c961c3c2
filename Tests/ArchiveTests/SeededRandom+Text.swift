import TestSupport

extension SeededRandom {
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
