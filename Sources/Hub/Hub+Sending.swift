internal import ChatModel
internal import Dispatch
internal import Executors
internal import Sockets
internal import Transport

/// What is sent: into the file, to everyone, and, once synced, acknowledged.
extension Hub {
  /// How soon after a sync the next one begins: in a busy room, many events
  /// go together; in a quiet one, none waits.
  private static let syncInterval = Duration.milliseconds(4)

  func take(_ send: SendRequest, _ ref: String, from client: HubClient) {
    do throws(ProtocolError) {
      let room = try checkedRoom(send, client)
      do throws(TransportError) {
        let outgoing = OutgoingEvent(event: send.event, since: send.since)
        let line = try OutgoingLine(outgoing, path: room.name)
        let event = HubRoom.Incoming(client: client.number, ref: ref, line: line)
        client.unansweredBytes += event.sizeInBytes
        if let cursor = room.place(ofRepeat: line.id, from: client.number, since: send.since) {
          room.note(event, at: cursor, isDuplicate: true)
        } else {
          room.noteAuthor(of: send.event)
          if isToWait(line, of: client, in: room) {
            return search(for: event, of: client, in: room)
          }
          room.incoming.append(event)
        }
      } catch {
        throw ProtocolError(error)
      }
      wake(room)
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }

  func checkMayWrite(_ client: HubClient) throws(ProtocolError) {
    guard !configuration.isReadOnly else {
      throw ProtocolError(.denied, "this hub is for reading only")
    }
    guard client.account?.isReadOnly != true else {
      throw ProtocolError(.denied, "this account is for reading only")
    }
  }

  private func checkedRoom(
    _ send: SendRequest, _ client: HubClient
  ) throws(ProtocolError) -> HubRoom {
    try checkMayWrite(client)
    let room = try joinedRoom(send.room, of: client)
    if configuration.limits.eventsPerSecond > 0 {
      client.allowance -= 1
      guard client.allowance >= 0 else {
        throw ProtocolError(
          .retry, "at most \(configuration.limits.eventsPerSecond) events a second are taken",
          retryAfter: .seconds(1))
      }
    }
    let (target, author): (String?, String) =
      switch send.event {
      case .message(let message): (message.id, message.profileID)
      case .edit(let edit): (edit.messageID, edit.profileID)
      case .deletion(let deletion): (deletion.messageID, deletion.profileID)
      case .reaction(let reaction): (nil, reaction.profileID)
      case .profile(let change): (nil, change.profileID)
      case .presence, .notice:
        throw ProtocolError(.denied, "only the hub itself says such things")
      }
    if let target, let known = room.authors[target], known != author {
      throw ProtocolError(.denied, "that message is somebody else's")
    }
    return room
  }

  // MARK: - A turn

  func takeTurn(of room: HubRoom) {
    guard !room.incoming.isEmpty else {
      if tellNews(of: room) { wake(room) }
      return sync(room)
    }
    let incoming = room.incoming
    switch room.file.append(incoming.map(\.line)) {
    case .appended(let places, let news, let isTold):
      for (event, place) in zip(incoming, places) {
        room.recent.remember(event.line.id, (place.cursor, event.client))
        room.note(event, at: place.cursor, isDuplicate: place.isDuplicate)
      }
      room.incoming = []
      room.busySince = nil
      tell(news, isTold ? [] : incoming, at: places, in: room)
      if isTold { wake(room) }
      sync(room)
    case .busy(let news):
      // Reading what others have appended is no waiting.
      if !news.isEmpty { room.busySince = nil }
      tell(news, in: room)
      waitForLock(of: room)
    case .failed(let error, let news):
      tell(news, in: room)
      refuseIncoming(of: room, ProtocolError(error))
      log(HubLogEntry(kind: .problem, peer: "", text: error.description))
    }
  }

  private func waitForLock(of room: HubRoom) {
    let since = room.busySince ?? .now
    room.busySince = since
    guard ContinuousClock.now - since <= configuration.limits.lockPatience else {
      return refuseIncoming(
        of: room, ProtocolError(.retry, "another program keeps the room's file locked"))
    }
    guard !room.isRetryComing else { return }
    room.isRetryComing = true
    let name = room.name
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
      self?.assumeIsolated { hub in
        guard let room = hub.rooms[name] else { return }
        room.isRetryComing = false
        hub.wake(room)
      }
    }
  }

  private func refuseIncoming(of room: HubRoom, _ error: ProtocolError) {
    for event in room.incoming {
      answer(event.client, .error(ref: event.ref, error), event.sizeInBytes)
    }
    room.incoming = []
    room.busySince = nil
    letGo(of: room)
  }

