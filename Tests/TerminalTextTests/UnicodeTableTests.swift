import TerminalText
import Testing

struct UnicodeTableTests {
  private let measure = TextMeasure()

  @Test func `every assigned wide scalar takes two columns`() throws {
    let assigned = try UnicodeCategories.shared.get()
    var checked = 0
    for line in try UnicodeFile("EastAsianWidth.txt").lines {
      let fields = UnicodeFile.fields(line)
      guard fields[1] == "W" || fields[1] == "F" else { continue }
      for value in try UnicodeFile.range(fields[0]) where assigned[value] != nil {
        let scalar = try #require(Unicode.Scalar(value))
        let isMark = assigned[value] == "Mn"
        let columns = measure.columns(Character(scalar))
        checked += 1
        if columns != (isMark ? 0 : 2) {
          Issue.record("U+\(String(value, radix: 16)) takes \(columns)")
        }
      }
    }
    #expect(checked > 120_000)
  }

  @Test func `no narrow scalar takes two columns, hexagrams apart`() throws {
    let assigned = try UnicodeCategories.shared.get()
    for line in try UnicodeFile("EastAsianWidth.txt").lines {
      let fields = UnicodeFile.fields(line)
      guard fields[1] == "N" || fields[1] == "Na" || fields[1] == "H" else { continue }
      for value in try UnicodeFile.range(fields[0]) where assigned[value] != nil {
        guard let scalar = Unicode.Scalar(value), !(0x4DC0...0x4DFF).contains(value),
          !(0...0x1F).contains(value)
        else { continue }
        let columns = measure.columns(Character(scalar))
        if columns > 1 { Issue.record("U+\(String(value, radix: 16)) takes \(columns)") }
      }
    }
  }

  @Test(arguments: ["Mn", "Me", "Cc", "Zl", "Zp"])
  func `no scalar of a category that is not drawn takes a column`(category: String) throws {
    for (value, _) in try UnicodeCategories.shared.get().filter({ $0.value == category })
    where value != 9 {
      let scalar = try #require(Unicode.Scalar(value))
      let columns = measure.columns(Character(scalar))
      if columns != 0 { Issue.record("U+\(String(value, radix: 16)) takes \(columns)") }
    }
  }

  @Test func `every fully qualified emoji is one cluster of two columns`() throws {
    var checked = 0
    for line in try UnicodeFile("emoji/emoji-test.txt").lines {
      let fields = UnicodeFile.fields(line)
      guard fields[1] == "fully-qualified" else { continue }
      let emoji = text(
        ofScalars: fields[0].split(separator: " ").compactMap { UInt32($0, radix: 16) })
      checked += 1
      if emoji.count != 1 || measure.columns(emoji) != 2 {
        Issue.record("\(emoji) \(fields[0]): \(emoji.count), \(measure.columns(emoji))")
      }
      #expect(neutralized(emoji) == emoji)
      #expect(neutralized("a \(emoji) b", .paragraph) == "a \(emoji) b")
    }
    #expect(checked > 3600)
  }

  @Test func `text is cut into clusters as the Unicode tests state`() throws {
    var checked = 0
    for line in try UnicodeFile("auxiliary/GraphemeBreakTest.txt").lines {
      let expected = clusters(line)
      let all = text(ofScalars: expected.joined())
      let found = all.map { $0.unicodeScalars.map(\.value) }
      checked += 1
      if found != expected, !isNewerRule(expected) { Issue.record("\(line): \(found)") }
    }
    #expect(checked > 600)
  }

  /// Since Unicode 16 joiners join only pictographs that are emoji, in Swift's
  /// tables as well; Debian's are those of Unicode 15.
  private func isNewerRule(_ clusters: [[UInt32]]) -> Bool {
    clusters.contains { cluster in
      guard let joiner = cluster.firstIndex(of: 0x200D), joiner > 0, joiner + 1 < cluster.count,
        let left = Unicode.Scalar(cluster[joiner - 1]),
        let right = Unicode.Scalar(cluster[joiner + 1])
      else { return false }
      return !left.properties.isEmoji && !right.properties.isEmoji
    }
  }

  /// The clusters of `÷ 0020 × 0308 ÷ 0020 ÷`.
  private func clusters(_ line: String) -> [[UInt32]] {
    var result: [[UInt32]] = []
    for token in line.split(whereSeparator: \.isWhitespace) {
      if token == "÷" {
        result.append([])
      } else if let value = UInt32(token, radix: 16) {
        result[result.count - 1].append(value)
      }
    }
    return result.filter { !$0.isEmpty }
  }
}
