internal import ChatModel
internal import Transport

/// Coming to the server, and losing it.
extension IRCSession {
  /// Asks for the passwords that are needed, then calls.
  func begin() {
    if settings.hasServerPassword {
      guard willBeSecure || isOnThisMachine || settings.tellsPasswordOpenly else {
        return giveUp(wording.passUnsafe(settings.address.host))
      }
      guard serverPassword != nil else {
        return ask(.serverPassword, wording.passwordOf(server: settings.address.host))
      }
    }
    if let account = settings.account, settings.mechanism != "EXTERNAL", accountPassword == nil {
      return ask(
        .accountPassword, wording.passwordOf(account: account, host: settings.address.host))
    }
    call()
  }

  /// - Parameter user: whose it is, or what it opens, if not one's own account.
  func ask(_ need: Need, _ text: String, of user: String? = nil) {
    let ref = "need-\(takeNumber())"
    needs[ref] = need
    tellHost(.need(ref: ref, name: text, isSecret: true, user: user))
  }

  func take(given value: String, ref: String) {
    guard let need = needs.removeValue(forKey: ref) else { return }
    switch need {
    case .serverPassword: serverPassword = value
    case .accountPassword: accountPassword = value
    case .key(let room): return enter(room, withKey: value)
    }
    begin()
  }

  private func call() {
    let address = settings.address
    stage = .connecting
    stageBeganAt = now.uptime
    if let policy = validPolicy {
      isSecure = true
      orders.append(
        .connect(
          host: address.host, port: address.isSecure ? address.port : policy.port, isSecure: true))
    } else {
      isSecure = address.isSecure
      orders.append(.connect(host: address.host, port: address.port, isSecure: isSecure))
    }
    tellHost(.state(.connecting))
  }

  /// That the server has asked to be called with TLS only (IRCv3 sts).
  private var validPolicy: TransportPolicy? {
    policies[settings.address.host].flatMap { $0.until > now.time ? $0 : nil }
  }

  /// Whether the next call is with TLS.
  private var willBeSecure: Bool { settings.address.isSecure || validPolicy != nil }

  /// Nobody can listen on the way: it is TLS, or leads to this machine.
  var isPrivate: Bool { isSecure || isOnThisMachine }

  private var isOnThisMachine: Bool {
    ["127.0.0.1", "::1", "localhost"].contains(settings.address.host)
  }

  // MARK: - Events of the owner

  /// The server can be spoken to.
  /// - Parameter binding: what a login can be bound to (tls-exporter).
  package func connected(binding: [UInt8]? = nil) {
    self.binding = binding
    heardAt = now.uptime
    stage = .negotiating
    stageBeganAt = now.uptime
    hasAskedForSign = false
    clockLead = .zero
    lastError = nil
    features = ServerFeatures()
    foldAgain()
    capabilities = CapabilityNegotiation()
    (login, mechanismList) = (nil, nil)
    messageOfTheDay = []
    batches = BatchTracker()
    people = [:]
    account = nil
    nickAttempts = 0
    nick = settings.nick
    source = Source(nick: nick)
    queue.clear()
    say(OutgoingLine("CAP", "LS", "302"), urgently: true)
    if let serverPassword { say(OutgoingLine("PASS", serverPassword), urgently: true) }
    say(OutgoingLine("NICK", nick), urgently: true)
    say(OutgoingLine("USER", settings.user, "0", "*", trailing: settings.realName), urgently: true)
  }

  /// The server cannot be reached, or is gone.
  /// - Parameters:
  ///   - reason: a clause; nil where it just hung up.
  ///   - isLasting: whether another attempt would end the same.
  package func disconnected(because reason: String? = nil, isLasting: Bool = false) {
    switch stage {
    case .ended, .waiting, .greeting: return
    case .connecting, .negotiating, .settling, .online: break
    }
    let reason =
      lastError.map(wording.saidGoodbye) ?? reason ?? wording.hungUp
    hasToldMissing = false
    prolongPolicy()
    let wasOnline = if case .online = stage { true } else { false }
    loseTransactions()
    for room in rooms.values { loseSight(of: room) }
    batches = BatchTracker()
    queue.clear()
    // Not asked again and again for a password that was wrong.
    guard !isLasting else { return giveUp(reason) }
    if wasOnline, now.uptime - stageBeganAt > .seconds(60) { backoff.reset() }
    let delay = backoff.next()
    stage = .waiting(until: now.uptime + delay)
    tellHost(
      .state(.reconnecting(in: delay, reason: TransportError(.unreachable, reason: reason))))
  }

  /// Tries nothing more, and says why.
  func giveUp(_ reason: String, _ errorClass: ProtocolError.Class = .denied) {
    stage = .ended
    endReason = reason
    orders.append(.hangUp)
    loseTransactions()
    failLostSends()
    let failure = ProtocolError(errorClass, reason)
    for case let ref? in waitingSends.map(\.ref) { tellHost(.error(ref: ref, failure)) }
    waitingSends = []
    for room in hostRooms.values { refuseJoin(of: room, failure) }
    tellHost(.state(.fatal(reason: TransportError(.refused, reason: reason))))
  }

  private func loseSight(of room: Room) {
    if room.standing != .outside || room.isWanted { room.mayHaveMissed = room.isOpen }
    room.standing = .outside
    room.members = [:]
    room.rejoinAt = nil
    room.hasPlayback = false
    if room.crowd.deadline != nil { tellCrowd(of: room) }
  }

  // MARK: - Time

  /// Does what is due.
  package func tick() {
    for room in rooms.values {
      if let deadline = room.crowd.deadline, deadline <= now.uptime { tellCrowd(of: room) }
      if let time = room.rejoinAt, time <= now.uptime {
        room.rejoinAt = nil
        enter([room])
      }
    }
    for batch in batches.expire(at: now.uptime) { take(batch) }
    endWhatIsLate()
    offerAgain()
    if let deadline = lostDeadline, deadline <= now.uptime { failLostSends() }
    let waited = now.uptime - stageBeganAt
    switch stage {
    case .waiting(let until) where until <= now.uptime: begin()
    case .settling where isGreeted && waited >= Self.signPatience: beOnline()
    case .connecting, .negotiating, .settling:
      guard waited >= Self.patience else { return }
      orders.append(.hangUp)
      disconnected(because: login == nil ? wording.tooSlow : wording.loginTooSlow)
    case .online: watchSilence()
    default: break
    }
  }

  private func watchSilence() {
    let silence = now.uptime - heardAt
    if silence >= Self.silence {
      orders.append(.hangUp)
      disconnected(because: wording.silent)
    } else if silence >= Self.quiet, !hasAskedForSign {
      hasAskedForSign = true
      say(OutgoingLine("PING", "banter"), urgently: true)
    }
  }
}
