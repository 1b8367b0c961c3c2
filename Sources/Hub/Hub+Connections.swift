internal import ChatModel
internal import Glibc
internal import Sockets
internal import Transport
internal import TransportSecurity

/// Coming and going.
extension Hub {
  func acceptAll(at name: String) {
    guard let (listener, access) = listeners[name] else { return }
    do throws(SocketError) {
      while let descriptor = try listener.accept() {
        let peer = peerName(of: descriptor)
        let client = add(
          reading: descriptor, writing: descriptor, access: access,
          peer: peer.isEmpty ? listener.name : peer, isSecure: listener.address.isSecure)
        if clients.count > configuration.limits.connections {
          refuse(client, ProtocolError(.retry, "there are too many connections; try again later"))
        }
      }
    } catch {
      log(HubLogEntry(kind: .problem, peer: "", text: "\(error)"))
      // Without a descriptor left, asking at once again finds the same.
      listener.setListening(false)
    }
  }

  func receive(from number: Int) {
    guard let client = clients[number] else { return }
    client.heardTick = tick
    do throws(LineConnection.End) {
      try client.connection.receive(through: buffer) { line in
        if !client.isClosing { take(line, from: client) }
        return true
      }
    } catch {
      end(client, error)
    }
    // One who does not read gets nothing more to answer.
    if client.connection.pendingBytes > configuration.limits.outputBytes {
      client.connection.setReading(false)
    }
  }

  private func end(_ client: HubClient, _ end: LineConnection.End) {
    switch end {
    case .closed: drop(client, because: "hung up")
    case .failed(let error): drop(client, because: String(cString: strerror(error)))
    case .security(let error):
      // One who speaks plain text is told in plain text.
      guard error.code == .notTLS else { return drop(client, because: error.reason) }
      client.connection.giveUpSecurity()
      refuse(
        client, ProtocolError(.fatal, "TLS is spoken here; write tls:// before the address"))
    case .lineTooLong(let limit):
      refuse(
        client,
        ProtocolError(.tooLarge, "a line is \(limit) bytes long at most"))
    }
  }

  func goOnWriting(to number: Int) {
    guard let client = clients[number] else { return }
    client.isStuck = false
    flush(client)
  }

  /// Sends what waits for somebody, and what he has missed.
  func flush(_ client: HubClient) {
    do throws(LineConnection.End) {
      try client.connection.flush()
      for subscription in client.subscriptions.values where !subscription.isLive {
        catchUp(subscription)
      }
      try client.connection.flush()
    } catch {
      return drop(client, because: "takes nothing any more")
    }
    if client.connection.pendingBytes <= configuration.limits.outputBytes {
      client.connection.setReading(true)
    }
    if client.isClosing, client.connection.pendingBytes == 0 { client.connection.endWriting() }
  }

  /// Says one last thing, and hears nothing more.
  func finish(_ client: HubClient, saying answer: Answer) {
    client.tell(answer)
    leaveAll(client)
    client.stage = .closing
    client.heardTick = tick
    wake(client)
  }

  func refuse(_ client: HubClient, _ error: ProtocolError, ref: String? = nil) {
    log(
      HubLogEntry(
        kind: .refused, peer: client.peer, profileID: client.profile?.id, text: error.message))
    finish(client, saying: .error(ref: ref, error))
  }

  func drop(_ client: HubClient, because reason: String) {
    guard clients.removeValue(forKey: client.number) != nil else { return }
    if let profileID = client.profileID {
      log(HubLogEntry(kind: .left, peer: client.peer, profileID: profileID, text: reason))
    }
    leaveAll(client)
    for (listener, _) in listeners.values { listener.setListening(true) }
    endIfEmpty()
  }

  // MARK: - Time

  /// In ticks: how long nothing is heard before asking, and before giving up;
  /// and how long one may take to hang up after the last word.
  private static let quietTicks = 20
  private static let silentTicks = 60
  private static let closingTicks = 5
  /// After which time failed logins are forgotten.
  private static let loginTicks = 60

  func passTick() {
    tick += 1
    if tick % Self.loginTicks == 0 { failedLogins = [:] }
    for client in clients.values { pass(client) }
  }

  private func pass(_ client: HubClient) {
    client.allowance = configuration.limits.eventsPerSecond
    let silence = tick - client.heardTick
    switch client.stage {
    case .greeting, .login:
      guard tick - client.startTick >= Int(configuration.limits.greeting.components.seconds)
      else { return }
      refuse(client, ProtocolError(.retry, "nobody said hello in time"))
    case .closing:
      if silence >= Self.closingTicks { drop(client, because: "was let go") }
    case .welcome:
      if silence >= Self.silentTicks { return drop(client, because: "has gone silent") }
      guard silence == Self.quietTicks else { return }
      client.tell(.ping(ref: nil))
      wake(client)
    }
  }
}
