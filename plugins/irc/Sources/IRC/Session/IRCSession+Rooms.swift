internal import ChatModel
internal import Transport

/// Entering rooms, and leaving them.
extension IRCSession {
  /// The room that the host calls so.
  func hostRoom(_ name: String) -> Room? {
    hostRooms[name] ?? rooms[features.caseMapping.fold(name)]
  }

  func join(_ ref: String, _ request: JoinRequest) {
    let name = request.room
    if let endReason { return refuse(ref, .denied, endReason) }
    guard isPossible(name) else { return refuse(ref, .invalid, wording.noRoom(name)) }
    let folded = features.caseMapping.fold(name)
    let room =
      hostRoom(name) ?? Room(name: name, isQuery: !features.isChannel(name))
    if room.isWanted, room.name != name, hostRooms[room.name] === room, hostRooms[name] == nil {
      return refuse(ref, .invalid, wording.sameRoom(name, room.name))
    }
    refuseJoin(of: room, ProtocolError(.retry, wording.notInside(name)))
    rooms[features.caseMapping.fold(room.target)] = room
    hostRooms[name] = room
    if rooms[folded] == nil { rooms[folded] = room }
    room.name = name
    room.isWanted = true
    room.isOpen = false
    room.joinRef = ref
    room.tail = request.tail ?? 0
    if let key = request.key, !key.isEmpty { (room.key, room.keyAttempts) = (key, 1) }
    if let after = request.after.flatMap(RoomCursor.init) { room.cursor = after }
    // One that somebody else has opened is not where the user is.
    if activeRoom == nil || room.offerDeadline == nil { activeRoom = room }
    guard case .online = stage else { return }
    if room.isQuery || room.standing == .inside { return open(room) }
    enter([room])
  }

