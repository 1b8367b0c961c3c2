package import Dispatch
internal import Glibc
internal import Sockets
package import Transport

/// The host at a plugin's standard input and output.
///
/// Belongs to the owner of `queue`.
package final class HostLine {
  private let relay: PipeRelay?
  private let buffer = ReadBuffer()
  private var connection: LineConnection?
  private var onWritten: [CheckedContinuation<Void, Never>] = []
  private let take: (Result<Request, RequestFault>) -> Void
  private let author: () -> String
  private let onRoom: () -> Void
  private let onEnd: () -> Void
  private let queue: DispatchQueue
  private var isEnding = false
  private var wasFull = false

  private let limit: Int

  /// Takes over both descriptors.
  /// - Parameters:
  ///   - author: whose the host's events are.
  ///   - take: called with each line of the host's.
  ///   - limit: how many bytes may wait for the host before whoever reads ahead
  ///     has to wait.
  ///   - onRoom: called when ``isFull`` has become false.
  ///   - onEnd: called once, when the host has gone or ``end()`` is through.
  package init(
    reading: Int32, writing: Int32, queue: DispatchQueue, author: @escaping () -> String,
    limit: Int = 4 << 20, take: @escaping (Result<Request, RequestFault>) -> Void,
    onRoom: @escaping () -> Void = {}, onEnd: @escaping () -> Void
  ) {
    (self.author, self.take, self.queue, self.limit) = (author, take, queue, limit)
    (self.onRoom, self.onEnd) = (onRoom, onEnd)
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

  package func say(_ answer: Answer) {
    say { answer.encode(into: &$0) }
  }

  /// - Parameter append: appends answers that are encoded already.
  package func say(_ append: (inout [UInt8]) -> Void) {
    connection?.append(append)
    wasFull = isFull
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
      if wasFull { onRoom() }
      wasFull = false
    }
    if isEnding, connection.pendingBytes == 0 { close() }
  }

  /// Whether so much waits for the host that whoever reads ahead should wait.
  package var isFull: Bool { (connection?.pendingBytes ?? 0) > limit }

  /// Returns when the host has taken most of what it was told; at once when it
  /// has gone.
  package func waitForRoom(isolation: isolated (any Actor)? = #isolation) async {
    guard isFull else { return }
    await withCheckedContinuation { onWritten.append($0) }
  }

  /// Says what waits, and then no more.
  package func end() {
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

  /// Returns when what was said is written, or nobody takes it for 2 s.
  package func waitUntilWritten() async { await relay?.waitUntilWritten(within: .seconds(2)) }
}
