internal import ChatModel
internal import Transport

/// Into the log, in order, each once.
extension NATSSession {
  func send(_ ref: String, _ request: SendRequest) {
    guard let room = rooms[request.room], room.stream != nil else {
      return refuse(ref, ProtocolError(.notFound, "\(request.room) has not been joined"))
    }
    guard room.outgoing.count < 1_000 else {
      return refuse(ref, ProtocolError(.retry, "too much is waiting", retryAfter: .seconds(1)))
    }
    room.outgoing.append((ref, request))
    guard room.sending == nil else { return }
    // One after the other: one that is repeated is overtaken by none.
    room.sending = Task {
      while let (ref, request) = room.outgoing.first, !Task.isCancelled {
        let answer = await publish(ref, request, in: room)
        room.outgoing.removeFirst()
        say(answer)
      }
      room.sending = nil
    }
  }

  private func publish(_ ref: String, _ request: SendRequest, in room: Room) async -> Answer {
    guard let requests else { return .error(ref: ref, ProtocolError(.retry, "not connected")) }
    var bytes: [UInt8] = []
    EventCodec.encode(request.event, into: &bytes)
    let id = Self.headerValue(request.event.id)
    // "NATS/1.0", the header, an empty line (NATS ADR-4).
    let headerBytes = 10 + NATSMessage.Header.messageID.rawValue.utf8.count + id.utf8.count + 6
    let limit = requests.connection.maximumPayloadBytes - headerBytes
    guard bytes.count <= limit else {
      return .error(
        ref: ref,
        ProtocolError(
          .tooLarge, "it has \(bytes.count) bytes; the cluster takes \(limit) in one message"))
    }
    do throws(ClusterFault) {
      if let since = request.since.flatMap(LogCursor.init), since.stream == room.stream,
        let place = try await find(request.event.id, after: since.sequence, in: room)
      {
        return acknowledgement(ref, request, room, place, isDuplicate: true)
      }
      let publication = try await publish(bytes, id: id, in: room, requests)
      if case .profile = request.event { await keepProfile(bytes) }
      return acknowledgement(
        ref, request, room, publication.seq, isDuplicate: publication.duplicate == true)
    } catch {
      let fault = explained(error, room.log.subject)
      return .error(ref: ref, protocolError(fault))
    }
  }

  /// Repeats it with the same id until the cluster has it: a second one within
  /// the stream's window is none (NATS, Nats-Msg-Id).
  private func publish(
    _ bytes: [UInt8], id: String, in room: Room, _ requests: ClusterRequests
  ) async throws(ClusterFault) -> JetStream.Publication {
    let start = ContinuousClock.now
    var pause = Duration.milliseconds(100)
    while true {
      do throws(ClusterFault) {
        let answer = try await requests.ask(
          room.log.subject, bytes, headers: [.messageID: id])
        defer { endPause() }
        return try JetStream.decode(JetStream.Publication.self, answer.bytes)
      } catch {
        let fault = explained(error, room.log.subject)
        let isPassing = fault.kind == .timeout || fault.kind == .unavailable
        let waited = ContinuousClock.now - start
        guard isPassing, waited < .seconds(15), !Task.isCancelled else { throw fault }
        if waited >= .seconds(2), isConnected { tellPause(notTaken) }
        if fault.kind == .unavailable { try? await Task.sleep(for: pause) }
        pause = min(pause * 2, .seconds(1))
      }
    }
  }

  private var notTaken: String {
    language.choose(
      "the cluster takes no messages for the moment; they wait",
      "클러스터가 지금 메시지를 받지 못합니다. 보낸 메시지는 기다립니다")
  }

  /// An id as a header's value, in which no line ends.
  private static func headerValue(_ id: String) -> String {
    Subjects.token(id)
  }

  /// Where a message is that was sent before, behind a place.
  private func find(
    _ id: String, after sequence: UInt64, in room: Room
  ) async throws(ClusterFault) -> UInt64? {
    let reader = try await room.log.reader(from: sequence + 1)
    var left = Int(clamping: reader.pendingCount)
    while left > 0 {
      let messages = try await room.log.read(min(left, Self.pageCount), by: reader)
      guard !messages.isEmpty else { break }
      left -= messages.count
      for message in messages {
        let event = message.bytes.withUnsafeBytes { try? EventCodec.decode($0) }
        if event?.id == id { return message.sequence }
      }
    }
    return nil
  }

  private func acknowledgement(
    _ ref: String, _ request: SendRequest, _ room: Room, _ sequence: UInt64, isDuplicate: Bool
  ) -> Answer {
    .ack(
      ref: ref,
      Acknowledgement(
        room: room.name, id: request.event.id, cursor: room.cursor(sequence),
        isDuplicate: isDuplicate))
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
