internal import ChatModel
internal import Sockets
internal import Synchronization
internal import TransportSecurity

/// What the far side says.
extension LinkRoom {
  func take(_ line: UnsafeRawBufferPointer) {
    do throws(ProtocolError) {
      let answer = try Answer.decode(line)
      junkCount = 0
      take(answer)
    } catch {
      if case .greeting = stage { return passOver(line) }
      // One bad line is told, and the others come through.
      tell(.notice("\(dialer.name): a line that is none of the protocol: \(error.message)"))
      junkCount += 1
      guard junkCount >= Self.junkLimit else { return }
      fail(
        TransportError(.broken, path: dialer.name, reason: "it does not speak the protocol"))
    }
  }

  /// So many such lines in a row are no accident.
  private static let junkLimit = 3

  private func passOver(_ line: UnsafeRawBufferPointer) {
    preamble.add(line)
    guard preamble.isTooLong else { return }
    fail(
      TransportError(
        .broken, path: dialer.name,
        reason: "what is there does not speak Banter's protocol; check the address"))
  }

  /// Whether the far side has come so far that it may say that: before its
  /// `welcome` nobody knows who it is, and before its `joined` there is no room
  /// to tell anything of.
  private func isDue(_ answer: Answer) -> Bool {
    switch answer {
    case .auth, .welcome, .joined, .error, .ping, .pong, .bye: true
    case .state, .log, .need: !hasToProveItself
    default: isEntered
    }
  }

  func take(_ answer: Answer) {
    guard isDue(answer) else { return }
    switch answer {
    case .event(let name, let event): if name == room { take(event) }
    case .ack(let ref, let acknowledgement): settle(ref, acknowledgement)
    case .auth(let mechanisms, let data): logIn(mechanisms, data)
    case .welcome(let welcome): enter(welcome)
    case .joined(let ref, let joined): enter(joined, ref)
    case .live(let name, let cursor): if name == room { beLive(at: cursor) }
    case .reset(let name):
      guard name == room else { return }
      cursor = nil
      tell(.reset)
    case .error(let ref, let error): take(error, ref)
    case .ping: answerPing()
    case .page(let ref, _), .members(let ref, _, _), .profile(let ref, _), .rooms(let ref, _, _),
      .done(let ref, _):
      answerQuestion(ref, .success(answer))
    case .ready, .progress, .stored, .chunk: takeFileAnswer(answer)
    case .bye:
      fail(
        TransportError(.unreachable, path: dialer.name, reason: "the far side says good-bye"))
    case .state(let state): take(state)
    case .gap(let name, let after, let before):
      if name == room { take(Gap(after: after, before: before)) }
    case .need(let ref, let name, let isSecret, let user):
      answerNeed(ref, name, isSecret: isSecret, of: user)
    case .log(let level, let message): takeLog(level, message)
    case .offer(let name): tell(.offer(room: name))
    default: break
    }
  }

  // MARK: - Entering

  private func enter(_ welcome: Welcome) {
    guard case .greeting = stage else { return }
    guard provesItself(welcome) else { return }
    guard welcome.version == LineProtocol.version else {
      return fail(
        TransportError(
          .refused, path: dialer.name,
          reason: "it speaks version \(welcome.version) of the protocol; a newer Banter may know it"
        ))
    }
    if let unknown = welcome.requires.first(where: { !Capabilities.names.contains($0) }) {
      return fail(
        TransportError(
          .refused, path: dialer.name,
          reason: "it requires \"\(unknown.prefix(100))\", which this Banter does not know; "
            + "a newer one may"))
    }
    knownCapabilities.withLock { $0 = welcome.capabilities }
    tell(.commands(welcome.commands))
    maximumLineBytes = welcome.maximumLineBytes
    // What a login prints is no fault; a plugin prints nothing else.
    if connection is PluginShare, let line = preamble.lastLine {
      tell(.notice("\(dialer.name): it printed what is none of the protocol: \(line)"))
    }
    preamble = Preamble()
    if !welcome.profile.id.isEmpty {
      identity = welcome.profile
      tell(.identity(welcome.profile))
    }
    stage = .joining
    stepBeganAt = .now
    // After a break, nothing is to be told again.
    ask(
      .join(
        ref: reference("join"),
        JoinRequest(
          room: room, after: cursor, tail: isFirstVisit || cursor == nil ? tail : nil,
          key: key)))
  }

