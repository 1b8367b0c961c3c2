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
  /// - Parameters:
  ///   - cursor: where it is in the room; nil for what has no place of its own
  ///     at the server, comes behind what was read, and moves nothing.
  ///   - isPlayback: whether it is dropped where the host has read it.
  ///   - isPast: whether it comes before what is held.
  func tell(
    _ event: Event, _ cursor: RoomCursor?, in room: Room, isPlayback: Bool = false,
    isPast: Bool = false
  ) {
    if isPlayback, let read = room.cursor, let cursor,
      cursor.isBefore(read) || cursor.isSame(as: read)
    {
      return
    }
    guard room.seen.insert(event.id) else { return }
    if room.isOpen, isPast || !room.isReplaying {
      send(event, cursor, in: room)
    } else {
      if room.isOpen, room.isHoldingMuch { finishReplay(of: room) }
      room.isReplaying || !room.isOpen
        ? room.hold(event, cursor) : send(event, cursor, in: room)
    }
  }

  func send(_ event: Event, _ cursor: RoomCursor?, in room: Room) {
    if let cursor { advance(room, to: cursor) }
    let place = place(in: room).cursor
    tellHost(.event(room: room.name, RoomEvent(event: event, cursor: place)))
  }

  /// A cursor never goes back, nor ahead of the server: one server of a network
  /// whose clock is wrong hides nothing that the others say.
  func advance(_ room: Room, to place: RoomCursor) {
    guard place.milliseconds <= serverTime.milliseconds + Self.skewMilliseconds,
      place.milliseconds >= room.cursor?.milliseconds ?? .min
    else { return }
    room.cursor = place
  }

  private static let skewMilliseconds: Int64 = 5_000

  /// What was told has been read, if the server says where it is in the room.
  func move(_ room: Room, to incoming: Incoming) {
    guard room.isOpen, !room.isReplaying, incoming.tags.time != nil else { return }
    let id = incoming.messageID.flatMap { isUsable($0) ? $0 : nil }
    advance(
      room, to: RoomCursor(milliseconds: time(of: incoming).milliseconds, messageID: id))
  }

  /// Where a room is now: behind what was read.
  func place(in room: Room) -> RoomCursor {
    room.cursor ?? RoomCursor(milliseconds: serverTime.milliseconds)
  }

  func releaseHeld(of room: Room) {
    let held = room.takeHeld()
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
    let notice = Notice(
      eventID: id ?? eventIDs.next(), content: text.cut(to: Self.noticeLimit), createdAt: time)
    tell(.notice(notice), nil, in: room)
  }

  func tellPresence(_ person: Person, _ isPresent: Bool, in room: Room) {
    guard room.isOpen, settings.tellsJoins, room.crowd.isSmall else { return }
    let presence = Presence(
      eventID: eventIDs.next(), profileID: person.profileID, isPresent: isPresent,
      createdAt: now.time)
    tell(.presence(presence), nil, in: room)
  }

  func tellProfile(_ person: Person, _ change: ProfileChange) {
    for room in rooms.values where room.isOpen && isMember(person, of: room) {
      tell(.profile(change), nil, in: room)
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
