internal import ChatModel
internal import Dispatch
internal import Executors
internal import Glibc
internal import Sockets
internal import Transport

/// Rooms: who is in them, and what is read from them.
extension Hub {
  /// The room of that name, opened where it is not open.
  func room(named name: String) throws(ProtocolError) -> HubRoom {
    let (name, path) = try place(of: name)
    if let room = rooms[name] { return room }
    if !configuration.makesRooms, access(path, F_OK) != 0 {
      throw ProtocolError(.notFound, "there is no room called \(name)")
    }
    do throws(TransportError) {
      let isOwn = if case .folder = configuration.place { true } else { false }
      let file = try SharedRoomFile(path: path, isOwn: isOwn, queue: executor.queue) {
        [weak self] names in
        self?.assumeIsolated { $0.changed(name, names: names) }
      }
      let room = HubRoom(name: name, file: file)
      rooms[name] = room
      return room
    } catch {
      log(HubLogEntry(kind: .problem, peer: "", text: error.description))
      throw ProtocolError(error)
    }
  }

  /// A room's name as all call it, and its file: one component of a path, and
  /// nothing that is hidden.
  private func place(of name: String) throws(ProtocolError) -> (name: String, path: String) {
    switch configuration.place {
    case .file(let path):
      let own = ownName("")
      guard ownName(name) == own else {
        throw ProtocolError(.notFound, "this hub has one room, called \(own)")
      }
      return (own, path)
    case .folder(let folder):
      guard case .named(let plain)? = (try? RoomAddress(name))?.place,
        plain.utf8.first != UInt8(ascii: ".")
      else { throw ProtocolError(.invalid, "a room is called by a plain name") }
      return (plain, RoomFolder(folder).file(ofRoom: plain))
    }
  }

  /// A room's name, where one who comes may leave it out.
  func ownName(_ name: String) -> String {
    guard name.isEmpty, let soleRoom else { return name }
    return soleRoom
  }

  /// The room of that name, which somebody has to be in.
  func joinedRoom(_ name: String, of client: HubClient) throws(ProtocolError) -> HubRoom {
    guard let room = client.subscriptions[ownName(name)]?.room else {
      throw ProtocolError(.denied, "join the room first")
    }
    return room
  }

  private func changed(_ name: String, names: Bool) {
    guard let room = rooms[name] else { return }
    room.file.changed(names: names)
    wake(room)
  }

  /// The rooms that somebody may enter.
  func roomItems(for client: HubClient) -> [RoomItem] {
    client.hasAskedMuch = true
    switch configuration.place {
    case .file:
      let name = ownName("")
      return [RoomItem(room: name, members: rooms[name]?.subscriptions.count ?? 0)]
    case .folder(let folder):
      return RoomFolder(folder).roomNames.filter { client.account?.mayEnter($0) ?? true }.map {
        RoomItem(room: $0, members: rooms[$0]?.subscriptions.count ?? 0)
      }
    }
  }

  // MARK: - Joining

