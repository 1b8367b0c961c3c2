internal import ChatModel
internal import Dispatch
internal import Executors
internal import PluginHost
internal import Transport

/// Entering rooms, and following them.
extension NATSSession {
  func join(_ ref: String, _ request: JoinRequest) {
    guard (1...200).contains(request.room.utf8.count) else {
      return refuse(
        ref,
        ProtocolError(
          .invalid,
          language.choose(
            "a room's name has 1 to 200 bytes; nats://host/room names one",
            "대화방 이름은 1~200바이트입니다. nats://host/room처럼 쓰세요")))
    }
    guard let requests, isConnected else {
      joins.append((ref, request))
      return
    }
    let name = request.room
    let room = Room(name, SubjectLog(requests, room: name), request, ref: ref)
    do throws(ClusterFault) {
      // First of all, so that nothing comes between what is read and this.
      room.news = try NATSSubscription(
        requests.connection, Subjects.news(of: name), reading: [.sequence, .lastSequence]
      ) { [weak self] messages in
        self?.hand(messages) { $0.take(news: messages, in: name) }
      }
      room.presence = try NATSSubscription(
        requests.connection, Subjects.presence(in: name), reading: []
      ) { [weak self] messages in
        self?.hand(messages) { $0.take(presence: messages, in: name) }
      }
    } catch {
      return refuse(ref, ProtocolError(.retry, error.reason))
    }
    rooms[name] = room
    catchUp(room)
  }

  /// Waits until the session has what came, so that no more is taken from the
  /// library than it can use.
  private nonisolated func hand(
    _ messages: [NATSMessage], _ body: @Sendable (isolated NATSSession) -> Void
  ) {
    executor.queue.sync { assumeIsolated { body($0) } }
  }

  func leave(_ ref: String, _ name: String) {
    if let room = rooms.removeValue(forKey: name) { tellPresence(false, in: room) }
    joins.removeAll { $0.request.room == name }
    say(.left(ref: ref))
  }

  private func take(news messages: [NATSMessage], in name: String) {
    guard let room = rooms[name] else { return }
    room.arrived += messages
    if room.arrived.count > Room.arrivalLimit {
      room.arrived = []
      room.isBehind = true
    }
    catchUp(room)
  }

  // MARK: - Catching up

  /// Tells what there is to tell; when nothing can be read, it is tried again.
  func catchUp(_ room: Room) {
    guard room.catchingUp == nil else { return }
    room.catchingUp = Task {
      var pause = Duration.milliseconds(100)
      while !Task.isCancelled, rooms[room.name] === room {
        do throws(ClusterFault) {
          if room.stream == nil { try await enter(room) }
          try await tellNews(in: room)
          break
        } catch {
          guard keepsTrying(room, after: error) else { break }
          room.isBehind = true
          try? await Task.sleep(for: pause)
          pause = min(pause * 2, .seconds(2))
        }
      }
      room.catchingUp = nil
    }
  }

  /// Whether it may go better later; where it will not, the host is told.
  private func keepsTrying(_ room: Room, after fault: ClusterFault) -> Bool {
    let fault = explained(fault, Subjects.events(of: room.name))
    switch fault.kind {
    case .timeout, .unavailable: return true
    case .denied, .notFound, .tooLarge, .other:
      let error = ProtocolError(
        fault.kind == .denied ? .denied : fault.kind == .notFound ? .notFound : .retry,
        fault.kind == .notFound ? missingStream(fault) : fault.reason)
      if let ref = room.joinRef {
        rooms[room.name] = nil
        refuse(ref, error)
        return false
      }
      say(.log(level: "error", message: error.message))
      return true
    }
  }

  private func missingStream(_ fault: ClusterFault) -> String {
    language.choose(
      "the cluster has no rooms (\(fault.reason)); banter-nats init ADDRESS makes what they need",
      "클러스터에 대화방이 없습니다(\(fault.reason)). banter-nats init ADDRESS로 준비하세요")
  }

  /// What is denied comes back as no answer; the truth is in a complaint.
  func explained(_ fault: ClusterFault, _ subject: String) -> ClusterFault {
    guard fault.kind == .timeout || fault.kind == .unavailable else { return fault }
    let complaint = complaints.last { $0.contains(subject) && $0.contains("ermissions") }
    return complaint.map { ClusterFault(.denied, $0) } ?? fault
  }