  private func enter(_ joined: Joined, _ ref: String) {
    guard case .joining = stage, ref == reference("join") else {
      // One that answers nothing tells what is different from now on.
      if ref.isEmpty, isEntered, joined.room == room { change(to: joined) }
      return
    }
    room = joined.room
    if let title = joined.title { tell(.title(title)) }
    if let capabilities = joined.capabilities { knownCapabilities.withLock { $0 = capabilities } }
    stage = .replaying
    sayWhatWaits()
    startTransfers()
  }

  /// Takes what is different now about a room that was entered before.
  private func change(to joined: Joined) {
    if let title = joined.title { tell(.newTitle(title)) }
    if let capabilities = joined.capabilities { knownCapabilities.withLock { $0 = capabilities } }
  }

  /// Takes the state of the far side's own way. The room cannot be reached by it
  /// before it is live.
  private func take(_ state: ConnectionState) {
    let isLive = if case .live = stage { true } else { false }
    isOnItsWay = state != .online
    // The way that it had to make first is no delay of its own.
    if case .joining = stage { stepBeganAt = .now }
    hasGivenUp = if case .fatal = state { true } else { false }
    // Whoever waits for the first attempt only knows how it went.
    if patience == .firstAttempt, !isLive, let reason = state.reason {
      return fail(reason, isLeaving: true)
    }
    if isLive || state != .online { tell(.state(state)) }
  }

  private func beLive(at cursor: Cursor) {
    self.cursor = cursor
    stage = .live
    liveSince = .now
    tell(.state(.online))
    tell(.live(cursor))
    isFirstVisit = false
    for arrival in arrivals { arrival.resume(returning: nil) }
    arrivals = []
  }

  private func take(_ event: RoomEvent) {
    if !event.cursor.value.isEmpty { cursor = event.cursor }
    noteTold(event.event)
    tell([event])
  }

  /// Tells events of the room. What comes after a break is news.
  func tell(_ events: [RoomEvent]) {
    let isReplay = if case .replaying = stage { isFirstVisit } else { false }
    tell(isReplay ? .replay(events) : .events(events))
  }

  // MARK: - Answers

  private func take(_ error: ProtocolError, _ ref: String?) {
    let failure = TransportError(error, path: dialer.name)
    switch stage {
    case .greeting where error.errorClass == .auth && askAgain(because: failure): return
    case .greeting: return fail(failure)
    // The others that share the line have their rooms.
    case .joining where ref == nil || ref == reference("join"):
      return fail(failure, isLeaving: ref != nil)
    default: break
    }
    guard let ref else {
      if error.errorClass == .fatal { fail(failure) }
      return
    }
    if answerQuestion(ref, .failure(failure)) || failTransfer(ref, error, failure) { return }
    guard let number = number(of: ref) else { return }
    if !error.isCertain, !capabilities.removesDuplicates { return doubt(number, failure) }
    // It may be there already, and is looked for.
    if !error.isCertain || error.retryAfter != nil {
      return putOff(number, for: error.retryAfter ?? .seconds(1))
    }
    settle(number, .failed(failure))
  }

  @discardableResult
  private func answerQuestion(_ ref: String, _ answer: Result<Answer, TransportError>) -> Bool {
    guard let number = number(of: ref), let question = questions.removeValue(forKey: number) else {
      return false
    }
    question.resume(returning: answer)
    return true
  }

  private func settle(_ ref: String, _ acknowledgement: Acknowledgement) {
    guard let number = number(of: ref) else { return }
    let place = acknowledgement.cursor ?? cursor ?? Cursor(value: "")
    let roomIDs = acknowledgement.roomIDs.filter { $0 != acknowledgement.id }
    settle(number, .sent(place, duplicate: acknowledgement.isDuplicate, roomIDs: roomIDs))
  }

  /// Tells whoever sent an event what has become of it.
  func settle(_ number: Int, _ receipt: Receipt) {
    guard let event = unacknowledged.settle(number) else { return }
    event.continuation.resume(returning: receipt)
    sayWhatWaits()
  }
}
