package import TransportSecurity

/// A stream that carries lines both ways, through TLS where that is wanted,
/// with what could not be sent yet.
///
/// Belongs to the owner of the stream's queue.
package final class LineConnection {
  /// Why nothing more comes or goes.
  package enum End: Error {
    case closed
    /// An errno(3).
    case failed(Int32)
    case lineTooLong(limitInBytes: Int)
    case security(TLSError)
  }

  private let stream: DescriptorStream
  package private(set) var security: TLSSession?
  private var splitter: LineSplitter
  /// What waits to be encrypted.
  private var plain: [UInt8] = []
  /// What waits to be sent, from `sentCount` on.
  private var output: [UInt8] = []
  private var sentCount = 0

  package init(_ stream: DescriptorStream, security: TLSSession? = nil, maximumLineBytes: Int) {
    self.stream = stream
    self.security = security
    self.maximumLineBytes = maximumLineBytes
    splitter = LineSplitter(limitInBytes: maximumLineBytes)
  }

  package var descriptor: Int32 { stream.descriptor }

  /// How long a line may be that comes; a change counts from the next
  /// ``receive(through:atMost:_:)`` on.
  package var maximumLineBytes: Int

  /// How much waits to be sent.
  package var pendingBytes: Int { plain.count + output.count - sentCount }

  /// Whether somebody has to decide about the other side's certificate, by
  /// `security`'s ``TLSSession/acceptPeer()``, before anything is said.
  package var awaitsAcceptance: Bool {
    security.map { $0.isEstablished && !$0.isAccepted } ?? false
  }

  // MARK: - Reading

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
    splitter.limitInBytes = maximumLineBytes
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
    // What was held back the last time may have more behind it.
    if let security, security.isAccepted, try !decrypt(security, buffer, body) { return true }
    while left > 0 {
      switch stream.read(into: buffer.bytes) {
      case .wouldBlock: return false
      case .ended: throw .closed
      case .failed(let number): throw .failed(number)
      case .count(let count):
        left -= count
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        if let security {
          try secure { () throws(TLSError) in try security.receive(bytes) }
          guard try decrypt(security, buffer, body) else { return true }
          if awaitsAcceptance { return false }
        } else {
          guard try body(bytes) else { return true }
        }
      }
    }
    return true
  }

  /// Hands on what the session has decrypted.
  /// - Returns: whether to go on.
  private func decrypt(
    _ security: TLSSession, _ buffer: ReadBuffer,
    _ body: (UnsafeRawBufferPointer) throws(End) -> Bool
  ) throws(End) -> Bool {
    var next = TLSSession.ReadResult.wouldBlock
    var goesOn = true
    repeat {
      try secure { () throws(TLSError) in next = try security.read(into: buffer.plain) }
      if case .bytes(let count) = next {
        goesOn = try body(UnsafeRawBufferPointer(rebasing: buffer.plain[..<count]))
      }
      if case .closed = next { throw .closed }
    } while next != .wouldBlock && goesOn
    // What the session has to say by itself, and what waited for it.
    try flush()
    return goesOn
  }

  /// Does a step of the session's; where it fails, the alert tells the other
  /// side.
  private func secure(_ step: () throws(TLSError) -> Void) throws(End) {
    do throws(TLSError) { try step() } catch {
      output += security?.takeCiphertext() ?? []
      try? flushOutput()
      throw error.code == .cutOff ? .closed : .security(error)
    }
  }

  // MARK: - Writing

  /// Adds to what is to be sent; ``flush()`` sends it.
  package func append(_ body: (inout [UInt8]) -> Void) {
    if security == nil { body(&output) } else { body(&plain) }
  }

  /// Sends bytes at once, as far as nothing waits before them.
  package func send(_ bytes: [UInt8]) throws(End) {
    guard security == nil, pendingBytes == 0 else {
      append { $0 += bytes }
      return security == nil ? () : try flush()
    }
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
    try encrypt()
    try flushOutput()
  }

  /// Hands over what the session wants to say, and what may be said through it.
  private func encrypt() throws(End) {
    guard let security else { return }
    if !plain.isEmpty, security.isAccepted {
      try secure { () throws(TLSError) in
        if try security.write(plain) { plain = [] }
      }
    }
    output += security.takeCiphertext()
  }

  private func flushOutput() throws(End) {
    guard output.count > sentCount else { return }
    let sent = output.withUnsafeBytes { bytes in
      Result { () throws(End) in
        try write(UnsafeRawBufferPointer(rebasing: bytes[sentCount...]))
      }
    }
    sentCount += try sent.get()
    if output.count > sentCount {
      stream.waitToWrite()
      guard sentCount > output.count / 2 else { return }
      output.removeFirst(sentCount)
    } else {
      // What is idle takes no memory.
      output = []
      stream.stopWaitingToWrite()
    }
    sentCount = 0
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

  // MARK: - Manners

  /// Whether to go on reading; the other side has to wait otherwise.
  package func setReading(_ isWanted: Bool) {
    stream.setReading(isWanted)
  }

  /// Says that nothing more comes, once what waited has gone.
  package func endWriting() {
    security?.close()
    try? flush()
    stream.endWriting()
  }

  /// Goes on in plain text with one who does not know TLS, in order to say so.
  package func giveUpSecurity() {
    security = nil
    (plain, output, sentCount) = ([], [], 0)
  }
}

/// Room to read into, for one connection after the other.
package final class ReadBuffer {
  package let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)
  /// One record of TLS (RFC 8446, section 5.1).
  let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 16)

  package init() {}

  deinit {
    bytes.deallocate()
    plain.deallocate()
  }
}
