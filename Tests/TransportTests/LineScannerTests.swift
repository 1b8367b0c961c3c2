import ChatModel
import Glibc
import Testing

@testable import Transport

/// What ``LineScanner`` gives of a file, as text.
private func scanned(_ path: String, from offset: Int64 = 0) throws -> [String] {
  let file = try Descriptor.openFile(path, O_RDONLY)
  var scanner = LineScanner(at: offset)
  var found: [String] = []
  while try scanner.fill(from: file) > 0 {
    while let line = scanner.next() { found.append(String(decoding: line.bytes, as: UTF8.self)) }
  }
  if let rest = scanner.takeUnfinished() {
    found.append("unfinished " + String(decoding: rest.bytes, as: UTF8.self))
  }
  return found
}

@Suite struct LineScannerTests {
  let folder = TemporaryFolder()

  @Test func `takes off carriage returns and a byte order mark`() throws {
    try "\u{FEFF}one\r\ntwo\n\u{FEFF}three\n\nfour".append(to: folder.room())
    #expect(
      try scanned(folder.room()) == ["one", "two", "\u{FEFF}three", "", "unfinished four"])
  }

  @Test(arguments: [-1, 0, 1])
  func `joins a line that lies across two blocks`(shift: Int) throws {
    let long = String(repeating: "x", count: LineScanner.blockBytes + shift)
    try "a\n\(long)\nb\n".append(to: folder.room())
    #expect(try scanned(folder.room()) == ["a", long, "b"])
  }

  @Test func `keeps an event of the greatest size whole`() throws {
    let largest = String(repeating: "x", count: EventCodec.maximumEventBytes)
    try "\u{FEFF}\(largest)\r\nb\n".append(to: folder.room())
    #expect(try scanned(folder.room()) == [largest, "b"])
  }

  @Test(arguments: [1, 5, 300_000, 52_428_800])
  func `keeps only the beginning of a line that is too large`(excess: Int) throws {
    let size = LineScanner.keptBytes + excess
    try [UInt8](repeating: 0x78, count: size).append(to: folder.room())
    try "\nb\n".append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    var scanner = LineScanner(at: 0)
    var found: [(kept: Int, length: Int64, offset: Int64)] = []
    while try scanner.fill(from: file) > 0 {
      #expect(scanner.bufferBytes <= LineScanner.keptBytes + LineScanner.blockBytes)
      while let line = scanner.next() { found.append((line.raw.count, line.length, line.offset)) }
    }
    try #require(found.count == 2)
    #expect(found[0] == (LineScanner.keptBytes, Int64(size), 0))
    #expect(found[1] == (1, 1, Int64(size) + 1))
  }
}

@Suite struct BackwardScanTests {
  let folder = TemporaryFolder()

  /// Where the last messages begin, found the slow way.
  private func expected(_ count: Int, _ lines: [String], end: Int) -> Int {
    var offset = end
    var left = count
    for text in lines.reversed() where left > 0 {
      offset -= text.utf8.count
      if text.contains("\"message\"") { left -= 1 }
    }
    return offset
  }

  @Test(arguments: [0, 1, 2, 50, 899, 5000])
  func `finds the last messages among other lines`(count: Int) throws {
    var generator = SystemRandomNumberGenerator()
    var lines: [String] = []
    for index in 0..<1200 {
      let size = Int.random(in: 0...2000, using: &generator)
      switch index % 4 {
      case 1: lines.append(index % 8 == 1 ? "not an event\n" : "\n")
      default:
        let text = String(repeating: "가", count: index == 1001 ? 90_000 : size / 10)
        lines.append(line("m\(index)", text))
      }
    }
    try lines.joined().append(to: folder.room())
    try "{\"unfinished".append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    let size = try FileStatus(of: file).sizeInBytes
    let start = try BackwardScan.startOfLast(count, before: size, in: file)
    #expect(Int(start) == expected(count, lines, end: lines.joined().utf8.count))
  }

  @Test func `stops at its bounds in a file without messages`() throws {
    try String(repeating: "nothing\n", count: 1000).append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    let start = try BackwardScan.startOfLast(
      1, before: 8000, in: file, within: BackwardScan.Bounds(lines: 10))
    #expect(start == 8000 - 80)
  }

  @Test func `counts an event that is too large as a message`() throws {
    let huge = line("huge", String(repeating: "x", count: 600_000))
    try (line("a") + huge + line("b")).append(to: folder.room())
    let file = try Descriptor.openFile(folder.room(), O_RDONLY)
    let size = try FileStatus(of: file).sizeInBytes
    #expect(
      try BackwardScan.startOfLast(2, before: size, in: file) == Int64(line("a").utf8.count))
  }
}
