internal import ChatModel
internal import Transport

/// Into the log, in order, each once.
extension NATSSession {
  func send(_ ref: String, _ request: SendRequest) {
    guard let room = rooms[request.room], room.stream != nil else {
      return refuse(ref, ProtocolError(.notFound, "\(request.room) has not been joined"))
    }
    guard room.outgoing.count < 1_000, isInTurn(request.event.id, in: room) else {
      return refuse(ref, ProtocolError(.retry, "too much is waiting", retryAfter: .seconds(1)))
    }
    let outgoing = Outgoing(ref, request)
    let (size, limit) = (outgoing.line.count, payloadLimit(for: outgoing))
    guard size <= limit else {
      return refuse(
        ref,
        ProtocolError(
          .tooLarge, "it has \(size) bytes; the cluster takes \(limit) in one message"))
    }
    room.outgoing.append(outgoing)
    guard room.sending == nil else { return }
    // One message of the log after the other, so that one that is repeated is
    // overtaken by none; what comes meanwhile goes together in the next.
    room.sending = Task {
      while !room.outgoing.isEmpty, !Task.isCancelled { await sendNext(in: room) }
      room.sending = nil
    }
  }

  /// What was said before the host knew of a failure waits for what has failed.
  private func isInTurn(_ id: String, in room: Room) -> Bool {
    guard let failed = room.failed, .now < failed.until, !failed.ids.contains(id) else {
      room.failed = nil
      return true
    }
    return false
  }

  /// How many bytes the cluster takes beside the header with an id.
  private func payloadLimit(for first: Outgoing) -> Int {
    // "NATS/1.0", the header, an empty line (NATS ADR-4).
    let name = NATSMessage.Header.messageID.rawValue
    let headerBytes = 10 + name.utf8.count + first.messageID.utf8.count + 6
    return (requests?.connection.maximumPayloadBytes ?? 0) - headerBytes
  }

  private func sendNext(in room: Room) async {
    let start = room.position
    var message: [Outgoing] = []
    do throws(ClusterFault) {
      try await passOverWhatIsThere(in: room)
      guard let first = room.outgoing.first else { return }
      message = room.outgoing.nextMessage(
        limitInBytes: min(LogMessage.maximumBytes, payloadLimit(for: first)))
      try await publish(message, id: first.messageID, in: room)
      room.failingSince = nil
      endPause()
      for outgoing in message {
        if case .profile = outgoing.event { await keepProfile(outgoing.line) }
      }
    } catch {
      let fault = explained(error) { $0 == room.log.subject }
      guard await keepsTrying(after: fault, in: room) else { return fail(fault, in: room) }
      // The same id is a second one's, and passed over by the stream, only as
      // far as the leader's clock is right: it is looked for as well.
      guard fault.kind == .timeout, let stream = room.stream else { return }
      let ids = Set(message.map(\.event.id))
      for index in room.outgoing.indices where ids.contains(room.outgoing[index].event.id) {
        room.outgoing[index].since = LogCursor(stream: stream, point: start)
      }
    }
  }

  private func publish(
    _ message: [Outgoing], id: String, in room: Room
  ) async throws(ClusterFault) {
    guard let requests else { throw ClusterFault(.unavailable, "not connected") }
    let bytes = Array(message.map(\.line).joined(separator: [UInt8(ascii: "\n")]))
    let answer = try await requests.ask(room.log.subject, bytes, headers: [.messageID: id])
    let publication = try JetStream.decode(JetStream.Publication.self, answer.bytes)
    guard publication.duplicate != true else {
      return try await settleAsThere(publication.seq, in: room)
    }
    var places: [String: LogPoint] = [:]
    for (index, outgoing) in message.enumerated() {
      places[outgoing.event.id] = LogPoint(
        sequence: publication.seq, eventCount: index + 1, of: message.count)
    }
    acknowledge(places, isDuplicate: false, in: room)
  }

  /// Waits before it is tried again, as long as it may go better and it does not
  /// take too long.
  private func keepsTrying(after fault: ClusterFault, in room: Room) async -> Bool {
    let start = room.failingSince ?? .now
    room.failingSince = start
    let isPassing = fault.kind == .timeout || fault.kind == .unavailable
    let waited = ContinuousClock.now - start
    guard isPassing, waited < .seconds(15), !Task.isCancelled else { return false }
    if waited >= .seconds(2), isConnected { tellPause(notTaken) }
    if fault.kind == .unavailable {
      try? await Task.sleep(for: min(max(waited / 2, .milliseconds(100)), .seconds(1)))
    }
    return true
  }

  private var notTaken: String {
    language.choose(
      "the cluster takes no messages for the moment; they wait",
      "클러스터가 지금 메시지를 받지 못합니다. 보낸 메시지는 기다립니다")
  }

  // MARK: - What is there already

  /// Looks for what was sent before.
  private func passOverWhatIsThere(in room: Room) async throws(ClusterFault) {
    while true {
      let repeats = room.outgoing.filter { $0.since?.stream == room.stream }
      guard let start = repeats.compactMap(\.since?.point.sequence).min() else { return }
      let ids = Set(repeats.map(\.event.id))
      let places = try await room.log.places(of: ids, from: start)
      for index in room.outgoing.indices where ids.contains(room.outgoing[index].event.id) {
        room.outgoing[index].since = nil
      }
      acknowledge(places, isDuplicate: true, in: room)
    }
  }

  /// The first was there already: perhaps with others than it was sent with now.
  private func settleAsThere(_ sequence: UInt64, in room: Room) async throws(ClusterFault) {
    guard let first = room.outgoing.first else { return }
    let ids = Set(room.outgoing.map(\.event.id))
    var places = [first.event.id: LogPoint.behind(sequence)]
    try await room.log.forEachPage(from: sequence, count: 1) { page in
      for message in page where message.sequence == sequence {
        places.merge(message.places(of: ids)) { $1 }
      }
      return false
    }
    acknowledge(places, isDuplicate: true, in: room)
  }

  // MARK: - Answers

  private func acknowledge(_ places: [String: LogPoint], isDuplicate: Bool, in room: Room) {
    for outgoing in room.outgoing {
      guard let place = places[outgoing.event.id] else { continue }
      say(
        .ack(
          ref: outgoing.ref,
          Acknowledgement(
            room: room.name, id: outgoing.event.id, cursor: room.cursor(place),
            isDuplicate: isDuplicate)))
    }
    room.outgoing.removeAll { places[$0.event.id] != nil }
  }

  /// Nothing of what waits goes before what has failed: the host says all of it
  /// again, in order, after a second.
  private func fail(_ fault: ClusterFault, in room: Room) {
    room.failingSince = nil
    let error = protocolError(fault)
    let failed = room.outgoing
    room.outgoing = []
    room.failed = error.retryAfter.map { (Set(failed.map(\.event.id)), .now + $0 + .seconds(2)) }
    for outgoing in failed { refuse(outgoing.ref, error) }
  }

  private func protocolError(_ fault: ClusterFault) -> ProtocolError {
    switch fault.kind {
    case .timeout:
      ProtocolError(
        .retry, "the cluster does not answer: \(fault.reason)", isCertain: false,
        retryAfter: .seconds(1))
    case .unavailable: ProtocolError(.retry, fault.reason, retryAfter: .seconds(1))
    case .denied: ProtocolError(.denied, fault.reason)
    case .notFound: ProtocolError(.notFound, fault.reason)
    case .tooLarge: ProtocolError(.tooLarge, fault.reason)
    case .other: ProtocolError(.invalid, fault.reason)
    }
  }
}
