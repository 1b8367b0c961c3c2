internal import ChatModel
internal import SessionLog
internal import TerminalText
internal import Transport

/// The rooms of a session, of which one is current.
extension Session {
  /// As many as anybody can follow.
  private static let roomLimit = 100

  /// Who one is in a room: the far side may have its own word on that.
  func ownProfile(in room: JoinedRoom) -> Profile {
    var profile = settings.profile
    guard let identity = room.identity else { return profile }
    if profile.name == profile.id { profile.name = identity.name }
    if let name = room.ownName { profile.name = name }
    profile.id = identity.id
    return profile
  }

  func ownID(in room: JoinedRoom) -> String { room.identity?.id ?? settings.profile.id }

  func isOpen(_ room: JoinedRoom) -> Bool { rooms.contains { $0 === room } }

  // MARK: - Joining

  /// `/join ROOM`: opens a room and makes it current; one that is open and out
  /// of reach is tried again.
  func join(_ argument: String) throws(CommandError) {
    guard !argument.isEmpty else {
      throw CommandError(
        language("say which: /join ROOM; /rooms lists them", "방을 쓰세요: /join 방. /rooms 목록"))
    }
    if let room = openRoom(named: argument) { return comeBack(to: room) }
    let (name, key) = roomAndKey(argument)
    let address = try address(ofRoom: name)
    let logged = try parts.source.loggedRoom(address)
    if let room = rooms.first(where: { $0.logged.address == logged.address }) {
      return comeBack(to: room, with: key)
    }
    if isNew(address) { say(language("new room \(name)", "새 방 \(name)")) }
    let former = current
    let room = try add(address)
    turn(to: room)
    room.reception = Task {
      if let key { await room.transport.unlock(with: key) }
      await stay(in: room, after: former, as: name)
    }
  }

  /// Turns to a room that is open.
  private func comeBack(to room: JoinedRoom, with key: String? = nil) {
    turn(to: room)
    guard !room.isReachable else { return }
    run {
      if let key { await room.transport.unlock(with: key) }
      await room.transport.reconnect()
    }
  }

  /// Opens a room beside the others.
  func add(_ address: RoomAddress) throws(CommandError) -> JoinedRoom {
    let logged = try parts.source.loggedRoom(address)
    guard rooms.count < Self.roomLimit else {
      throw CommandError(
        language("too many rooms are open; /leave one", "열린 방이 너무 많습니다. /leave로 나가세요"))
    }
    guard !rooms.contains(where: { $0.logged.address == logged.address }) else {
      throw CommandError(language("it is open", "열려 있습니다"))
    }
    return add(address, logged, try parts.source.transport(address, settings.profile))
  }

  private func add(
    _ address: RoomAddress, _ logged: LoggedRoom, _ transport: any Transport
  ) -> JoinedRoom {
    let log = parts.log.map { LogWriter($0, room: logged, now: parts.now) }
    let room = JoinedRoom(roomNumber(of: logged), address, logged, transport, log: log)
    rooms.append(room)
    leaving = []
    nameRooms()
    return room
  }

  /// The number of a room, given to it now if it has none.
  func roomNumber(of logged: LoggedRoom) -> Int {
    let number = roomNumbers[logged.address] ?? roomNumbers.count
    roomNumbers[logged.address] = number
    return number
  }

  /// Enters a room and takes what it tells; where it cannot be entered, all is
  /// as if nobody had wanted to.
  private func stay(in room: JoinedRoom, after former: JoinedRoom, as argument: String) async {
    await closings[room.logged.address]?.value
    do throws(TransportError) {
      let beginning = try await enter(room)
      guard isOpen(room) else { return }
      show(titleRows(of: room), messages: 0)
      if let beginning { take(beginning, in: room) }
    } catch {
      guard isOpen(room) else { return }
      tellUnsent(in: room)
      let typed = room === current ? surface.line : room.draft
      forget(room, for: former)
      let line = typed.isEmpty ? "/join \(argument)" : typed
      return returnLine(line, language(error.text), to: isOpen(former) ? former : current)
    }
    await receiveAll(in: room)
  }

  /// Enters a room: one far away from where it was left last time, of which
  /// the log knows; of a file, nothing is logged before it can be opened.
  func enter(_ room: JoinedRoom) async throws(TransportError) -> LogWriter.Beginning? {
    guard room.isRemote else {
      try await room.transport.join(tail: settings.tail)
      return await beginLog(of: room)
    }
    let beginning = await beginLog(of: room)
    try await room.transport.join(
      tail: settings.tail, after: (beginning?.start.cursor).map(Cursor.init(value:)))
    return beginning
  }

  // MARK: - Turning from one to another

  /// Makes a room current: what was typed stays with the room in which it was.
  func turn(to room: JoinedRoom) {
    guard room !== current else { return }
    let former = current
    former.draftTask?.cancel()
    former.draft = surface.line
    former.log?.note(draft: former.draft)
    turns += 1
    (room.turn, room.newCount) = (turns, 0)
    current = room
    if surface.line != room.draft { surface.replaceLine(room.draft) }
    releaseHeld()
    updatePrompt()
  }

  /// To the next room with something new, in the order of joining.
  func turnToNextRoom() {
    let place = rooms.firstIndex { $0 === current } ?? 0
    let order = rooms[place...] + rooms[..<place]
    if let next = order.first(where: { $0.newCount > 0 }) { return turn(to: next) }
    say(
      rooms.count == 1
        ? language("this is the only room that is open", "열린 방은 이 방뿐입니다")
        : language("nothing is new in the other rooms", "다른 방에 새 메시지가 없습니다"))
  }

  // MARK: - Forgetting

  /// Takes a room off the session, and closes it behind the prompt's back.
  /// - Parameter next: the room to turn to; else the one that was current last.
  func forget(_ room: JoinedRoom, for next: JoinedRoom? = nil) {
    let others = rooms.filter { $0 !== room }
    if room === current,
      let next = next.flatMap({ next in others.first { $0 === next } })
        ?? others.max(by: { $0.turn < $1.turn })
    {
      turn(to: next)
    }
    rooms = others
    leaving = []
    nameRooms()
    updatePrompt()
    room.reception?.cancel()
    close(room, behind: giveUpAttachments(in: room))
  }

  /// Ends what a room has under way, its session in the log, and the way to it.
  /// - Parameter givenUp: what has its time to end first.
  func close(_ room: JoinedRoom, behind givenUp: [Attachment] = []) {
    let address = room.logged.address
    let former = closings[address]
    closings[address] = Task {
      await former?.value
      await waitUntilGone(givenUp)
      await waitForDelivery(in: [room])
      room.stop()
      await room.gallery?.close()
      await room.log?.end(draft: room.draft)
      await room.transport.close()
    }
  }
}

extension JoinedRoom {
  /// Gives up what is under way.
  func stop() {
    deliveryTask?.cancel()
    deliveryTask = nil
    keepingTask?.cancel()
    draftTask?.cancel()
    gallery?.cancelOnTheWay { _, _ in false }
  }
}