  /// Acknowledges everything that was appended up to now, once it is synced;
  /// what comes meanwhile goes together in the next sync.
  private func sync(_ room: HubRoom) {
    guard !room.isSyncing, !room.unsynced.isEmpty else { return }
    room.isSyncing = true
    let wait = Self.syncInterval - (ContinuousClock.now - room.syncedAt)
    guard wait > .zero else { return startSync(of: room.name) }
    let name = room.name
    executor.queue.asyncAfter(deadline: .now() + wait.seconds) { [weak self] in
      self?.assumeIsolated { $0.startSync(of: name) }
    }
  }

  private func startSync(of name: String) {
    guard let room = rooms[name] else { return }
    let batch = room.unsynced
    room.unsynced = []
    room.file.sync { [weak self] error in
      self?.assumeIsolated { $0.finishSync(of: name, batch, error) }
    }
  }

  private func finishSync(
    of name: String, _ batch: [HubRoom.Unsynced], _ error: TransportError?
  ) {
    guard let room = rooms[name] else { return }
    room.isSyncing = false
    room.syncedAt = .now
    for event in batch {
      if let error {
        var fault = ProtocolError(error)
        fault.isCertain = false
        answer(event.client, .error(ref: event.ref, fault), event.sizeInBytes)
      } else {
        answer(event.client, .ack(ref: event.ref, event.acknowledgement), event.sizeInBytes)
      }
    }
    if let error {
      // What is repeated must be written anew.
      room.recent.removeAll()
      log(HubLogEntry(kind: .problem, peer: "", text: error.description))
    }
    sync(room)
    letGo(of: room)
    endIfEmpty()
  }

  /// Answers what one has sent who may have gone since.
  func answer(_ number: Int, _ answer: Answer, _ sizeInBytes: Int) {
    guard let client = clients[number] else { return }
    client.unansweredBytes -= sizeInBytes
    if case .closing = client.stage { return }
    client.tell(answer)
    wake(client)
  }

  // MARK: - Telling everyone

  /// Tells what others have appended to the file.
  /// - Returns: whether there is more.
  @discardableResult
  func tellNews(of room: HubRoom) -> Bool {
    let (updates, more) = room.file.news()
    tell(updates, in: room)
    return more
  }

  /// Tells what others have appended, after that what was sent here, and who
  /// has come and gone.
  private func tell(
    _ updates: [RoomUpdate], _ incoming: [HubRoom.Incoming] = [],
    at places: [RoomAppender.Place] = [], in room: HubRoom
  ) {
    var block: [UInt8] = []
    append(updates, of: room, to: &block)
    for (event, place) in zip(incoming, places) where !place.isDuplicate {
      room.appendEvent(place.cursor, to: &block) { $0.append(contentsOf: event.line.bytes) }
    }
    room.appendPresences(ofAtMost: configuration.limits.announcedMembers, to: &block)
    tell(block, in: room)
  }

  private func append(_ updates: [RoomUpdate], of room: HubRoom, to block: inout [UInt8]) {
    for update in updates {
      switch update {
      case .replay(let events), .events(let events):
        for event in events { room.noteAuthor(of: event.event) }
        room.append(events, to: &block)
      case .reset: Answer.reset(room: room.name).encode(into: &block)
      case .problem(let problem):
        log(HubLogEntry(kind: .problem, peer: "", text: problem.description))
      case .state(.offline(let reason)):
        log(HubLogEntry(kind: .problem, peer: "", text: reason.description))
      case .live, .state, .identity, .notice, .commands, .title, .newTitle, .offer: break
      }
    }
  }

  /// Sends the same bytes to all who are live; one who does not take them in
  /// time reads them from the file.
  private func tell(_ block: [UInt8], in room: HubRoom) {
    let before = room.told
    room.told = room.file.position
    guard !block.isEmpty else { return }
    for subscription in room.subscriptions where subscription.isLive {
      let connection = subscription.client.connection
      guard connection.pendingBytes + block.count <= configuration.limits.outputBytes else {
        fallBehind(subscription, before)
        continue
      }
      do throws(LineConnection.End) { try connection.send(block) } catch {
        // Whoever called this may be about to do something for him.
        subscription.client.isBroken = true
        wake(subscription.client)
      }
    }
  }

  private func fallBehind(_ subscription: Subscription, _ place: Cursor) {
    do throws(TransportError) {
      subscription.reader = try subscription.room.file.reader(after: place)
    } catch {
      log(HubLogEntry(kind: .problem, peer: "", text: error.description))
    }
    if subscription.reader == nil { startOver(subscription) }
    // Nobody else may have to write to him.
    wake(subscription.client)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

extension ProtocolError {
  /// What went wrong with the room's file, without its path.
  init(_ error: TransportError) {
    let errorClass: Class =
      switch error.code {
      case .notFound: .notFound
      case .denied: .denied
      case .invalid, .cannotCreate: .invalid
      case .tooLarge: .tooLarge
      case .gone: .gone
      default: error.code.isTransient ? .retry : .fatal
      }
    self.init(errorClass, error.reason, code: error.code.name)
  }
}
