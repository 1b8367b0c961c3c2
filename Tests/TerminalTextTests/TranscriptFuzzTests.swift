import ChatModel
import TerminalText
import TestSupport
import Testing

struct TranscriptFuzzTests {
  @Test(
    .timeLimit(.minutes(isSoak ? 30 : 2)), arguments: Style.allCases, [ColorDepth.none, .trueColor])
  func `no field acts, no row is too wide, none ends in a blank`(style: Style, depth: ColorDepth) {
    var random = SeededRandom(seed: 5)
    for _ in 0..<(isSoak ? 20_000 : 700) {
      var options = Sample.options(style, columns: Int.random(in: 1...110, using: &random))
      options.palette = Palette(depth: depth)
      options.isUTF8 = Bool.random(using: &random)
      options.language = Bool.random(using: &random) ? .korean : .english
      options.measure.emojiWidth = Bool.random(using: &random) ? .wide : .narrow
      var transcript = Transcript(options: options)
      let shown = hostileMessage(&random)
      let rows =
        transcript.lines(for: shown)
        + transcript.lines(
          forNotice: random.hostileText(maximalCount: 20), at: shown.entry.time)
      for row in rows { check(row, options) }
    }
  }

  @Test func `borders are straight around whatever they hold`() {
    var random = SeededRandom(seed: 21)
    for _ in 0..<(isSoak ? 20_000 : 400) {
      let options = Sample.options(.bubble, columns: Int.random(in: 20...130, using: &random))
      var transcript = Transcript(options: options)
      var shown = hostileMessage(&random)
      shown.update = nil
      let edges = transcript.lines(for: shown).dropFirst().compactMap { row -> ClosedRange<Int>? in
        guard let left = row.firstIndex(where: { "╭│╰".contains($0) }),
          let right = row.lastIndex(where: { "╮│╯".contains($0) }), left < right
        else { return nil }
        let measure = options.measure
        return measure.columns(row[..<left])...measure.columns(row[...right])
      }
      #expect(edges.count >= 3 && Set(edges).count == 1, "\(shown)")
    }
  }

  private func check(_ row: String, _ options: TranscriptOptions) {
    let bare = withoutColors(row)
    #expect(!bare.unicodeScalars.contains(where: isForbidden), "\(row.debugDescription)")
    #expect(bare.last != " ", "\(row.debugDescription)")
    if options.palette.depth == .none || options.style == .plain { #expect(bare == row) }
    guard options.style != .plain else { return }
    let limit = max(1, options.columns - 1)
    #expect(
      options.measure.columns(bare) <= limit, "\(options.columns): \(row.debugDescription)")
  }

  /// The row without sequences that set colours, which are the only ones.
  private func withoutColors(_ row: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = Substring(row).unicodeScalars
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}", rest.first == "[", let end = rest.firstIndex(of: "m"),
        rest[..<end].dropFirst().allSatisfy({ $0 == ";" || ("0"..."9").contains($0) })
      {
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private func hostileMessage(_ random: inout SeededRandom) -> ShownMessage {
    func text(_ count: Int) -> String { random.hostileText(maximalCount: count) }
    func maybe() -> Bool { Bool.random(using: &random) }
    var shown = Sample.message(text(6), text(40), maybe() ? text(80) : nil)
    shown.number = maybe() ? Int.random(in: 1...99_999, using: &random) : nil
    shown.room = maybe() ? text(20) : nil
    shown.repliedTo = maybe() ? RepliedMessage(name: text(9), excerpt: text(60)) : nil
    shown.entry.message.images = maybe() ? [text(20), "a/\(text(9))"] : []
    shown.entry.message.files = maybe() ? [FileReference(path: text(9), name: text(90))] : []
    shown.entry.reactions = maybe() ? [ReactionTally(reaction: text(9), profileIDs: ["a"])] : []
    shown.entry.isLate = maybe()
    shown.entry.isEdited = maybe()
    shown.entry.message.isAction = maybe()
    shown.entry.message.isTruncated = maybe()
    if maybe() { shown.delivery = .failed(reason: text(50)) }
    if maybe(), maybe() {
      shown.update = [
        .edited, .deleted, .reacted(by: text(9), reaction: text(9), removed: maybe()),
      ]
      .randomElement(using: &random)
    }
    return shown
  }

  @Test(.timeLimit(.minutes(5)), arguments: Style.allCases)
  func `a flood of zero-width text ends`(style: Style) {
    for columns in [1, 2, 20, 80] {
      var transcript = Transcript(options: Sample.options(style, columns: columns))
      let invisible = String(repeating: "\u{200B}\u{301}", count: 5000)
      let rows = transcript.lines(for: Sample.message(invisible, invisible, invisible))
      #expect(!rows.isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["\t", "\u{200B}", "\u{1B}", "\u{2067}x"])
  func `what has to be replaced takes time in proportion to its length`(part: String) {
    let text = String(repeating: part, count: 60_000)
    #expect(!neutralized(text, .line).isEmpty)
    #expect(!neutralized(text, .paragraph).isEmpty)
  }

  @Test func `bulk output is the same as single rows`() {
    var random = SeededRandom(seed: 9)
    for style in Style.allCases {
      var one = Transcript(options: Sample.options(style))
      var other = one
      var bytes: [UInt8] = []
      var rows: [String] = []
      for _ in 0..<100 {
        let shown = hostileMessage(&random)
        one.append(shown, to: &bytes)
        rows += other.lines(for: shown)
      }
      #expect(String(decoding: bytes, as: UTF8.self) == rows.map { "\($0)\n" }.joined())
    }
  }
}
