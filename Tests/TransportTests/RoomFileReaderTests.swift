import ChatModel
import Glibc
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5))) struct RoomFileReaderTests {
  let folder = TemporaryFolder()

  private func items(last count: Int? = nil) throws -> [String] {
    let reader = try RoomFileReader(path: folder.room())
    var found: [String] = []
    try reader.forEachEvent(last: count) { item in
      switch item {
      case .event(let event, let line):
        let again = try EventCodec.decode(line.bytes)
        #expect(again?.id == event.id)
        found.append(event.id)
      case .problem(let problem):
        found.append(problem.lineNumber.map { "line \($0)" } ?? "byte \(problem.byteOffset)")
      }
    }
    return found
  }

  @Test func `gives every event, and the numbers of bad lines`() throws {
    try (line("a") + "\nbad\n" + line("b") + "torn").append(to: folder.room())
    #expect(try items() == ["a", "line 3", "b", "line 5"])
  }

  @Test func `counts a last line without a newline when it is whole`() throws {
    try (line("a") + line("b").dropLast()).append(to: folder.room())
    #expect(try items() == ["a", "b"])
  }

  @Test func `gives the last messages`() throws {
    try (0..<3000).map { line("m\($0)") }.joined().append(to: folder.room())
    #expect(try items(last: 2) == ["m2998", "m2999"])
    #expect(try items(last: 5000).count == 3000)
    #expect(try items(last: 0).isEmpty)
  }

  @Test func `ends with what the body throws`() throws {
    struct Enough: Error {}
    try (line("a") + line("b")).append(to: folder.room())
    let reader = try RoomFileReader(path: folder.room())
    var count = 0
    #expect(throws: Enough.self) {
      try reader.forEachLine { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
  }

  @Test func `says what it cannot open`() {
    let missing = #expect(throws: TransportError.self) {
      _ = try RoomFileReader(path: folder.room())
    }
    #expect(missing?.code == .notFound)
    #expect(missing?.code.exitStatus == 66)
    #expect(
      missing?.description == "\(folder.room()): No such file or directory; check the name")
  }
}
