import Testing

@testable import LinePrompt

struct AnswerLineTests {
  /// Types characters, one key each.
  private func type(_ keys: String, into line: inout AnswerLine) -> AnswerLine.Outcome {
    var outcome = AnswerLine.Outcome.goesOn
    for scalar in keys.unicodeScalars { outcome = line.take(Array(String(scalar).utf8)) }
    return outcome
  }

  @Test(arguments: [
    ("yes\r", "yes"), ("\r", ""), ("비밀번호\r", "비밀번호"), ("ab\u{7F}c\r", "ac"),
    ("\u{7F}\u{7F}a\n", "a"), ("e\u{301}\u{8}x\r", "x"), ("wrong\u{15}right\r", "right"),
    ("a\u{1B}[Db\r", "ab"), ("a\u{1B}OA\u{1B}[1;5Cb\r", "ab"), ("a\u{1}\u{5}\u{B}b\r", "ab"),
    ("x\u{4}\r", "x"), ("a\u{1B}xb\r", "ab"),
    ("a\u{1B}_b\r", "ab"), ("\u{1B}]x\u{1B}Py\r", "xy"), ("a\u{1B}[\r", "a"),
  ])
  func `gives what was typed`(keys: String, answer: String) {
    var line = AnswerLine(prompt: "", isSecret: true)
    #expect(type(keys, into: &line) == .given(answer))
    #expect(line.shown.isEmpty)
  }

  @Test(arguments: ["\u{4}", "a\u{3}", "a\u{7}"])
  func `gives none`(keys: String) {
    var line = AnswerLine(prompt: "", isSecret: false)
    #expect(type(keys, into: &line) == .refused)
  }

  @Test func `shows what is no secret`() {
    var line = AnswerLine(prompt: "", isSecret: false)
    #expect(type("네", into: &line) == .goesOn)
    #expect(line.shown == Array("네".utf8))
  }

  @Test func `a paste never enters itself`() {
    var line = AnswerLine(prompt: "", isSecret: false)
    line.paste("se\u{1B}cret\n")
    #expect(line.shown == Array("secret".utf8))
    #expect(type("\r", into: &line) == .given("secret"))
  }

  @Test func `is bounded`() {
    var line = AnswerLine(prompt: "", isSecret: false)
    line.paste(String(repeating: "x", count: 8_192))
    line.paste("y")
    #expect(type("z\r", into: &line) == .given(String(repeating: "x", count: 8_192)))
  }
}
