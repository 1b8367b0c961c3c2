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
    let fault = explained(fault) { isForReading($0, room) }
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

  /// What is denied comes back as no answer; the truth is in a complaint about
  /// the subject, which it names in quotes. Of several at once only the last
  /// may be heard.
  func explained(_ fault: ClusterFault, _ isAbout: (Substring) -> Bool) -> ClusterFault {
    guard fault.kind == .timeout || fault.kind == .unavailable else { return fault }
    let complaint = complaints.last { text in
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      return text.contains("ermissions") && parts.count > 1 && isAbout(parts[1])
    }
    return complaint.map { ClusterFault(.denied, $0) } ?? fault
  }

  /// Whether a room cannot be read without this subject.
  private func isForReading(_ subject: Substring, _ room: Room) -> Bool {
    let stream = Subjects.stream
    return subject == "$JS.API.STREAM.INFO.\(stream)"
      || subject.hasPrefix("$JS.API.CONSUMER.MSG.NEXT.\(stream).")
      || subject.hasSuffix(".\(Subjects.events(of: room.name))")
        && subject != Subjects.presence(in: room.name)
  }

  private func enter(_ room: Room) async throws(ClusterFault) {
    let facts = try await room.log.streamFacts()
    let last = try await room.log.lastSequence()
    let tail = try await room.log.tail(room.tail, before: .behind(last))
    guard rooms[room.name] === room, room.stream == nil else { return }
    let stream = Self.identity(of: facts)
    let place = room.after.flatMap(LogCursor.init).flatMap { place in
      place.stream == stream && place.point.reached <= facts.state.last_seq ? place.point : nil
    }
    let position = min(tail.start, place ?? tail.start)
    (room.stream, room.position, room.isBehind) = (stream, position, true)
    if position == tail.start { room.unread = tail.messages }
    let limit = requests.map { $0.connection.maximumPayloadBytes - Self.headerBytes } ?? 0
    say(
      .joined(
        ref: room.joinRef ?? "",
        Joined(
          room: room.name,
          capabilities: capabilities(
            maximumEventBytes: min(max(limit, 0), EventCodec.maximumEventBytes)),
          newest: room.cursor(.behind(last)))))
    room.joinRef = nil
    if room.after != nil, place == nil { say(.reset(room: room.name)) }
    tellPresence(true, in: room)
  }

  /// What the headers of a message with a usual id take at most, which count as
  /// well.
  private static let headerBytes = 256

  static func identity(of facts: JetStream.Stream) -> Int64 {
    Timestamp(rfc3339: facts.created)?.milliseconds ?? 0
  }
}