  private func isPossible(_ name: String) -> Bool {
    (1...200).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ":")
      && !name.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") || $0 == 0x7f }
  }

  /// Asks the server to let into channels.
  func enter(_ channels: [Room]) {
    var rest = channels.filter { $0.standing == .outside }.sorted { $0.name < $1.name }[...]
    while !rest.isEmpty {
      // One with a key is asked for alone.
      let part = rest.first?.key == nil ? rest.prefix(joinable(in: rest)) : rest.prefix(1)
      rest = rest.dropFirst(part.count)
      for room in part { room.standing = .entering }
      var line = OutgoingLine("JOIN", part.map(\.target).joined(separator: ","))
      if let key = part.first?.key { line.parameters.append(key) }
      begin(Transaction(.join(Array(part)), ref: nil, lineCount: 1), [line])
    }
  }

  /// How many of the first channels fit into one line.
  private func joinable(in channels: ArraySlice<Room>) -> Int {
    var rest = features.lineLength - "JOIN ".utf8.count - 2
    let limit = min(10, features.targetLimit(of: "JOIN") ?? 10)
    let count = channels.prefix(limit).prefix { room in
      rest -= room.target.utf8.count + 1
      return room.key == nil && rest >= 0
    }.count
    return max(1, count)
  }

  func finishJoin(_ rooms: [Room], _ transaction: Transaction) {
    for room in rooms {
      if room.standing == .inside {
        if room.awaitsOpening { open(room) }
      } else if room.standing == .entering {
        room.standing = .outside
        let reason = transaction.failure?.message ?? wording.loginTooSlow
        refuseEntry(room, transaction.failure ?? ProtocolError(.retry, reason))
      }
    }
  }

  /// The server does not let into a room.
  func refuseEntry(_ room: Room, _ failure: ProtocolError) {
    room.standing = .outside
    var failure = failure
    failure.message = wording.cannotEnter(room.name, failure.message)
    if room.joinRef != nil {
      room.isWanted = false
      refuseJoin(of: room, failure)
    } else {
      tellNotice(failure.message, in: room)
      room.isReplaying = false
    }
    refuseWaiting(in: room, failure)
  }

  /// Answers a request to join that waits.
  func refuseJoin(of room: Room, _ failure: ProtocolError) {
    guard let ref = room.joinRef else { return }
    room.joinRef = nil
    tellHost(.error(ref: ref, failure))
  }

  /// Tells the host that it is in, or is again.
  func open(_ room: Room) {
    room.awaitsOpening = false
    room.keyAttempts = 0
    (room.offerDeadline, room.hasBeenOffered) = (nil, false)
    if room.joinRef != nil || !room.isOpen {
      room.isOpen = true
      if room.held.isEmpty { room.seen = RecentIDs(capacity: 4_096) }
      let title = room.isQuery ? room.target : room.topic
      tellHost(
        .joined(
          ref: room.joinRef ?? "",
          Joined(
            room: room.name, title: title,
            capabilities: hostCapabilities(budget: budget(for: room.target)),
            newest: room.cursor?.cursor)))
      room.awaitsLive = room.joinRef != nil
      room.joinRef = nil
    }
    if nick != settings.nick { tellOwnName() }
    startReplay(of: room)
    submitWaiting(in: room)
  }

  /// Tells that one is called otherwise than one wanted to be.
  private func tellOwnName() {
    guard let person = people[foldedNick] else { return }
    tellProfile(
      person,
      ProfileChange(
        eventID: eventIDs.next(), profileID: selfID, profileName: nick, createdAt: now.time))
  }

  func enterQuery(_ room: Room) { open(room) }

  /// ERR_LINKCHANNEL: one channel leads to another.
  func takeForwarding(_ line: IncomingLine) {
    let (from, to) = (line.parameter(1), line.parameter(2))
    let folded = features.caseMapping.fold(from)
    guard let room = rooms[folded], isPossible(to) else { return }
    let other = features.caseMapping.fold(to)
    if room.isOpen {
      tellNotice(wording.forwarded(from, to), in: room)
    } else {
      log(wording.forwarded(from, to))
    }
    rooms[folded] = nil
    if let known = rooms[other], known !== room { return merge(room, into: known, to) }
    room.target = to
    rooms[other] = room
    // What the host has open it knows by that name.
    guard !room.isOpen else { return }
    room.name = to
    hostRooms[to] = room
  }

  /// A channel leads to one that is there already.
  private func merge(_ room: Room, into known: Room, _ name: String) {
    room.isWanted = false
    room.standing = .outside
    refuseWaiting(in: room, ProtocolError(.denied, wording.notInside(room.name)))
    if known.isOpen {
      return refuseJoin(of: room, ProtocolError(.invalid, wording.sameRoom(room.name, known.name)))
    }
    known.isWanted = true
    hostRooms[name] = known
    guard let ref = room.joinRef else { return }
    refuseJoin(of: known, ProtocolError(.retry, wording.notInside(known.name)))
    (room.joinRef, known.joinRef) = (nil, ref)
  }

  func leave(_ ref: String, _ name: String) {
    if let room = hostRoom(name) {
      refuseWaiting(in: room, ProtocolError(.retry, wording.notInside(room.name)))
      failLostSends(in: room)
      room.isWanted = false
      room.isOpen = false
      refuseJoin(of: room, ProtocolError(.retry, wording.notInside(room.name)))
      _ = room.takeHeld()
      if room.standing != .outside { say(OutgoingLine("PART", room.target)) }
      room.standing = .outside
      forgetMembers(of: room)
      hostRooms = hostRooms.filter { $0.value !== room }
      rooms = rooms.filter { $0.value !== room }
      if activeRoom === room { activeRoom = nil }
    }
    tellHost(.left(ref: ref))
  }

  // MARK: - What is told about a room

  func takeTopicReply(_ incoming: Incoming, isEmpty: Bool) {
    let line = incoming.line
    guard let room = room(line.parameter(1)) else { return }
    room.topic = isEmpty ? nil : FormattedText(line.lastParameter).plain.cut(to: Self.noticeLimit)
    tellTopic(of: room)
    commandAnswer(isEmpty ? line.lastParameter : room.topic ?? "", to: incoming)
  }

  func takeTopic(_ incoming: Incoming) {
    guard let room = room(incoming.line.parameter(0)) else { return }
    room.topic = FormattedText(incoming.line.parameter(1)).plain.cut(to: Self.noticeLimit)
    move(room, to: incoming)
    tellNotice(
      wording.topic(by: incoming.nick, room.topic ?? ""), in: room, at: time(of: incoming))
    tellTopic(of: room)
  }

  /// That a room is about something else now.
  private func tellTopic(of room: Room) {
    guard room.isOpen else { return }
    tellHost(.joined(ref: "", Joined(room: room.name, title: room.topic ?? "")))
  }
}
