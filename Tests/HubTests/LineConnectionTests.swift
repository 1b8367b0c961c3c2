import Dispatch
import Glibc
import Sockets
import Testing

@Suite(.timeLimit(.minutes(1))) struct LineConnectionTests {
  /// What had been read when somebody said that it was enough was lost.
  @Test func `loses no line that was read when one says to stop`() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let queue = DispatchQueue(label: "test")
    let stream = DescriptorStream(
      reading: ends[0], writing: ends[0], queue: queue, onReadable: {}, onWritable: {})
    let connection = LineConnection(stream, maximumLineBytes: 100)
    let text = (1...100).map { "\($0)\n" }.joined() + "unfinished"
    #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
    let buffer = ReadBuffer()
    var lines: [String] = []
    try connection.receive(through: buffer) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      return false
    }
    #expect(lines == (1...100).map(String.init))
    #expect(write(ends[1], " no more\n", 9) == 9)
    try connection.receive(through: buffer) { line in
      lines.append(String(decoding: line, as: UTF8.self))
      return true
    }
    #expect(lines.last == "unfinished no more")
    close(ends[1])
  }
}
