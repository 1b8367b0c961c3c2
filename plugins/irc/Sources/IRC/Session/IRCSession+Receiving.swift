internal import ChatModel
internal import Transport

/// What the server says.
extension IRCSession {
  /// Takes one line, without its end.
  package func take(serverLine bytes: UnsafeRawBufferPointer) {
    heardAt = now.uptime
    hasAskedForSign = false
    let line = IncomingLine(bytes)
    guard !line.verb.isEmpty else { return }
    let tags = KnownTags(line)
    if let batch = tags.batch, !batches.isEmpty {
      let reference = line.tagValue(batch)
      if !line.isVerb("BATCH"), batches.keep(bytes, in: reference) {
        if batches.isFull { for batch in batches.expire(at: nil) { take(batch) } }
        return
      }
    }
    if line.isVerb("BATCH") { return takeBatchLine(line, tags) }
    var incoming = Incoming(line, tags)
    let label = tags.label.map(line.tagValue)
    incoming.transaction = label.flatMap(transaction)
    dispatch(incoming)
    if let label { endLabel(label) }
  }

  // MARK: - One line

  func dispatch(_ incoming: Incoming) {
    let line = incoming.line
    if line.isVerb("PRIVMSG") { return takeMessage(incoming, isNotice: false) }
    if let number = line.number { return takeNumber(number, incoming) }
    Self.verbs[line.verbText.uppercased()]?(self, incoming)
  }

  private typealias Handler = @Sendable (IRCSession, Incoming) -> Void

  private static let verbs: [String: Handler] = [
    "ACCOUNT": { $0.takeAccountChange($1) },
    "AUTHENTICATE": { $0.takeAuthenticate($1.line) },
    "AWAY": { $0.takeAway($1) },
    "CAP": { $0.takeCapabilities($1) },
    "CHGHOST": { $0.takeHostChange($1) },
    "ERROR": { $0.lastError = $1.line.lastParameter },
    "FAIL": { $0.takeStandardReply($1) },
    "INVITE": { $0.takeInvitation($1) },
    "JOIN": { $0.takeJoin($1) },
    "KICK": { $0.takeKick($1) },
    "MODE": { $0.takeMode($1) },
    "NICK": { $0.takeNick($1) },
    "NOTE": { $0.takeStandardReply($1) },
    "NOTICE": { $0.takeMessage($1, isNotice: true) },
    "PART": { $0.takePart($1) },
    "PING": { $0.answerPing($1.line) },
    "PONG": { $0.takePong($1) },
    "QUIT": { $0.takeQuit($1) },
    "SETNAME": { $0.takeNameChange($1) },
    "TAGMSG": { $0.takeTags($1) },
    "TOPIC": { $0.takeTopic($1) },
    "WARN": { $0.takeStandardReply($1) },
  ]

  func takeNumber(_ number: Int, _ incoming: Incoming) {
    if let handler = Self.numbers[number] { return handler(self, incoming) }
    if Self.whoisNumbers.contains(number) { return takeWhois(number, incoming) }
    if Self.refusals.contains(where: { $0.contains(number) }) {
      takeErrorReply(number, incoming)
    }
  }

  /// What says that something was not done: RFC 1459, and what servers of today
  /// have added (modes, caller-id, SASL).
  private static let refusals = [400...599, 696...698, 716...716, 742...743, 900...999]

  private static let numbers: [Int: Handler] = [
    1: { $0.takeWelcome($1.line) },
    5: { $0.takeFeatures($1.line) },
    301: { $0.takeWhois(301, $1) },
    263: { $0.takeErrorReply(263, $1) },
    305: { $0.commandAnswer($1.line.lastParameter, to: $1) },
    306: { $0.commandAnswer($1.line.lastParameter, to: $1) },
    318: { $0.endWhois($1.line) },
    321: { session, _ in session.beginList() },
    322: { $0.takeListItem($1) },
    323: { session, _ in session.endList() },
    324: {
      $0.commandAnswer(
        $1.line.parameters.dropFirst(2).map($1.line.text).joined(separator: " "), to: $1)
    },
    331: { $0.takeTopicReply($1, isEmpty: true) },
    332: { $0.takeTopicReply($1, isEmpty: false) },
    341: { _, _ in },
    353: { $0.takeNames($1.line) },
    366: { $0.endNames($1.line) },
    367: { $0.commandAnswer($1.line.parameter(2), to: $1) },
    372: { $0.takeDay($1.line) },
    376: { session, _ in session.endGreeting() },
    396: { $0.source.host = $1.line.parameter(1) },
    422: { session, _ in session.endGreeting() },
    432: { $0.takeNickError(432, $1) },
    433: { $0.takeNickError(433, $1) },
    436: { $0.takeNickError(436, $1) },
    437: { $0.takeNickError(437, $1) },
    464: { $0.takePasswordError($1.line) },
    465: { $0.giveUp($0.wording.banned($1.line.lastParameter)) },
    470: { $0.takeForwarding($1.line) },
    900: { $0.takeAccount($1.line) },
    901: { session, _ in session.account = nil },
    902: { $0.takeLoginFailure($1.line) },
    903: { session, _ in session.takeLoginSuccess() },
    904: { $0.takeLoginFailure($1.line) },
    905: { $0.takeLoginFailure($1.line) },
    906: { _, _ in },
    907: { session, _ in session.takeLoginSuccess() },
    908: { $0.mechanismList = $1.line.parameter(1) },
  ]

  private static let whoisNumbers: Set<Int> = [
    276, 307, 311, 312, 313, 317, 319, 330, 335, 338, 378, 671,
  ]

  // MARK: - Small things

  func answerPing(_ line: IncomingLine) {
    say(OutgoingLine("PONG", line.parameters.map(line.text)), urgently: true)
  }

  func takePong(_ incoming: Incoming) {
    noteClock(incoming)
    let sign = incoming.line.lastParameter
    givesSigns = true
    if sign == Self.greetingSign { return beOnline() }
    if let fence = Self.fenceNumber(sign) { pass(fence) }
  }

  /// A line of the message of the day, which nobody is told unasked.
  func takeDay(_ line: IncomingLine) {
    if case .settling = stage, messageOfTheDay.count < 200 {
      messageOfTheDay.append(FormattedText(line.lastParameter).plain)
    }
  }

  /// ERR_PASSWDMISMATCH: a server, or a bouncer, that wants a password.
  func takePasswordError(_ line: IncomingLine) {
    guard case .negotiating = stage else { return }
    serverPassword = nil
    settings.hasServerPassword = true
    log(line.lastParameter)
    orders.append(.hangUp)
    stage = .greeting
    queue.clear()
    begin()
  }

  /// Finds out about the server's clock from what it says just now.
  func noteClock(_ incoming: Incoming) {
    if incoming.tags.time != nil {
      clockLead = .milliseconds(time(of: incoming).milliseconds - now.time.milliseconds)
    }
  }

  /// When it was said: what the server says, as far as it is a time.
  func time(of incoming: Incoming) -> Timestamp {
    guard let range = incoming.tags.time,
      let time = Timestamp(rfc3339: incoming.line[range])
    else { return now.time }
    return time
  }
}
