internal import Dispatch
internal import Glibc
internal import Sockets
internal import Transport

/// The host at a plugin's standard input and output.
///
/// Belongs to the owner of `queue`.
final class HostLine {
  private let relay: PipeRelay?
  private let buffer = ReadBuffer()
  private var connection: LineConnection?
  private var onWritten: [CheckedContinuation<Void, Never>] = []
  private let take: (Result<Request, RequestFault>) -> Void
  private let author: () -> String
  private let onEnd: () -> Void
  private let queue: DispatchQueue
  private var isEnding = false

  /// How much may wait for the host before whoever reads ahead has to wait.
  private static let limit = 512 * 1024

  /// Takes over both descriptors.
  /// - Parameters:
  ///   - author: whose the host's events are.
  ///   - take: called with each line of the host's.
  ///   - onEnd: called once, when the host has gone or ``end()`` is through.
  init(
    reading: Int32, writing: Int32, queue: DispatchQueue, author: @escaping () -> String,
    take: @escaping (Result<Request, RequestFault>) -> Void, onEnd: @escaping () -> Void
  ) {
    (self.author, self.take, self.onEnd, self.queue) = (author, take, onEnd, queue)
    relay = PipeRelay(reading: reading, writing: writing)
    let (input, output) = relay.map { ($0.socket, $0.socket) } ?? (reading, writing)
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    let own = Unowned(line: self)
    connection = LineConnection(
      DescriptorStream(
        reading: input, writing: output, queue: queue,
        onReadable: { own.line?.receive() }, onWritable: { own.line?.flush() }),
      maximumLineBytes: LineProtocol.maximumLineBytes)
  }

  /// For what is called on the queue only.
  private final class Unowned: @unchecked Sendable {
    weak var line: HostLine?

    init(line: HostLine) { self.line = line }
  }

  private func receive() {
    guard let connection, !isEnding else { return }
    do throws(LineConnection.End) {
      let hasMore = try connection.receive(through: buffer, atMost: 1 << 20) { line in
        take(Result { () throws(RequestFault) in try request(line) })
        return !isEnding
      }
      if hasMore {
        let own = Unowned(line: self)
        queue.async { own.line?.receive() }
      }
    } catch {
      close()
    }
    flush()
  }

  /// What the host has left out is the author's.
  private func request(_ line: UnsafeRawBufferPointer) throws(RequestFault) -> Request {
    if let request = try? Request.decode(line) { return request }
    return try Request.decode(line, by: author())
  }

  func say(_ answer: Answer) {
    connection?.append { answer.encode(into: &$0) }
    scheduleFlush()
  }

  private var isFlushComing = false

  private func scheduleFlush() {
    guard !isFlushComing else { return }
    isFlushComing = true
    let own = Unowned(line: self)
    queue.async { own.line?.flush() }
  }

  private func flush() {
    isFlushComing = false
    guard let connection else { return }
    do throws(LineConnection.End) { try connection.flush() } catch { return close() }
    if !isFull {
      for waiter in onWritten { waiter.resume() }
      onWritten = []
    }
    if isEnding, connection.pendingBytes == 0 { close() }
  }

  private var isFull: Bool { (connection?.pendingBytes ?? 0) > Self.limit }

  /// Returns when the host has taken most of what it was told; at once when it
  /// has gone.
  func waitForRoom(isolation: isolated (any Actor)? = #isolation) async {
    guard isFull else { return }
    await withCheckedContinuation { onWritten.append($0) }
  }

  /// Says what waits, and then no more.
  func end() {
    isEnding = true
    scheduleFlush()
  }

  private func close() {
    guard let connection else { return }
    connection.endWriting()
    self.connection = nil
    for waiter in onWritten { waiter.resume() }
    onWritten = []
    onEnd()
  }

  func waitUntilWritten() async { await relay?.waitUntilWritten(within: .seconds(2)) }
}