  func join(_ client: HubClient, _ ref: String, _ request: JoinRequest) {
    client.hasAskedMuch = true
    do throws(ProtocolError) {
      let room = try room(named: request.room)
      defer { letGo(of: room) }
      let old = client.subscriptions[room.name]
      guard old != nil || client.subscriptions.count < configuration.limits.roomsPerConnection
      else {
        throw ProtocolError(.tooLarge, "one connection cannot be in more rooms")
      }
      guard client.account?.mayEnter(room.name) ?? true else {
        throw ProtocolError(.denied, "this account may not enter \(room.name)")
      }
      // So that where the room ends is known to be there.
      if tellNews(of: room) { wake(room) }
      let (reader, isReset) = try reader(of: room, request)
      if let old { room.remove(old) }
      let subscription = Subscription(client, in: room, from: reader)
      client.subscriptions[room.name] = subscription
      room.add(subscription)
      client.tell(.joined(ref: ref, Joined(room: room.name, newest: room.told)))
      if isReset { client.tell(.reset(room: room.name)) }
      catchUp(subscription)
      wake(room)
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }

  /// Where somebody begins to read: a place and a number of messages are both
  /// reached. Nil for one who wants nothing but what comes.
  private func reader(
    of room: HubRoom, _ request: JoinRequest
  ) throws(ProtocolError) -> (reader: RoomReader?, isReset: Bool) {
    do throws(TransportError) {
      var tail = request.tail ?? 0
      var reader: RoomReader?
      var isReset = false
      if let after = request.after, after != room.told {
        reader = try room.file.reader(after: after)
        isReset = reader == nil
        if isReset { tail = request.tail ?? Self.resetTail }
      }
      guard tail > 0 else { return (reader, isReset) }
      let last = try room.file.reader(tail: tail)
      return (reader.map { $0.isBefore(last) ? $0 : last } ?? last, isReset)
    } catch {
      throw ProtocolError(error)
    }
  }

  /// How many messages those are told whose cursors are void.
  private static let resetTail = 50

  func leave(_ client: HubClient, _ name: String) {
    guard let subscription = client.subscriptions.removeValue(forKey: name) else { return }
    let room = subscription.room
    room.remove(subscription)
    if room.isIdle { letGo(of: room) } else { wake(room) }
  }

  func leaveAll(_ client: HubClient) {
    endTransfers(of: client)
    for name in Array(client.subscriptions.keys) { leave(client, name) }
  }

  func letGo(of room: HubRoom) {
    if room.isIdle { rooms[room.name] = nil }
  }

  // MARK: - Reading

  /// Sends somebody what he has missed, as far as he takes it.
  /// - Returns: whether it was so much that it has to wait.
  @discardableResult
  func catchUp(_ subscription: Subscription) -> Bool {
    let (client, room) = (subscription.client, subscription.room)
    while let reader = subscription.reader {
      guard client.connection.pendingBytes < configuration.limits.outputBytes / 2 else {
        return true
      }
      switch reader.next() {
      case .events(let events):
        client.connection.append { room.append(events, to: &$0) }
      case .more: return true
      case .void: startOver(subscription)
      case .end:
        // Others may have appended what the hub has not looked at yet.
        if reader.position != room.told, tellNews(of: room) { wake(room) }
        if reader.position == room.told || (try? room.file.isThere) == false {
          subscription.reader = nil
        } else if reader.isReplaced {
          startOver(subscription)
        } else {
          lookLater(at: subscription)
          return false
        }
      }
    }
    guard subscription.isReplaying else { return false }
    subscription.isReplaying = false
    client.tell(.live(room: room.name, cursor: room.told))
    wake(client)
    return false
  }

  /// Goes on in what has taken the place of the file that somebody was in.
  func startOver(_ subscription: Subscription) {
    let room = subscription.room
    subscription.client.tell(.reset(room: room.name))
    do throws(TransportError) {
      subscription.reader = try room.file.reader(tail: Self.resetTail)
    } catch {
      subscription.reader = nil
      log(HubLogEntry(kind: .problem, peer: "", text: error.description))
    }
  }

  /// Until those who are live have been told of the file that somebody is in.
  private func lookLater(at subscription: Subscription) {
    let number = subscription.client.number
    executor.queue.asyncAfter(deadline: .now() + .milliseconds(20)) { [weak self] in
      self?.assumeIsolated { hub in hub.clients[number].map { hub.wake($0) } }
    }
  }

  func page(_ client: HubClient, _ ref: String, _ request: HistoryRequest) {
    client.hasAskedMuch = true
    do throws(ProtocolError) {
      client.tell(.page(ref: ref, try joinedRoom(request.room, of: client).page(request)))
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }
}

extension HubRoom {
  /// A part of the past that fits into one line.
  fileprivate func page(_ request: HistoryRequest) throws(ProtocolError) -> Page {
    do throws(TransportError) {
      if let after = request.after { return try page(after: after, limit: request.limit) }
      let page = try file.history(before: request.before, limit: min(max(request.limit, 1), 1000))
      let events = page.events.map(\.shortened).suffix(fitting: LineProtocol.pageBytes)
      let isCut = events.count < page.events.count
      // The place before the first event of what is left is behind the one
      // before it.
      let next = isCut ? page.events[page.events.count - events.count - 1].cursor : page.start
      return Page(events: Array(events), more: isCut || page.more, next: next)
    } catch {
      throw ProtocolError(error)
    }
  }

  private func page(after: Cursor, limit: Int) throws(TransportError) -> Page {
    guard let reader = try file.reader(after: after) else {
      throw TransportError(.gone, reason: "the room was replaced since; read it from its end")
    }
    let read =
      if case .events(let events) = reader.next() { events } else { [] as [RoomEvent] }
    let events = read.prefix(min(max(limit, 1), 1000)).map(\.shortened)
      .prefix(fitting: LineProtocol.pageBytes)
    let next = events.last?.cursor ?? reader.position
    return Page(events: Array(events), more: next != after, next: next)
  }
}

extension [RoomEvent] {
  fileprivate func suffix(fitting bytes: Int) -> ArraySlice<RoomEvent> {
    var left = bytes
    var start = endIndex
    while start > startIndex {
      left -= self[start - 1].encodedBytes
      if left < 0, start < endIndex { break }
      start -= 1
    }
    return self[start...]
  }

  fileprivate func prefix(fitting bytes: Int) -> ArraySlice<RoomEvent> {
    var left = bytes
    var end = startIndex
    while end < endIndex {
      left -= self[end].encodedBytes
      if left < 0, end > startIndex { break }
      end += 1
    }
    return self[..<end]
  }
}

extension RoomEvent {
  fileprivate var encodedBytes: Int { event.encodedBytes + 128 }

  fileprivate var shortened: RoomEvent {
    guard event.encodedBytes > Event.maximumBytesOfLine else { return self }
    return RoomEvent(event: event.shortened, cursor: cursor)
  }
}
