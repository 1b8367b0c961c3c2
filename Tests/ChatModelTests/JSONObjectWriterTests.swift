import ChatModel
import Testing

@Suite struct JSONObjectWriterTests {
  private func written(_ body: (inout JSONObjectWriter) -> Void) -> String {
    var buffer = Array("before ".utf8)
    JSONObjectWriter.append(to: &buffer, body)
    return String(decoding: buffer, as: UTF8.self)
  }

  @Test func `members stand on one line in the order in which they were written`() {
    let text = written { object in
      object.string("a", "x\n\"\u{0}")
      object.string("none", nil)
      object.integer("n", -5)
      object.integer("none", Int?.none)
      object.flag("t", true)
      object.flag("none", false)
      object.bool("f", false)
      object.bool("none", nil)
      object.object("o") { $0.string("b", "긴") }
      object.object("empty") { _ in }
      object.list("l", [1, 2]) { $1.append(contentsOf: String($0).utf8) }
      object.list("e", [Int]()) { _, _ in }
      object.text(named: "a\"b", "c")
    }
    #expect(
      text == #"before {"a":"x\n\"\u0000","n":-5,"t":true,"f":false,"o":{"b":"긴"},"empty":{},"#
        + #""l":[1,2],"e":[],"a\"b":"c"}"#)
  }

  @Test func `an object without members is one`() {
    #expect(written { _ in } == "before {}")
  }

  @Test func `what is written is read again`() throws {
    let texts = [
      "", "\"\\/", "\u{0}\u{1f}\u{7f}\u{80}", "\u{2028}\r\n\t", "👨‍👩‍👧 e\u{301}", "\u{fffd}\u{10ffff}",
    ]
    for text in texts {
      let line = written { $0.string("a", text) }.dropFirst("before ".count)
      let read = try Array(line.utf8).withUnsafeBytes { try JSONObject($0).string("a") }
      #expect(read.map { Array($0.utf8) } == Array(text.utf8))
      #expect(!line.utf8.contains { $0 < 0x20 })
    }
  }
}
