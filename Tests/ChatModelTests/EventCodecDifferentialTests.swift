import TestSupport
import Testing

@testable import ChatModel

/// The codec against `JSONDecoder`. They agree on which lines are events, and
/// on every field, but for what ``EventCodec`` documents: bytes that are not
/// UTF-8 and halves of surrogate pairs are repaired, ids are kept as the
/// numbers that they were written as, and of a name that stands twice the last
/// value counts, for `JSONDecoder` the first.
struct EventCodecDifferentialTests {
  private enum Outcome: Equatable {
    case refused
    case unknownType
    /// The event as a line, which tells all of its fields.
    case event(String)

    init(_ decode: () throws -> Event?) {
      do {
        self = try decode().map { .event(EventCodec.encode($0)) } ?? .unknownType
      } catch {
        self = .refused
      }
    }
  }

  private func check(_ line: [UInt8], _ origin: String) -> Bool {
    let ours = Outcome { try line.withUnsafeBytes { try EventCodec.decode($0) } }
    let repaired = Self.repaired(line)
    let theirs = Outcome { try MirroredEvent.decode(repaired) }
    if ours == theirs || Self.mayDiffer(line) { return ours != .refused }
    let shown = String(decoding: line, as: UTF8.self).unicodeScalars
      .map { $0.escaped(asASCII: true) }.joined()
    Issue.record("\(origin): \(ours), but \(theirs): \(shown)")
    return false
  }

  @Test(arguments: 1...(isSoak ? 400 : 4) as ClosedRange<UInt64>)
  func `agree on generated and on damaged lines`(seed: UInt64) {
    var generator = EventLineGenerator(seed: seed)
    var accepted = (whole: 0, damaged: 0)
    for number in 0..<300 {
      let line = generator.event()
      if check(line, "seed \(seed), line \(number)") { accepted.whole += 1 }
      for _ in 0..<3 where check(generator.damaged(line), "seed \(seed), damaged \(number)") {
        accepted.damaged += 1
      }
    }
    // Neither kind may turn into lines that are all refused at once.
    #expect(accepted.whole > 100 && accepted.damaged > 60, "\(accepted)")
  }

  @Test func `agree on how deep values may lie`() {
    for depth in 500..<525 {
      for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
        let value = Array(repeating: opening, count: depth).joined() + "1"
        let line =
          #"{"type":"notice","eventID":"e","content":"c","x":"# + value
          + String(repeating: closing, count: depth) + "}"
        _ = check(Array(line.utf8), "depth \(depth)")
      }
    }
  }

  /// Halves of surrogate pairs as U+FFFD, and then the same of bytes.
  private static func repaired(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    while place < line.count {
      guard line[place] == UInt8(ascii: "\\") else {
        result.append(line[place])
        place += 1
        continue
      }
      let (high, low) = (unit(line, place), unit(line, place + 6))
      var length = high == nil ? 2 : 6
      if let high, 0xd800...0xdfff ~= high {
        let isPair = high < 0xdc00 && low.map { 0xdc00...0xdfff ~= $0 } == true
        if isPair { length = 12 } else { result += #"\ufffd"#.utf8 }
        if !isPair { place += 6 }
        if !isPair { continue }
      }
      result += line[place..<min(place + length, line.count)]
      place += length
    }
    return Array(String(decoding: result, as: UTF8.self).utf8)
  }

  /// The code unit of a `\u` escape at that place.
  private static func unit(_ line: [UInt8], _ place: Int) -> UInt32? {
    guard place + 6 <= line.count, line[place] == UInt8(ascii: "\\"),
      line[place + 1] == UInt8(ascii: "u"), line[place + 2] != UInt8(ascii: "+")
    else { return nil }
    return UInt32(String(decoding: line[place + 2..<place + 6], as: UTF8.self), radix: 16)
  }

  /// Whether there is a name that stands twice; a number that is whole without
  /// being written so, or larger than the mirror can hold; or a comma before
  /// the end of an object, which `JSONDecoder` lets pass, and RFC 8259 does not.
  private static func mayDiffer(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    return text.contains(/[:,\s\[]-?[0-9]+(\.|[eE])|-0|[0-9]{19}|,\s*\}/) || repeatsName(line)
  }

  private static func repeatsName(_ line: [UInt8]) -> Bool {
    line.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      var names: Set<String> = []
      while let name = try? scanner.nextName(isFirst: names.isEmpty) {
        guard names.insert(scanner.text(name)).inserted else { return true }
        guard (try? scanner.value(depth: 1)) != nil else { return false }
      }
      return false
    }
  }
}
