import ChatModel
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: [
    ("", ""), ("a b", "a b"), ("%41%6a%6A", "Ajj"), ("%EC%82%AC진", "사진"), ("%2541", "%41"),
    ("%00", "\0"), ("%", nil), ("%4", nil), ("%4g", nil), ("%+1", nil), ("a%%41", nil),
  ])
  func `takes two hexadecimal digits for a byte, and nothing else`(text: String, plain: String?) {
    let bytes = percentDecoded(Array(text.utf8)[...])
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == plain)
  }
}
