internal import Dispatch
internal import Executors
internal import Glibc
internal import Sockets
internal import Synchronization
internal import TransportSecurity

/// Making the way, noticing that it is broken, and making it anew.
extension LinkRoom {
  /// Begins to make the way where nothing is being done about it: at first, and
  /// after a failure that was told to be lasting.
  func connectIfIdle() {
    let isIdle = if case .idle = stage { true } else { isGivenUp && patience == .unlimited }
    guard isIdle else { return }
    tell(.state(.connecting))
    dial()
  }

  /// See ``Transport/reconnect()``.
  package func reconnect() async {
    if hasGivenUp {
      // It tries again what it tries when it begins.
      hangUp()
    } else {
      guard case .waiting = stage else { return }
      timer?.cancel()
      timer = nil
    }
    tell(.state(.connecting))
    dial()
  }

  /// Whether nothing will be tried any more by itself.
  var isGivenUp: Bool {
    guard case .waiting = stage else { return false }
    return timer == nil
  }

  private func dial() {
    stage = .dialing
    lastingFailure = nil
    dialing = Task {
      let result = await firstResult()
      guard !Task.isCancelled, case .dialing = stage else { return result.discard() }
      switch result {
      case .success(let line): greet(over: line)
      case .failure(let error): fail(error)
      }
    }
  }

  /// A name server that never answers is given up; its answer is discarded.
  private func firstResult() async -> Result<DialedLine, TransportError> {
    let (dialer, name, limit) = (dialer, dialer.name, timing.step)
    return await withCheckedContinuation { continuation in
      let once = Once(continuation)
      Task {
        let result: Result<DialedLine, TransportError>
        do throws(TransportError) {
          result = .success(try await dialer.dial())
        } catch {
          result = .failure(error)
        }
        if !once.resume(result) { result.discard() }
      }
      Task {
        try? await Task.sleep(for: limit)
        let reason = "no answer within \(limit.components.seconds) s; it is tried again"
        once.resume(.failure(TransportError(.unreachable, path: name, reason: reason)))
      }
    }
  }

  private func greet(over line: DialedLine) {
    connectionNumber += 1
    let number = connectionNumber
    (secureHost, loggingIn) = (line.secureHost, nil)
    (carrier, greetingPatience, preamble) = (line.carrier, line.patience, Preamble())
    (junkCount, hasMoreToRead) = (0, false)
    do throws(TLSError) {
      connection = try connection(over: line, number)
    } catch {
      return fail(TransportError(.invalid, path: dialer.name, reason: error.reason))
    }
    stage = .greeting
    (heardAt, stepBeganAt, loginAttempts) = (.now, .now, 0)
    ask(.hello(hello))
    watch(number)
  }

  private func connection(
    over line: DialedLine, _ number: Int
  ) throws(TLSError) -> any LinkLine {
    switch line.way {
    case .share(let link):
      return PluginShare(of: link) { [weak self] word in
        self?.assumeIsolated { $0.take(word, number) }
      }
    case .descriptors(let reading, let writing):
      let stream = DescriptorStream(
        reading: reading, writing: writing, queue: executor.queue,
        onReadable: { [weak self] in self?.assumeIsolated { $0.receive(number) } },
        onWritable: { [weak self] in self?.assumeIsolated { $0.goOnWriting(number) } })
      let session = try line.secureHost.map { host throws(TLSError) in
        try TLSSession(client: host.context, host: host.host)
      }
      return LineConnection(
        stream, security: session, maximumLineBytes: LineProtocol.maximumLineBytes)
    }
  }

  /// Takes what comes over a line that is shared.
  private func take(_ word: PluginLink.Word, _ number: Int) {
    guard number == connectionNumber, connection != nil else { return }
    heardAt = .now
    switch word {
    case .answer(let answer, let size):
      takenBytes = size
      defer { takenBytes = 0 }
      junkCount = 0
      take(answer)
    case .junk(let line): line.withUnsafeBytes { take($0) }
    case .writable:
      sayWhatWaits()
      sendChunks()
    case .end(let end): fail(end)
    }
  }

