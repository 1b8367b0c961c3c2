import ChatModel
import SessionLog
import TestSupport
import Testing

/// Searches against one that looks through everything.
struct SearchDifferentialTests {
  /// Texts of a few characters each, so that parts of them are found often.
  @Test(arguments: 1...(isSoak ? 50 : 1) as ClosedRange<UInt64>)
  func `finds what a plain search for parts finds`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("가나각힣abAB가나 ''\":-/👍👩‍👧🏽é[1")
    func text(_ length: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: length, using: &random)).map { _ in
          random.pick(alphabet)
        })
    }
    let texts = (0..<600).map { _ in text(0...9) }
    let log = Log()
    let session = try await log.begin()
    try await log.store.record(
      texts.enumerated().map { .said($1, id: "\($0)", at: Int64($0)) }, cursor: "c", in: session,
      at: .noon)
    let words = (0..<60).map { _ in text(1...4).filter { $0 != " " && $0 != "\"" && $0 != ":" } }
    for step in 0..<3 {
      for word in words where !word.isEmpty {
        let key = Self.key(word)
        let expected = texts.filter { Self.key($0).contains(key) }.reversed()
        let found = try await log.find(word, limit: 10_000)
        #expect(found == Array(expected), "\(word), step \(step)")
      }
      if step == 0 { _ = try await log.store.advanceIndex(by: 300) } else { try await log.index() }
    }
  }

  /// A text without case and without what is not seen; its characters are
  /// composed already.
  private static func key(_ text: String) -> [Unicode.Scalar] {
    text.lowercased().unicodeScalars.filter { $0 != "\u{200D}" && $0 != "\u{FE0F}" }
  }
}

extension [Unicode.Scalar] {
  fileprivate func contains(_ part: [Unicode.Scalar]) -> Bool {
    guard part.count <= count else { return false }
    return (0...count - part.count).contains { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
