internal import ChatModel
internal import Dispatch
internal import Executors
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

  // MARK: - Hearing

  func receive(from number: Int) {
    guard let client = clients[number], !client.hasHungUp else { return }
    do throws(LineConnection.End) {
      if client.isGoing {
        client.hasMoreToRead = try client.connection.discard(
          through: buffer, atMost: Self.turnBytes)
      } else {
        client.heardTick = tick
        client.hasMoreToRead = try client.connection.receive(
          through: buffer, atMost: Self.turnBytes
        ) { line in
          client.hasAskedMuch = false
          take(line, from: client)
          return !client.isGoing && !client.hasAskedMuch && takesOutput(client)
            && takesFiles(client)
        }
      }
    } catch {
      end(client, error)
    }
    goOnHearing(client)
  }

  /// How much is read of one before the others have their turn.
  private static let turnBytes = 512 * 1024

  /// One who does not read gets nothing more to answer.
  private func takesOutput(_ client: HubClient) -> Bool {
    client.connection.pendingBytes <= configuration.limits.outputBytes
  }

  /// Listens to somebody as long as he takes the answers, and there are not
  /// too many of them to come.
  func goOnHearing(_ client: HubClient) {
    let isHeard =
      client.isGoing
      || takesOutput(client) && takesFiles(client)
        && client.unansweredBytes <= configuration.limits.unansweredBytes
    client.connection.setReading(isHeard && !client.hasHungUp)
    guard isHeard, client.hasMoreToRead, !client.hasHungUp else { return }
    client.hasMoreToRead = false
    let number = client.number
    // Others have their turn first.
    executor.queue.async { [weak self] in self?.assumeIsolated { $0.receive(from: number) } }
  }

  private func end(_ client: HubClient, _ end: LineConnection.End) {
    switch end {
    case .closed:
      client.hasHungUp = true
      dismiss(client)
      wake(client)
    case .failed(let error): drop(client, because: String(cString: strerror(error)))
    case .security(let error):
      // One who speaks plain text is told in plain text.
      guard error.code == .notTLS else { return drop(client, because: error.reason) }
      client.connection.giveUpSecurity()
      refuse(
        client, ProtocolError(.fatal, "TLS is spoken here; write tls:// before the address"))
    case .lineTooLong(let limit):
      client.hasMoreToRead = true
      refuse(
        client,
        ProtocolError(.tooLarge, "a line is \(limit) bytes long at most"))
    }
  }

  // MARK: - Telling

  /// Sends what waits for somebody, and what he has missed.
  func flush(_ client: HubClient) {
    // One who has gone in the meantime.
    guard clients[client.number] === client else { return }
    if case .leaving = client.stage, client.unansweredBytes == 0 { sayGoodbye(to: client) }
    var isHeldUp = false
    do throws(LineConnection.End) {
      if client.isBroken { throw .closed }
      try client.connection.flush()
      for subscription in client.subscriptions.values where !subscription.isLive {
        isHeldUp = catchUp(subscription) || isHeldUp
      }
      try client.connection.flush()
    } catch {
      return drop(client, because: "takes nothing any more")
    }
    fillOutput(of: client)
    goOnHearing(client)
    guard client.connection.pendingBytes == 0 else { return }
    if case .closing = client.stage {
      if client.hasHungUp { return drop(client, because: "hung up") }
      client.connection.endWriting()
    } else if isHeldUp {
      // Nobody will say that he takes more: he has taken everything.
      wake(client)
    }
  }

  // MARK: - Going

  /// Listens to somebody no longer, and lets go of him when everything that he
  /// has sent is answered.
  func dismiss(_ client: HubClient) {
    guard !client.isGoing else { return }
    leaveAll(client)
    client.stage = .leaving
    client.heardTick = tick
    wake(client)
  }

  private func sayGoodbye(to client: HubClient) {
    if client.hasHungUp { client.stage = .closing } else { finish(client, saying: .bye) }
  }

  /// Says one last thing, and hears nothing more.
  private func finish(_ client: HubClient, saying answer: Answer) {
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
    let isLeaving = if case .closing = client.stage { true } else { false }
    if let profile = client.profile {
      let text = isLeaving ? "said good-bye" : reason
      log(HubLogEntry(kind: .left, peer: client.peer, profileID: profile.id, text: text))
    }
    leaveAll(client)
    forgetRepeats(of: client)
    client.stage = .closing
    for (listener, _) in listeners.values { listener.setListening(true) }
    endIfEmpty()
  }

  // MARK: - Time

  /// After which time failed logins are forgotten.
  private static let loginMemory = Duration.seconds(60)

  func passTick() {
    tick += 1
    if tick.isMultiple(of: ticks(of: Self.loginMemory)) { failedLogins = [:] }
    // Descriptors may be left again, whoever had them.
    for (listener, _) in listeners.values { listener.setListening(true) }
    for client in clients.values { pass(client) }
    removeOldUploads()
  }

  func ticks(of time: Duration) -> Int {
    max(1, Int((time / configuration.limits.tick).rounded(.up)))
  }

  private func pass(_ client: HubClient) {
    passTransfers(of: client)
    let limits = configuration.limits
    if tick.isMultiple(of: ticks(of: .seconds(1))) { client.allowance = limits.eventsPerSecond }
    let silence = tick - client.heardTick
    switch client.stage {
    case .greeting:
      guard tick - client.startTick >= ticks(of: limits.greeting) else { return }
      refuse(client, ProtocolError(.retry, "nobody said hello in time"))
    case .login:
      guard tick - client.startTick >= ticks(of: limits.login) else { return }
      refuse(client, ProtocolError(.retry, "nobody logged in in time"))
    case .leaving:
      if silence >= ticks(of: limits.farewell) { sayGoodbye(to: client) }
    case .closing:
      if silence >= ticks(of: limits.farewell) { drop(client, because: "was let go") }
    case .welcome:
      if silence >= ticks(of: limits.silence) { return drop(client, because: "has gone silent") }
      guard silence == ticks(of: limits.quiet) else { return }
      client.tell(.ping(ref: nil))
      wake(client)
    }
  }
}
