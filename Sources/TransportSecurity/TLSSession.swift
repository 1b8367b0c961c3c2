internal import COpenSSL

/// TLS of one connection (RFC 5246, RFC 8446), which it never touches: what
/// comes from the socket is given to ``receive(_:)``, what is to go there is
/// taken from ``takeCiphertext()``, after each of the other calls (SSL_new(3),
/// BIO_s_mem(3)).
///
/// Belongs to one connection and one queue. After an error every call throws
/// that error again, but ``takeCiphertext()``, which may hold the alert that
/// tells the other side.
package final class TLSSession {
  /// What a read has given.
  package enum ReadResult: Hashable, Sendable {
    /// So many bytes of plaintext.
    case bytes(Int)
    /// There is nothing until more ciphertext comes, or until the handshake is
    /// finished and the certificate accepted.
    case wouldBlock
    /// The other side has said that nothing more comes (close_notify).
    case closed
  }

  private enum Outcome {
    case done
    case wouldBlock
    case closed
  }

  let handle: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// Whose certificate it should be; nil on the server.
  let host: String?
  private var hasReceived = false
  private var failure: TLSError?

  /// Whether the handshake is finished.
  package private(set) var isEstablished = false
  /// Whether data may go to and come from the other side: a client whose
  /// server is not trusted waits for ``acceptPeer()``.
  package private(set) var isAccepted = false
  /// Whether the other side is who it should be; nil before the handshake is
  /// finished, and on the server, which asks for no certificate.
  package private(set) var peerVerification: PeerVerification?

  /// The client's side of a connection; the first ciphertext is there at once.
  /// - Parameter host: the name or the IP address that was connected to; its
  ///   name is sent (SNI, RFC 6066, section 3), and the certificate must have
  ///   it.
  /// - Throws: ``TLSError`` for a name that cannot be a host's.
  package convenience init(client context: TLSContext, host: String) throws(TLSError) {
    precondition(!context.isServer, "a server's context for a client")
    let host = try ServerName(host)
    self.init(context, host: host.text)
    host.apply(to: handle)
    SSL_set_connect_state(handle)
    try advanceHandshake()
  }

  /// The server's side of a connection.
  package convenience init(server context: TLSContext) {
    precondition(context.isServer, "a client's context for a server")
    self.init(context, host: nil)
    SSL_set_accept_state(handle)
  }

  private init(_ context: TLSContext, host: String?) {
    OpenSSLErrors.clear()
    guard let handle = SSL_new(context.handle), let incoming = BIO_new(BIO_s_mem()),
      let outgoing = BIO_new(BIO_s_mem())
    else { preconditionFailure("there is no memory left for TLS") }
    copenssl_set_empty_result(incoming, -1)
    copenssl_set_empty_result(outgoing, -1)
    SSL_set_bio(handle, incoming, outgoing)
    (self.handle, self.incoming, self.outgoing, self.host) = (handle, incoming, outgoing, host)
  }

  deinit {
    SSL_free(handle)
  }

  // MARK: The side of the socket

  /// Takes what has come from the socket, and goes on with the handshake.
  ///
  /// All of it is kept until it is read: who must bound it gives no more while
  /// plaintext waits, or a certificate is being decided about.
  /// - Throws: ``TLSError`` where that is no TLS, or the handshake fails.
  package func receive(_ ciphertext: UnsafeRawBufferPointer) throws(TLSError) {
    if let failure { throw failure }
    guard let first = ciphertext.first else { return }
    if !hasReceived {
      hasReceived = true
      // A record of a handshake or an alert (RFC 8446, section 5.1): OpenSSL
      // would call a text a wrong version, a long packet, or nothing at all.
      guard first == 22 || first == 21 else { throw fail(.notTLS) }
    }
    var rest = ciphertext
    while !rest.isEmpty {
      let count = BIO_write(incoming, rest.baseAddress, Int32(clamping: rest.count))
      precondition(count > 0, "there is no memory left for TLS")
      rest = UnsafeRawBufferPointer(rebasing: rest[Int(count)...])
    }
    try advanceHandshake()
  }

  /// The same of an array.
  package func receive(_ ciphertext: [UInt8]) throws(TLSError) {
    try ciphertext.withUnsafeBufferPointer { bytes throws(TLSError) in
      try receive(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Tells that nothing more comes from the socket. What has come can still be
  /// read; behind it, ``read(into:)`` throws unless the other side has closed
  /// the session.
  /// - Throws: ``TLSError`` where the handshake is not finished.
  package func receiveEnd() throws(TLSError) {
    copenssl_set_empty_result(incoming, 0)
    try advanceHandshake()
  }

  /// Takes everything that is to go to the socket; empty when nothing is.
  package func takeCiphertext() -> [UInt8] {
    let count = BIO_ctrl_pending(outgoing)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, taken in
      var got = 0
      taken = BIO_read_ex(outgoing, buffer.baseAddress, count, &got) == 1 ? got : 0
    }
  }

  // MARK: The side of the program

  /// Reads plaintext, as much as one record holds at most (16 KiB): to be
  /// called until it would block. The buffer is not empty.
  /// - Throws: ``TLSError`` for what is no TLS, and for an end without
  ///   close_notify.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> ReadResult {
    if let failure { throw failure }
    guard isAccepted else { return .wouldBlock }
    var count = 0
    switch try call({ SSL_read_ex(handle, buffer.baseAddress, buffer.count, &count) }) {
    case .done: return .bytes(count)
    case .wouldBlock: return .wouldBlock
    case .closed: return .closed
    }
  }

  /// Takes all of the plaintext; its ciphertext is there at once.
  /// - Returns: false when nothing was taken because the handshake is not
  ///   finished, or one side has closed the session.
  /// - Throws: ``TLSError`` where a certificate has not been accepted.
  package func write(_ plaintext: UnsafeRawBufferPointer) throws(TLSError) -> Bool {
    if let failure { throw failure }
    guard isEstablished else { return false }
    guard isAccepted else { throw .notAccepted }
    guard !plaintext.isEmpty else { return true }
    guard SSL_get_shutdown(handle) & SSL_SENT_SHUTDOWN == 0 else { return false }
    var count = 0
    let outcome = try call { SSL_write_ex(handle, plaintext.baseAddress, plaintext.count, &count) }
    return outcome == .done
  }

  /// The same of an array.
  package func write(_ plaintext: [UInt8]) throws(TLSError) -> Bool {
    try plaintext.withUnsafeBufferPointer { bytes throws(TLSError) in
      try write(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Lets data through to a server that is not trusted, because somebody or a
  /// list has decided so.
  package func acceptPeer() {
    precondition(isEstablished, "nobody can be accepted before the handshake is finished")
    isAccepted = true
  }

  /// Says that nothing more comes (close_notify); what the other side still
  /// says can be read.
  package func close() {
    guard isEstablished, failure == nil else { return }
    OpenSSLErrors.clear()
    SSL_shutdown(handle)
    OpenSSLErrors.clear()
  }

  // MARK: OpenSSL

  private func advanceHandshake() throws(TLSError) {
    if let failure { throw failure }
    guard !isEstablished else { return }
    switch try call({ SSL_do_handshake(handle) }) {
    case .done:
      isEstablished = true
      peerVerification = verifyPeer()
      isAccepted = host == nil || peerVerification == .trusted
    case .wouldBlock: break
    case .closed: throw fail(.cutOff)
    }
  }

  /// Makes one call of OpenSSL's, and finds out what became of it
  /// (SSL_get_error(3)).
  private func call(_ body: () -> Int32) throws(TLSError) -> Outcome {
    OpenSSLErrors.clear()
    let result = body()
    switch SSL_get_error(handle, result) {
    case SSL_ERROR_NONE: return .done
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: throw fail(OpenSSLErrors.take().sessionError)
    }
  }

  private func fail(_ error: TLSError) -> TLSError {
    failure = error
    return error
  }
}
