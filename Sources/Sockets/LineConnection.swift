/// A stream that carries lines both ways, with what could not be sent yet.
///
/// Belongs to the owner of the stream's queue.
package final class LineConnection {
  /// Why nothing more comes or goes.
  package enum End: Error {
    case closed
    /// An errno(3).
    case failed(Int32)
    case lineTooLong(limitInBytes: Int)
  }

  private let stream: DescriptorStream
  private var splitter: LineSplitter
  /// What waits to be sent, from `sentCount` on.
  private var output: [UInt8] = []
  private var sentCount = 0

  package init(_ stream: DescriptorStream, maximumLineBytes: Int) {
    self.stream = stream
    splitter = LineSplitter(limitInBytes: maximumLineBytes)
  }

  package var descriptor: Int32 { stream.descriptor }

  /// Whether the beginning of a line has come, and not yet its end.
  package var isWithinLine: Bool { splitter.isWithinLine }

  /// How much waits to be sent.
  package var pendingBytes: Int { output.count - sentCount }

  /// Reads what there is, and calls `body` with each line as long as it says
  /// to go on; the next call goes on after the last of them.
  /// - Parameters:
  ///   - buffer: what it holds does not matter.
  ///   - limit: about how many bytes are read before others have their turn.
  /// - Returns: whether there may be more, of which nobody will tell again.
  /// - Throws: the end, after the lines before it.
  @discardableResult
  package func receive(
    through buffer: ReadBuffer, atMost limit: Int = .max,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(End) -> Bool {
    if splitter.isHolding, try !feed(UnsafeRawBufferPointer(start: nil, count: 0), body) {
      return true
    }
    return try read(through: buffer, atMost: limit) { bytes throws(End) in
      try feed(bytes, body)
    }
  }

  private func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(End) -> Bool {
    var goesOn = true
    do throws(LineSplitter.TooLong) {
      try splitter.feed(bytes) { line in
        goesOn = body(line)
        return goesOn
      }
    } catch {
      throw .lineTooLong(limitInBytes: error.limitInBytes)
    }
    return goesOn
  }

  /// Reads what there is, whatever it is.
  /// - Returns: whether there may be more, of which nobody will tell again.
  package func discard(
    through buffer: ReadBuffer, atMost limit: Int
  ) throws(End) -> Bool {
    try read(through: buffer, atMost: limit) { _ in true }
  }

  private func read(
    through buffer: ReadBuffer, atMost limit: Int,
    _ body: (UnsafeRawBufferPointer) throws(End) -> Bool
  ) throws(End) -> Bool {
    var left = limit
    while left > 0 {
      switch stream.read(into: buffer.bytes) {
      case .wouldBlock: return false
      case .ended: throw .closed
      case .failed(let number): throw .failed(number)
      case .count(let count):
        left -= count
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        guard try body(bytes) else { return true }
      }
    }
    return true
  }

  /// Adds to what is to be sent; ``flush()`` sends it.
  package func append(_ body: (inout [UInt8]) -> Void) {
    body(&output)
  }

  /// Sends bytes at once, as far as nothing waits before them.
  package func send(_ bytes: [UInt8]) throws(End) {
    guard pendingBytes == 0 else { return output.append(contentsOf: bytes) }
    let sent = bytes.withUnsafeBytes { bytes in
      Result { () throws(End) in try write(bytes) }
    }
    let count = try sent.get()
    guard count < bytes.count else { return }
    output.append(contentsOf: bytes[count...])
    stream.waitToWrite()
  }

  /// Sends what waits, as far as it goes; the stream says when it goes on.
  package func flush() throws(End) {
    guard pendingBytes > 0 else { return }
    let sent = output.withUnsafeBytes { bytes in
      Result { () throws(End) in
        try write(UnsafeRawBufferPointer(rebasing: bytes[sentCount...]))
      }
    }
    sentCount += try sent.get()
    if pendingBytes > 0 {
      stream.waitToWrite()
      guard sentCount > output.count / 2 else { return }
      output.removeFirst(sentCount)
      sentCount = 0
    } else {
      // What is idle takes no memory.
      output = []
      sentCount = 0
      stream.stopWaitingToWrite()
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(End) -> Int {
    var count = 0
    while count < bytes.count {
      switch stream.write(UnsafeRawBufferPointer(rebasing: bytes[count...])) {
      case .count(let written): count += written
      case .wouldBlock: return count
      case .ended: throw .closed
      case .failed(let number): throw .failed(number)
      }
    }
    return count
  }

  /// Whether to go on reading; the other side has to wait otherwise.
  package func setReading(_ isWanted: Bool) {
    stream.setReading(isWanted)
  }

  package func endWriting() {
    stream.endWriting()
  }
}

/// Room to read into, for one connection after the other.
package final class ReadBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)

  package init() {}

  deinit { bytes.deallocate() }
}
