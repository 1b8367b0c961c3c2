import ChatModel
import Glibc
import Testing

@testable import Transport

/// Files of random lines that grow in random pieces; long in `make soak`.
@Suite(.timeLimit(.minutes(isSoak ? 30 : 1))) struct FileRoomFuzzTests {
  /// A line, and what a reader must make of it.
  private enum Kind: CaseIterable {
    case event, windows, empty, unknown, garbage, notUTF8, long

    func bytes(_ id: String) -> [UInt8] {
      switch self {
      case .event: Array(line(id, "안녕 \(id)").utf8)
      case .windows: Array(line(id).utf8.dropLast()) + Array("\r\n".utf8)
      case .empty: Array(" \t\r\n".utf8)
      case .unknown: Array("{\"type\":\"from-the-future\"}\n".utf8)
      case .garbage: [0x7B, 0, 0x0A]
      case .notUTF8: Array(line(id, "xx").utf8).map { $0 == 0x78 ? 0xFF : $0 }
      case .long: Array(line(id, String(repeating: "y", count: isSoak ? 300_000 : 20_000)).utf8)
      }
    }

    var isEvent: Bool { [.event, .windows, .notUTF8, .long].contains(self) }
  }

  @Test(arguments: 1...UInt64(isSoak ? 400 : 4))
  func `a reader tells what is in the file, in order and once, however it grows`(
    seed: UInt64
  ) async throws {
    var random = SeededRandom(seed: seed)
    let folder = TemporaryFolder()
    let kinds = (0..<60).map { _ in Kind.allCases.randomElement(using: &random) ?? .event }
    let lines = kinds.enumerated().map { $1.bytes("m\($0)") } + [Array(line("end").utf8)]
    let wanted = kinds.indices.filter { kinds[$0].isEvent }.map { "m\($0)" } + ["end"]
    let early = FileRoom(path: folder.room())
    try await early.join(tail: 0)
    async let told = early.told(until: "event end")
    var late: FileRoom?
    var rest = Array(lines.joined())[...]
    while !rest.isEmpty {
      let isLarge = Int.random(in: 0..<8, using: &random) == 0
      let count = Int.random(in: 1...(isLarge ? 400_000 : 300), using: &random)
      try Array(rest.prefix(count)).append(to: folder.room())
      rest = rest.dropFirst(count)
      if late == nil, Bool.random(using: &random) {
        late = FileRoom(path: folder.room())
        try await late?.join(tail: .max)
      }
    }
    let seen = await told
    #expect(seen.events.map(\.event.id) == wanted)
    #expect(seen.problems.reduce(0) { $0 + $1.lineCount } == kinds.count { $0 == .garbage })
    let all = await late?.told { $0.events.last?.event.id == "end" }
    #expect(all.map { $0.events.map(\.event.id) } ?? wanted == wanted)
  }
}
