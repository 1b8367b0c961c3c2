import TestSupport
import Testing

/// The README's life of one message, step by step.
struct LifeOfAMessageTests {
  @Test func `each function that the README names is in the file that it names`() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let readme = String(decoding: try #require(contents(of: "\(root)/README.md")), as: UTF8.self)
    let life = try #require(readme.steps(after: "### The life of one message"))
    var source = ""
    var count = 0
    // Every second part stands between backticks.
    for (index, part) in life.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    where !index.isMultiple(of: 2) {
      if part.hasSuffix(".swift") {
        let bytes = try #require(contents(of: "\(root)/Sources/\(part)"), "\(part)")
        source = String(decoding: bytes, as: UTF8.self)
      } else if let bracket = part.firstIndex(of: "("), part.hasSuffix(")") {
        #expect(source.contains("func \(part[..<bracket])("), "\(part)")
        count += 1
      }
    }
    #expect(count >= 12)
  }
}

extension String {
  /// What stands between a heading and the end of its list.
  fileprivate func steps(after heading: String) -> Substring? {
    guard let start = firstRange(of: heading)?.upperBound else { return nil }
    let rest = self[start...]
    return rest.firstRange(of: "Why things are").map { rest[..<$0.lowerBound] }
  }
}
