internal import ChatModel
internal import Transport

/// Finding out what the server can do, and being let in.
extension IRCSession {
  func takeCapabilities(_ incoming: Incoming) {
    let line = incoming.line
    let list = line.lastParameter
    switch line.parameter(1).uppercased() {
    case "LS":
      let isLast = line.parameters.count < 4 || line.parameter(2) != "*"
      capabilities.list(list, isLast: isLast)
      if isLast { takePolicy() }
      if isLast, !isEnding { askForCapabilities() }
    case "NEW":
      capabilities.offer(list)
      takePolicy()
      if !isEnding { askForCapabilities() }
    case "DEL": capabilities.withdraw(list)
    case "ACK":
      capabilities.acknowledge(list)
      goOnNegotiating()
    case "NAK":
      for name in capabilities.refuse(list) {
        say(OutgoingLine("CAP", "REQ", trailing: name), urgently: true)
      }
      goOnNegotiating()
    default: break
    }
  }

  /// Whether it was decided to hang up.
  var isEnding: Bool { orders.contains(.hangUp) }

  private var isNegotiating: Bool { if case .negotiating = stage { true } else { false } }

  private func askForCapabilities() {
    for list in capabilities.requests(login: settings.account != nil || hasCertificate) {
      say(OutgoingLine("CAP", "REQ", trailing: list), urgently: true)
    }
    goOnNegotiating()
  }

  var hasCertificate: Bool { settings.certificate != nil && isSecure }

  private func goOnNegotiating() {
    guard isNegotiating, capabilities.isAnswered, login == nil else { return }
    if let offered = capabilities.offered["sasl"], account == nil, beginLogin(offered) { return }
    endNegotiating()
  }

  func endNegotiating() {
    guard isNegotiating else { return }
    say(OutgoingLine("CAP", "END"), urgently: true)
  }

  // MARK: - TLS only (IRCv3 sts)

  private func takePolicy() {
    guard let value = capabilities.offered["sts"] else { return }
    let host = settings.address.host
    if isSecure {
      guard let seconds = TransportPolicy.duration(in: value) else { return }
      policySeconds = seconds
      rememberPolicy()
    } else if let port = TransportPolicy.port(in: value) {
      // What is said over plain text may be forged, and counts for this call only.
      log(wording.movesToTLS)
      queue.clear()
      isSecure = true
      stage = .connecting
      stageBeganAt = now.uptime
      policies[host] = TransportPolicy(port: port, until: now.time + .seconds(300))
      orders += [.hangUp, .connect(host: host, port: port, isSecure: true)]
    }
  }

  private func rememberPolicy() {
    let host = settings.address.host
    let until = now.time + .seconds(policySeconds)
    let port = policies[host]?.port ?? settings.address.port
    let policy = policySeconds == 0 ? nil : TransportPolicy(port: port, until: until)
    policies[host] = policy
    orders.append(.remember(host: host, policy: policy))
  }

  /// It counts from the end of the last connection on.
  func prolongPolicy() {
    if isSecure, policySeconds > 0 { rememberPolicy() }
  }

  // MARK: - Replies

  /// RPL_WELCOME: the server has let in.
  func takeWelcome(_ line: IncomingLine) {
    guard login == nil else { return refuseLogin(wording.passedOver) }
    nick = line.parameter(0)
    source = Source(nick: nick, user: source.user, host: source.host)
    (stage, isGreeted) = (.settling, false)
    stageBeganAt = now.uptime
    if nick != settings.nick, !nick.isEmpty, nickAttempts == 0 {
      log(wording.nickInvalid(settings.nick, nick))
    }
  }

  func takeFeatures(_ line: IncomingLine) {
    let mapping = features.caseMapping
    for index in 1..<max(1, line.parameters.count - 1) { features.take(line.parameter(index)) }
    if features.caseMapping != mapping { foldAgain() }
  }

  /// Names that were different, or the same, may not be so any more.
  func foldAgain() {
    let mapping = features.caseMapping
    func fold(_ name: String) -> String { mapping.fold(name) }
    rooms = Dictionary(rooms.values.map { (fold($0.target), $0) }) { one, _ in one }
    people = Dictionary(people.values.map { (fold($0.nick), $0) }) { one, _ in one }
    for room in rooms.values {
      room.members = Dictionary(room.members.map { (fold($0.key), $0.value) }) { one, _ in one }
    }
  }

  /// What is behind the message of the day was said by a server, or bouncer,
  /// that is done with its greeting.
  func endGreeting() {
    guard case .settling = stage, !isGreeted else { return }
    (isGreeted, stageBeganAt) = (true, now.uptime)
    say(OutgoingLine("PING", Self.greetingSign), urgently: true)
  }

  static let greetingSign = "banter-greeting"

  func beOnline() {
    guard case .settling = stage else { return }
    stage = .online
    stageBeganAt = now.uptime
    if nickAttempts > 0 { tellUser(wording.nickTaken(settings.nick, nick)) }
    tellWhatOneIs()
    loginByNickServ()
    tellHost(.state(.online))
    enter(rooms.values.filter { $0.isWanted && !$0.isQuery && $0.standing == .outside })
    for room in rooms.values where room.isQuery && room.isWanted { enterQuery(room) }
  }

  /// A program says that it is one, in the way that this network has (BOT of
  /// RPL_ISUPPORT).
  private func tellWhatOneIs() {
    guard settings.isBot, let mode = features.botMode else { return }
    say(OutgoingLine("MODE", nick, "+\(mode)"))
  }

  /// What a room can do here; see the line protocol's description.
  func hostCapabilities(budget: Int) -> Capabilities {
    let hasHistory = hasHistory
    var capabilities = Capabilities(
      history: hasHistory ? .full : .join, order: .total, removesDuplicates: false, echo: .none,
      maximumEventBytes: budget, excess: .split,
      multiline: self.capabilities.isOn("draft/multiline"),
      images: false, profiles: true, edits: false, deletions: false,
      reactions: takesTag("draft/react"), replies: takesTag("draft/reply"), presence: true,
      typing: false,
      authenticatesAuthors: self.capabilities.isOn("account-tag"))
    capabilities.hasKeys = true
    return capabilities
  }

  /// Whether others are told what one says by that tag.
  func takesTag(_ name: String) -> Bool { hasTags && features.passes(tag: name) }

  var hasTags: Bool { capabilities.isOn("message-tags") }

  // MARK: - Names that cannot be had

  /// ERR_NICKNAMEINUSE and its like, such as ERR_UNAVAILRESOURCE of RFC 2812,
  /// which may be of a channel.
  func takeNickError(_ number: Int, _ incoming: Incoming) {
    let line = incoming.line
    guard isNegotiating else { return takeErrorReply(number, incoming) }
    nickAttempts += 1
    guard nickAttempts <= 20 else {
      orders.append(.hangUp)
      return disconnected(because: line.lastParameter)
    }
    let base = number == 432 ? Nick.plain(settings.nick) ?? "guest" : settings.nick
    if number == 432, nickAttempts == 1, base != settings.nick {
      nick = base
    } else {
      nick = Nick.other(than: base, attempt: nickAttempts, limit: max(9, features.nickLength))
    }
    say(OutgoingLine("NICK", nick), urgently: true)
  }

  /// Whether the nick that the user wants may be free now.
  func regainNick(freedBy folded: String) {
    guard nick != settings.nick, folded == features.caseMapping.fold(settings.nick) else { return }
    say(OutgoingLine("NICK", settings.nick))
  }
}
