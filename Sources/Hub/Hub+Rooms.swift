internal import ChatModel
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
      let file = try SharedRoomFile(path: path, queue: executor.queue) { [weak self] names in
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
      let own = (try? RoomAddress(path))?.displayName ?? ""
      guard name.isEmpty || name == own else {
        throw ProtocolError(.notFound, "this hub has one room, called \(own)")
      }
      return (own, path)
    case .folder(let folder):
      guard case .named(let plain)? = (try? RoomAddress(name))?.place,
        plain.utf8.first != UInt8(ascii: ".")
      else { throw ProtocolError(.invalid, "a room is called by a plain name") }
      return (plain, "\(folder)/\(plain).jsonl")
    }
  }

  private func changed(_ name: String, names: Bool) {
    guard let room = rooms[name] else { return }
    room.file.changed(names: names)
    wake(room)
  }

  func roomItems() -> [RoomItem] {
    switch configuration.place {
    case .file(let path):
      let name = (try? RoomAddress(path))?.displayName ?? ""
      return [RoomItem(room: name, members: rooms[name]?.subscriptions.count ?? 0)]
    case .folder(let folder):
      return roomNames(in: folder).map {
        RoomItem(room: $0, members: rooms[$0]?.subscriptions.count ?? 0)
      }
    }
  }

  // MARK: - Joining

  func join(_ client: HubClient, _ ref: String, _ request: JoinRequest) {
    do throws(ProtocolError) {
      guard client.subscriptions.count < configuration.limits.roomsPerConnection else {
        throw ProtocolError(.tooLarge, "one connection cannot be in more rooms")
      }
      let room = try room(named: request.room)
      guard client.account?.mayEnter(room.name) ?? true else {
        letGo(of: room)
        throw ProtocolError(.denied, "this account may not enter \(room.name)")
      }
      leave(client, room.name)
      client.tell(.joined(ref: ref, Joined(room: room.name, newest: room.told)))
      let subscription = Subscription(
        client, in: room, from: try reader(of: room, for: client, request))
      client.subscriptions[room.name] = subscription
      room.subscriptions.append(subscription)
      catchUp(subscription)
    } catch {
      client.tell(.error(ref: ref, error))
    }
  }

  /// Where somebody begins to read: a place and a number of messages are both
  /// reached. Nil for one who wants nothing but what comes.
  private func reader(
    of room: HubRoom, for client: HubClient, _ request: JoinRequest
  ) throws(ProtocolError) -> RoomReader? {
    do throws(TransportError) {
      var tail = request.tail ?? 0
      var reader: RoomReader?
      if let after = request.after, after != room.told {
        reader = try room.file.reader(after: after)
        if reader == nil {
          client.tell(.reset(room: room.name))
          tail = max(tail, 50)
        }
      }
      guard tail > 0 else { return reader }
      let last = try room.file.reader(tail: tail)
      return reader.map { $0.isBefore(last) ? $0 : last } ?? last
    } catch {
      throw ProtocolError(error)
    }
  }

  func leave(_ client: HubClient, _ name: String) {
    guard let subscription = client.subscriptions.removeValue(forKey: name) else { return }
    subscription.room.remove(subscription)
    letGo(of: subscription.room)
  }

  func leaveAll(_ client: HubClient) {
    for name in Array(client.subscriptions.keys) { leave(client, name) }
  }

  func letGo(of room: HubRoom) {
    if room.isIdle { rooms[room.name] = nil }
  }

  // MARK: - Reading

  /// Sends somebody what he has missed, as far as he takes it.
  func catchUp(_ subscription: Subscription) {
    let (client, room) = (subscription.client, subscription.room)
    while let reader = subscription.reader {
      guard client.connection.pendingBytes < configuration.limits.outputBytes / 2 else { return }
      let events = (try? reader.read()) ?? []
      if !events.isEmpty {
        client.connection.append { room.append(events, to: &$0) }
        continue
      }
      // Others may have appended what the hub has not looked at yet.
      if reader.position != room.told { tellNews(of: room) }
      guard reader.position == room.told else { return restart(subscription) }
      subscription.reader = nil
    }
    guard subscription.isReplaying else { return }
    subscription.isReplaying = false
    client.tell(.live(room: room.name, cursor: room.told))
    wake(client)
  }

  /// Goes on in a file that has taken the place of the one he was reading.
  private func restart(_ subscription: Subscription) {
    guard let reader = subscription.reader,
      (try? subscription.room.file.reader(after: reader.position)) == nil
    else { return wake(subscription.client) }
    subscription.client.tell(.reset(room: subscription.room.name))
    subscription.reader = try? subscription.room.file.reader(tail: 50)
    wake(subscription.client)
  }

  func page(_ client: HubClient, _ ref: String, _ request: HistoryRequest) {
    do throws(ProtocolError) {
      guard let room = client.subscriptions[request.room]?.room else {
        throw ProtocolError(.denied, "join the room first")
      }
      client.tell(.page(ref: ref, try room.page(request)))
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
      let events = page.events.suffix(fitting: LineProtocol.pageBytes)
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
    let read = Array(try reader.read().prefix(min(max(limit, 1), 1000)))
    let events = read.prefix(fitting: LineProtocol.pageBytes)
    let next = events.last?.cursor ?? reader.position
    return Page(events: Array(events), more: !read.isEmpty, next: next)
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
  fileprivate var encodedBytes: Int {
    var buffer: [UInt8] = []
    EventCodec.encode(event, into: &buffer)
    return buffer.count + 128
  }
}

/// The rooms of a folder, in the order of their names; at most 10,000.
private func roomNames(in folder: String) -> [String] {
  guard let stream = opendir(folder) else { return [] }
  defer { closedir(stream) }
  var names: [String] = []
  while names.count < 10_000, let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard name.hasSuffix(".jsonl"), !name.hasPrefix(".") else { continue }
    names.append(String(name.dropLast(6)))
  }
  return names.sorted()
}
