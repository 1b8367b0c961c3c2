import Sockets
import TestSupport
import Testing

@Suite struct LineSplitterTests {
  /// The lines that pieces make.
  private func lines(_ pieces: [String], limit: Int = 100) throws -> [String] {
    var splitter = LineSplitter(limitInBytes: limit)
    var lines: [String] = []
    for piece in pieces {
      try Array(piece.utf8).withUnsafeBytes { bytes in
        try splitter.feed(bytes) { line in
          lines.append(String(decoding: line, as: UTF8.self))
          return true
        }
      }
    }
    return lines
  }

  @Test(arguments: [
    (["a\nb\n"], ["a", "b"]), (["a", "b\n"], ["ab"]), (["a\r\n\r\n"], ["a", ""]),
    (["a\r", "\nb"], ["a"]), (["\n\n"], ["", ""]), ([""], []), (["a\rb\n"], ["a\rb"]),
    (["a\r\r\n"], ["a\r"]), (["긴", "말\n"], ["긴말"]),
  ])
  func `lines are cut at newlines`(pieces: [String], expected: [String]) throws {
    #expect(try lines(pieces) == expected)
  }

  @Test func `however it arrives, it is the same lines`() throws {
    let text = "first\r\nsecond, 긴 말\n\n{\"a\":\"\\n\"}\nrest"
    let whole = try lines([text])
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var splitter = LineSplitter(limitInBytes: 100)
      var found: [[UInt8]] = []
      for part in [bytes[..<cut], bytes[cut...]] {
        try Array(part).withUnsafeBytes { part in
          try splitter.feed(part) {
            found.append(Array($0))
            return true
          }
        }
      }
      #expect(found.map { String(decoding: $0, as: UTF8.self) } == whole)
      #expect(splitter.isWithinLine)
    }
  }

  @Test(arguments: [
    (["12345\n"], true), (["123456\n"], false), (["123", "45"], true), (["123", "456"], false),
    (["123", "456\n"], false), (["12345", "\n12345\n"], true), (["1234\r\n"], true),
  ])
  func `a line has at most so many bytes`(pieces: [String], fits: Bool) {
    if fits {
      #expect(throws: Never.self) { try lines(pieces, limit: 5) }
    } else {
      #expect(throws: LineSplitter.TooLong.self) { try lines(pieces, limit: 5) }
    }
  }

  @Test func `told to stop, it goes on with the next line the next time`() throws {
    var splitter = LineSplitter(limitInBytes: 100)
    var found: [String] = []
    let pieces = ["a\nb\nc\nd", "", "e\nf\n", "", "", "", ""]
    for piece in pieces {
      try Array(piece.utf8).withUnsafeBytes { bytes in
        try splitter.feed(bytes) { line in
          found.append(String(decoding: line, as: UTF8.self))
          return false
        }
      }
    }
    #expect(found == ["a", "b", "c", "de", "f"])
    #expect(!splitter.isHolding && !splitter.isWithinLine)
  }
}
