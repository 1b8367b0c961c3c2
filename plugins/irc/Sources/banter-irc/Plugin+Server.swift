internal import Dispatch
internal import Executors
internal import Glibc
internal import IRC
internal import Sockets
internal import TransportSecurity

/// The way to the server.
extension Plugin {
  func call(_ name: String, _ port: Int, _ isSecure: Bool) {
    hangUp()
    let number = serverNumber
    calling = Task {
      do throws(SocketError) {
        let address = SocketAddress(.host(name, port: String(port)), isSecure: isSecure)
        let socket = try await Connector.connect(to: address)
        guard !Task.isCancelled, number == serverNumber else {
          close(socket)
          return
        }
        open(socket, name, isSecure)
      } catch {
        if number == serverNumber {
          let called = IRCAddress.text(host: name, port: port, isSecure: isSecure)
          lose(because: "\(called): \(error.reason)", isLasting: false)
        }
      }
      comeTurn()
    }
  }

  private func open(_ socket: Int32, _ name: String, _ isSecure: Bool) {
    let number = serverNumber
    let stream = DescriptorStream(
      reading: socket, writing: socket, queue: executor.queue,
      onReadable: { [weak self] in self?.assumeIsolated { $0.receiveFromServer(number) } },
      onWritable: { [weak self] in self?.assumeIsolated { $0.comeTurn() } })
    do throws(TLSError) {
      let security = isSecure ? try secure(name) : nil
      server = LineConnection(
        stream, security: security, maximumLineBytes: Self.serverLineLimit)
      if security == nil { beConnected() }
    } catch {
      lose(because: error.description, isLasting: true)
    }
  }

  private func secure(_ name: String) throws(TLSError) -> TLSSession {
    let settings = session?.settings
    let identity = settings?.certificate.map { path in
      (certificate: path, key: settings?.key ?? path)
    }
    let context = try TLSContext.client(
      trust: settings?.issuers.map { .certificates(path: $0) } ?? .system, identity: identity)
    return try TLSSession(client: context, host: name)
  }

  private func beConnected() {
    isConnected = true
    session?.now = now
    session?.connected(binding: server?.security?.exporterBinding())
  }

  private func receiveFromServer(_ number: Int) {
    guard number == serverNumber, let server, let session else { return }
    // What was decided takes effect first.
    guard session.orders.isEmpty else { return comeTurn() }
    session.now = now
    do throws(LineConnection.End) {
      let hasMore = try server.receive(through: buffer, atMost: 256 * 1024) { line in
        session.take(serverLine: line)
        // What was decided takes effect before anything else is heard.
        return session.orders.isEmpty
      }
      checkPeer()
      if hasMore, isRead {
        executor.queue.async { [weak self] in self?.assumeIsolated { $0.receiveFromServer(number) }
        }
      }
    } catch {
      checkPeer()
      if number == serverNumber { lose(error) }
    }
    comeTurn()
  }

  /// Begins to speak when TLS is there and the certificate is the server's.
  private func checkPeer() {
    guard let security = server?.security, security.isEstablished, !isConnected else { return }
    if let pin = session?.settings.pin {
      let fingerprint = security.peerFingerprint?.filter(\.isHexDigit).lowercased()
      guard fingerprint == pin else { return lose(because: wording.wrongPin, isLasting: true) }
      if !security.isAccepted { security.acceptPeer() }
    } else if case .untrusted(let problem)? = security.peerVerification {
      let text = wording.untrusted("\(problem)", security.peerFingerprint ?? "")
      return lose(because: text, isLasting: true)
    }
    beConnected()
  }

  // MARK: - The end

  func lose(_ end: LineConnection.End) {
    switch end {
    case .closed:
      let isSecured = server?.security?.isEstablished ?? true
      lose(because: isSecured ? nil : wording.hungUpBeforeTLS, isLasting: false)
    case .failed(let number): lose(because: String(cString: strerror(number)), isLasting: false)
    case .lineTooLong(let limit):
      lose(because: wording.lineTooLong(limit), isLasting: false)
    case .security(let error): lose(because: error.reason, isLasting: error.code == .notTLS)
    }
  }

  func lose(because reason: String?, isLasting: Bool) {
    hangUp()
    session?.now = now
    session?.disconnected(because: reason, isLasting: isLasting)
    comeTurn()
  }

  /// Lets go of the server; what was to be said goes first.
  func hangUp() {
    if let server, isConnected, let session {
      let last = session.takeServerBytes()
      server.append { $0 += last }
      server.endWriting()
    }
    serverNumber += 1
    calling?.cancel()
    calling = nil
    server = nil
    isConnected = false
  }
}
