internal import ChatModel
internal import Transport

/// What the host and the server are told.
extension IRCSession {
  func tellHost(_ answer: Answer) {
    answer.encode(into: &output)
  }

  func say(_ line: OutgoingLine, urgently: Bool = false) {
    queue.add(line.bytes, urgently: urgently)
  }

  func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Tells the user what is about no room in particular.
  func tellUser(_ text: String) {
    if let room = activeRoom ?? rooms.values.first(where: \.isOpen), room.isOpen {
      tellNotice(text, in: room)
    } else {
      tellHost(.log(level: "warn", message: text))
    }
  }

  func log(_ text: String) {
    tellHost(.log(level: "info", message: text))
  }

  // MARK: - Of rooms

  /// Tells an event, once; holds it back while what was before it is told.
  func tell(
    _ event: Event, _ cursor: RoomCursor, in room: Room, isPlayback: Bool = false
  ) {
    if isPlayback, let read = room.cursor, cursor.isBefore(read) || cursor.isSame(as: read) {
      return
    }
    guard room.seen.insert(event.id) else { return }
    if room.isOpen, isPlayback || !room.isReplaying {
      send(event, cursor, in: room)
    } else {
      if room.isOpen, room.isHoldingMuch { finishReplay(of: room) }
      room.isReplaying || !room.isOpen
        ? room.hold(event, cursor) : send(event, cursor, in: room)
    }
  }

  func send(_ event: Event, _ cursor: RoomCursor, in room: Room) {
    advance(room, to: cursor)
    let place = (room.cursor ?? cursor).cursor
    tellHost(.event(room: room.name, RoomEvent(event: event, cursor: place)))
  }

  /// A cursor never goes back, whatever the server's clock does.
  func advance(_ room: Room, to place: RoomCursor) {
    if place.milliseconds >= room.cursor?.milliseconds ?? .min { room.cursor = place }
  }

  /// What was told has been read, if the server says where it is in the room.
  func move(_ room: Room, to incoming: Incoming) {
    guard room.isOpen, !room.isReplaying, incoming.tags.time != nil else { return }
    let id = incoming.messageID.flatMap { isUsable($0) ? $0 : nil }
    advance(
      room, to: RoomCursor(milliseconds: time(of: incoming).milliseconds, messageID: id))
  }

  /// Where a room is now: what has no place of its own at the server comes
  /// behind what was read, and moves nothing.
  func place(in room: Room) -> RoomCursor {
    room.cursor ?? RoomCursor(milliseconds: serverTime.milliseconds)
  }

  func releaseHeld(of room: Room) {
    let held = room.held
    room.held = []
    if room.hasLostHeld {
      room.hasLostHeld = false
      tellNotice(wording.tooMuchMissed, in: room)
    }
    for (event, cursor) in held { send(event, cursor, in: room) }
  }

  /// Tells what nobody said.
  func tellNotice(
    _ text: String, in room: Room, at time: Timestamp? = nil, id: String? = nil
  ) {
    guard room.isOpen else { return }
    let time = time ?? now.time
    let notice = Notice(eventID: id ?? eventIDs.next(), content: text, createdAt: time)
    tell(.notice(notice), place(in: room), in: room)
  }

  func tellPresence(_ person: Person, _ isPresent: Bool, in room: Room) {
    guard room.isOpen, settings.tellsJoins, room.crowd.isSmall else { return }
    let presence = Presence(
      eventID: eventIDs.next(), profileID: person.profileID, isPresent: isPresent,
      createdAt: now.time)
    tell(.presence(presence), place(in: room), in: room)
  }

  func tellProfile(_ person: Person, _ change: ProfileChange) {
    for room in rooms.values where room.isOpen && isMember(person, of: room) {
      tell(.profile(change), place(in: room), in: room)
    }
  }

  private func isMember(_ person: Person, of room: Room) -> Bool {
    let folded = features.caseMapping.fold(person.nick)
    return room.isQuery
      ? features.caseMapping.fold(room.target) == folded : room.members[folded] != nil
  }

  func tellCrowd(of room: Room) {
    let notes = room.crowd.take(at: now.uptime)
    guard settings.tellsJoins else { return }
    tellNotice(wording.crowd(notes), in: room)
  }
}