  private func enter(_ room: Room) async throws(ClusterFault) {
    let facts = try await room.log.streamFacts()
    let last = try await room.log.lastSequence()
    var position = try await room.log.start(ofLast: room.tail, before: last + 1) - 1
    guard rooms[room.name] === room, room.stream == nil else { return }
    let stream = Self.identity(of: facts)
    let place = room.after.flatMap(LogCursor.init)
    let goesOn = place.map { $0.stream == stream && $0.sequence <= facts.state.last_seq } ?? false
    if goesOn, let place { position = min(position, place.sequence) }
    (room.stream, room.position, room.isBehind) = (stream, position, true)
    let limit = requests.map { $0.connection.maximumPayloadBytes - Self.headerBytes } ?? 0
    say(
      .joined(
        ref: room.joinRef ?? "",
        Joined(
          room: room.name,
          capabilities: capabilities(
            maximumEventBytes: min(max(limit, 0), EventCodec.maximumEventBytes)),
          newest: room.cursor(last))))
    room.joinRef = nil
    if room.after != nil, !goesOn { say(.reset(room: room.name)) }
    tellPresence(true, in: room)
  }

  /// What the headers of a message with a usual id take at most, which count as
  /// well.
  private static let headerBytes = 256

  private static func identity(of facts: JetStream.Stream) -> Int64 {
    Timestamp(rfc3339: facts.created)?.milliseconds ?? 0
  }

  /// How many messages are asked for at once.
  static let pageCount = 500

  private func tellNews(in room: Room) async throws(ClusterFault) {
    repeat {
      if room.isBehind { try await tellLog(of: room) }
      try await tellArrivals(in: room)
    } while room.isBehind || !room.arrived.isEmpty
    // It may have been left meanwhile.
    guard !room.isLive, rooms[room.name] === room else { return }
    room.isLive = true
    say(.live(room: room.name, cursor: room.cursor(room.position)))
  }

  /// Tells what the log has behind the last one that was told.
  private func tellLog(of room: Room) async throws(ClusterFault) {
    room.isBehind = false
    let last = try await room.log.lastSequence()
    if last < room.position { return try await beginAnew(room) }
    guard last > room.position else { return }
    let reader = try await room.log.reader(from: room.position + 1)
    var left = Int(clamping: reader.pendingCount)
    while left > 0 {
      let messages = try await room.log.read(min(left, Self.pageCount), by: reader)
      guard !messages.isEmpty, rooms[room.name] === room else { return }
      left -= messages.count
      for message in messages { tell(message, in: room) }
      await host?.waitForRoom()
    }
  }

  /// Where the log ends before what was told, it is another one, or somebody
  /// has made up what was told last. Then it cannot be known what was missed,
  /// and the last messages are told again, which the host notices.
  private func beginAnew(_ room: Room) async throws(ClusterFault) {
    let stream = Self.identity(of: try await room.log.streamFacts())
    let last = try await room.log.lastSequence()
    let isOther = stream != room.stream
    let start = try await room.log.start(
      ofLast: isOther ? room.tail : max(room.tail, Self.pageCount), before: last + 1)
    guard last < room.position else { return }
    room.arrived = []
    (room.stream, room.position, room.isBehind) = (stream, start - 1, true)
    guard isOther else { return }
    room.isLive = false
    say(.reset(room: room.name))
  }

  private func tellArrivals(in room: Room) async throws(ClusterFault) {
    let arrived = room.arrived
    room.arrived = []
    for message in arrived where rooms[room.name] === room {
      guard let sequence = message.number(.sequence), sequence <= LogPlace.maximumSequence,
        let last = message.number(.lastSequence)
      else { continue }
      // Told already, or missed: what is there now is in the log as well.
      if sequence <= room.position {
        if last == 0 { room.isBehind = true }
        continue
      }
      guard last <= room.position else { return room.isBehind = true }
      tell(LogMessage(sequence: sequence, bytes: message.bytes), in: room)
    }
    await host?.waitForRoom()
  }

  /// Tells what is a message of the room's, once.
  private func tell(_ message: LogMessage, in room: Room) {
    guard message.sequence > room.position else { return }
    (room.position, room.heardAt) = (message.sequence, .now)
    do throws(EventCodingError) {
      let event = try message.bytes.withUnsafeBytes { bytes in
        Result { () throws(EventCodingError) in try EventCodec.decode(bytes) }
      }.get()
      guard let event else { return }
      say(
        .event(
          room: room.name, RoomEvent(event: event, cursor: room.cursor(message.sequence))))
    } catch {
      room.rubbishCount += 1
      guard room.rubbishCount <= 3 else { return }
      say(
        .log(
          level: "warning",
          message: "\(room.name): message \(message.sequence) is no event: \(error)"))
    }
  }

  // MARK: - Quiet rooms

  /// Looks after rooms of which nothing new came: a subscription says nothing of
  /// what it missed last, and what comes of another stream than before looks
  /// like what was told already.
  func watchRooms() {
    watch = Task {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(5))
        guard isConnected else { continue }
        for room in rooms.values where .now - room.heardAt >= .seconds(5) {
          room.heardAt = .now
          room.isBehind = true
          catchUp(room)
        }
      }
    }
  }
}
