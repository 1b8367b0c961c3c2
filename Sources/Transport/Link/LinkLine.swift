internal import Sockets
internal import TransportSecurity

/// What a room talks over: a connection of its own, or its share of one.
///
/// Belongs to the room's queue.
protocol LinkLine: AnyObject {
  /// What the references of this room's requests begin with.
  var prefix: String { get }
  /// How much waits to be sent.
  var pendingBytes: Int { get }
  /// Nil where no TLS is spoken.
  var security: TLSSession? { get }
  var awaitsAcceptance: Bool { get }

  /// Takes in what has come, see ``LineConnection``.
  func takeIn(
    through buffer: ReadBuffer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(LineConnection.End) -> Bool

  /// Adds a request to what is to be sent, unless its line is longer than
  /// `limit`.
  /// - Returns: whether it is not.
  func say(_ request: Request, limitInBytes limit: Int) -> Bool
  func flush() throws(LineConnection.End)

  /// Whether to go on reading.
  func setReading(_ isWanted: Bool)

  /// Whether the user is being asked something, so that nothing can be heard.
  func setAsking(_ isAsking: Bool)

  /// Tells that the room does not use it any more.
  /// - Parameter isLeaving: whether only this room is left, and nothing is
  ///   wrong with the far side.
  func end(isLeaving: Bool)
}

extension LineConnection: LinkLine {
  var prefix: String { "" }

  func takeIn(
    through buffer: ReadBuffer, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(LineConnection.End) -> Bool {
    try receive(through: buffer, atMost: .max, body)
  }

  func say(_ request: Request, limitInBytes limit: Int) -> Bool {
    var fits = true
    append { buffer in
      let start = buffer.count
      request.encode(into: &buffer)
      fits = buffer.count - start - 1 <= limit
      if !fits { buffer.removeSubrange(start...) }
    }
    return fits
  }

  func setAsking(_ isAsking: Bool) {}

  /// It is closed when it is let go of.
  func end(isLeaving: Bool) {}
}