  /// Looks every few seconds whether the far side is still there.
  private func watch(_ number: Int) {
    timer?.cancel()
    timer = Task {
      while !Task.isCancelled, number == connectionNumber, connection != nil {
        try? await Task.sleep(for: timing.ping / 2)
        guard !Task.isCancelled, number == connectionNumber, connection != nil else { return }
        checkSilence()
      }
    }
  }

  private func checkSilence() {
    if isExcused { (heardAt, stepBeganAt) = (.now, .now) }
    // A far side that says anything but what it should is no further.
    let silence = ContinuousClock.now - (isEntered || isOnItsWay ? heardAt : stepBeganAt)
    let isLive = if case .live = stage { true } else { false }
    let isGreeting = if case .greeting = stage { true } else { false }
    let limit =
      isLive ? timing.silence : isGreeting ? greetingPatience ?? timing.step : timing.step
    if silence >= limit {
      let seconds = silence.components.seconds
      fail(
        TransportError(
          .unreachable, path: dialer.name,
          reason: isEntered
            ? "nothing was heard for \(seconds) s" : "it has not let anybody in for \(seconds) s"))
    } else if silence >= timing.ping, isLive || isOnItsWay {
      ask(.ping(ref: nil))
    }
  }

  /// Whether it is not the far side that keeps silent: the user is being asked
  /// something, or nobody listens because nobody takes what was told.
  private var isExcused: Bool {
    let isLive = if case .live = stage { true } else { false }
    let isAsking = carrier?.isAsking == true || (isFindingLogin || !needs.isEmpty) && !isLive
    return isAsking || mailbox.isFull
  }

  // MARK: - Over the line

  /// How much may wait for the line before what can wait does so, and no ping
  /// is answered any more: one that takes nothing needs no answer.
  static let outputBytes = 256 * 1024

  /// Says something, unless its line is longer than `limit`.
  /// - Returns: whether it is not.
  @discardableResult
  func ask(_ request: Request, limitInBytes limit: Int = .max) -> Bool {
    let fits = connection?.say(request, limitInBytes: limit) ?? true
    flush(connectionNumber)
    return fits
  }

  func answerPing() {
    guard let connection, connection.pendingBytes < Self.outputBytes else { return }
    ask(.pong)
  }

  func flush(_ number: Int) {
    guard number == connectionNumber, let connection else { return }
    do throws(LineConnection.End) {
      try connection.flush()
    } catch {
      // What it said before it hung up may tell why.
      if !isReceiving { receive(number) }
      if number == connectionNumber, self.connection != nil { fail(error) }
    }
  }

  private func goOnWriting(_ number: Int) {
    flush(number)
    guard number == connectionNumber else { return }
    sayWhatWaits()
    sendChunks()
  }

  func receive(_ number: Int) {
    guard number == connectionNumber, let connection, !mailbox.isFull else { return }
    heardAt = .now
    isReceiving = true
    defer { (isReceiving, takenBytes) = (false, 0) }
    do throws(LineConnection.End) {
      hasMoreToRead = try connection.takeIn(through: buffer) { line in
        guard number == connectionNumber, self.connection != nil else { return false }
        takenBytes = line.count
        take(line)
        return !mailbox.isFull
      }
    } catch {
      if number == connectionNumber { fail(error) }
    }
    if connection.awaitsAcceptance { decideAboutPeer(connection) }
  }

  /// Goes on, or not, with a far side that no authority vouches for.
  private func decideAboutPeer(_ connection: any LinkLine) {
    guard let session = connection.security, let secureHost,
      case .untrusted(let problem)? = session.peerVerification
    else { return }
    do throws(TransportError) {
      let news = try secureHost.decide(about: problem, session.peerFingerprint ?? "")
      if let news { tell(.notice(news)) }
      session.acceptPeer()
      flush(connectionNumber)
    } catch {
      fail(error)
    }
  }

