import Testing

@testable import TerminalText

@Suite struct SASLprepTests {
  /// RFC 4013, section 3.
  @Test(arguments: [
    ("I\u{ad}X", "IX" as String?), ("user", "user"), ("USER", "USER"), ("\u{aa}", "a"),
    ("\u{2168}", "IX"), ("\u{7}", nil), ("\u{627}1", nil),
  ])
  func `prepares the examples of its RFC`(text: String, prepared: String?) {
    #expect(scalars(saslPrepared(text)) == scalars(prepared))
  }

  @Test(arguments: [
    ("", "" as String?), ("a b", "a b"), ("a\u{a0}b\u{3000}c\u{200b}d", "a b c d"),
    ("\u{1112}\u{1161}\u{11ab}", "\u{d55c}"), ("\u{d55c}", "\u{d55c}"),
    ("e\u{301}", "\u{e9}"), ("ｱﾞ", "ア\u{3099}"), ("👩\u{200d}💻\u{fe0f}", "👩💻"),
    ("\u{feff}a\u{2060}", "a"), ("\u{ff0c}", ","), ("\u{627}\u{628}", "\u{627}\u{628}"),
    ("\u{627}1\u{628}", "\u{627}1\u{628}"), ("\u{5d0} \u{5d1}", "\u{5d0} \u{5d1}"),
  ])
  func `gives each text one form`(text: String, prepared: String?) {
    #expect(scalars(saslPrepared(text)) == scalars(prepared))
  }

  @Test(arguments: [
    "a\0", "\n", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}a", "\u{200e}", "\u{2066}a", "\u{e000}",
    "\u{fffd}", "\u{fffc}", "\u{378}", "\u{2ff0}", "\u{e0001}", "\u{180e}",
    "\u{70f}", "a\u{627}", "\u{627}a\u{628}", "\u{5d0}a",
  ])
  func `prohibits what nobody can see or tell apart`(text: String) {
    #expect(saslPrepared(text) == nil)
  }

  @Test(arguments: [0xfdd0, 0xfdef, 0xfffe, 0x1ffff, 0x10_ffff] as [UInt32])
  func `prohibits what is no character`(value: UInt32) throws {
    #expect(saslPrepared(String(try #require(Unicode.Scalar(value)))) == nil)
  }

  private func scalars(_ text: String?) -> [Unicode.Scalar]? {
    text.map { Array($0.unicodeScalars) }
  }
}