  private func fail(_ end: LineConnection.End) {
    let lastWords = preamble.lastLine
    var hasEnded = false
    let reason: String
    switch end {
    case .closed:
      hasEnded = true
      reason = "the far side hung up" + (lastWords.map { "; it said: \($0)" } ?? "")
    case .failed(let number):
      hasEnded = true
      reason = String(cString: strerror(number))
    case .lineTooLong(let limit): reason = "it sent a line of more than \(limit) bytes"
    case .security(let error): reason = error.reason
    }
    let error = TransportError(.unreachable, path: dialer.name, reason: reason)
    guard hasEnded, let carrier else { return fail(error) }
    hangUp()
    stage = .dialing
    dialing = Task {
      let reason = await carrier.reason(lastWords: lastWords)
      if !Task.isCancelled { fail(reason ?? error) }
    }
  }

  // MARK: - Breaks

  /// - Parameter isLeaving: whether only this room is left, and nothing is wrong
  ///   with the far side.
  func hangUp(isLeaving: Bool = false) {
    connection?.end(isLeaving: isLeaving)
    connection = nil
    letGoOfCarrier()
    timer?.cancel()
    timer = nil
    dialing?.cancel()
    dialing = nil
    (isAskedToLogIn, isFindingLogin, isOnItsWay, hasGivenUp) = (false, false, false, false)
    withdrawNeeds()
    beginAnew()
    interruptTransfers()
  }

  private func letGoOfCarrier() {
    guard let carrier else { return }
    self.carrier = nil
    let earlier = farewells
    farewells = Task {
      await carrier.end(within: .seconds(1))
      await earlier?.value
    }
  }

  /// Goes without the far side until the next attempt; for good where another
  /// attempt would end the same.
  /// - Parameter isLeaving: see ``hangUp(isLeaving:)``.
  func fail(_ error: TransportError, isLeaving: Bool = false) {
    if isClosed { return }
    hangUp(isLeaving: isLeaving)
    let isLasting = !error.code.isTransient
    if isLasting, loggingIn != nil { isLoginRefused = true }
    if isLasting || patience == .firstAttempt {
      failEverything(error)
    } else {
      failQuestions(error)
    }
    // One that lets in and hangs up again and again is left alone for longer.
    if let liveSince, .now - liveSince > timing.step { backoff.reset() }
    liveSince = nil
    guard !isLasting else {
      stage = .waiting
      lastingFailure = error
      return tell(.state(.fatal(reason: error)))
    }
    stage = .waiting
    let delay = backoff.delay()
    tell(.state(.reconnecting(in: delay, reason: error)))
    timer = Task {
      try? await Task.sleep(for: delay)
      if !Task.isCancelled, case .waiting = stage { dial() }
    }
  }

  /// Tells those who wait for an answer that none will come.
  private func failQuestions(_ error: TransportError) {
    for question in questions.values { question.resume(returning: .failure(error)) }
    questions = [:]
    for arrival in arrivals { arrival.resume(returning: error) }
    arrivals = []
  }

  func failEverything(_ error: TransportError) {
    failQuestions(error)
    failTransfers(error)
    for event in unacknowledged.removeAll() {
      event.continuation.resume(returning: .failed(error))
    }
  }
}

/// A continuation of which two may know the answer; the first counts.
private final class Once<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, Never>?>

  init(_ continuation: CheckedContinuation<Value, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// - Returns: whether it was the first.
  @discardableResult
  func resume(_ value: Value) -> Bool {
    let waiting = continuation.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    waiting?.resume(returning: value)
    return waiting != nil
  }
}

extension Result<DialedLine, TransportError> {
  /// Closes what nobody needs any more.
  fileprivate func discard() {
    guard case .success(let line) = self else { return }
    if case .descriptors(let reading, let writing) = line.way {
      Glibc.close(reading)
      if writing != reading { Glibc.close(writing) }
    }
    if let carrier = line.carrier { Task { await carrier.end(within: .zero) } }
  }
}
