internal import ChatModel
internal import PluginHost
internal import Transport

/// What is new in rooms, and what of it did not come.
extension NATSSession {
  /// Tells what came and what did not, until nothing is left to tell.
  func tellNews(in room: Room) async throws(ClusterFault) {
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
    if room.isDoubtful || last < room.position.reached, try await beginsAnew(room) { return }
    guard last >= room.position.sequence else { return }
    var unread = room.unread[...]
    room.unread = []
    while !unread.isEmpty {
      guard await tell(unread.prefix(SubjectLog.pageCount), in: room) else { return }
      unread = unread.dropFirst(SubjectLog.pageCount)
    }
    try await room.log.forEachPage(from: room.position.sequence) { page in
      await tell(page[...], in: room)
    }
  }

  /// Where the log ends before what was told, it is another one, or somebody
  /// has made up what was told last. Then it cannot be known what was missed,
  /// and the last messages are told again, which the host notices.
  /// - Returns: whether it is so.
  private func beginsAnew(_ room: Room) async throws(ClusterFault) -> Bool {
    let stream = Self.identity(of: try await room.log.streamFacts())
    let last = try await room.log.lastSequence()
    let isOther = stream != room.stream
    guard isOther || last < room.position.reached else {
      room.isDoubtful = false
      return false
    }
    let start = try await room.log.tail(
      isOther ? room.tail : max(room.tail, SubjectLog.pageCount), before: .behind(last)
    ).start
    room.arrived = []
    room.isDoubtful = false
    (room.stream, room.position, room.isBehind) = (stream, start, true)
    guard isOther else { return true }
    room.isLive = false
    say(.reset(room: room.name))
    return true
  }

  private func tellArrivals(in room: Room) async throws(ClusterFault) {
    let arrived = room.arrived
    room.arrived = []
    for message in arrived where rooms[room.name] === room {
      guard let sequence = message.number(.sequence), sequence <= LogPlace.maximumSequence,
        let last = message.number(.lastSequence)
      else { continue }
      // The first one where others were before: of another stream?
      if last == 0, room.position.reached > 0 {
        return (room.isBehind, room.isDoubtful) = (true, true)
      }
      // Told already, or missed: what is there now is in the log as well.
      if sequence < room.position.sequence { continue }
      guard last <= room.position.reached else { return room.isBehind = true }
      tell(LogMessage(sequence: sequence, bytes: message.bytes), in: room)
    }
    await host?.waitForRoom()
  }

  /// Tells what a part of the log holds, as fast as the host takes it.
  /// - Returns: false when the room has been left.
  private func tell(_ messages: ArraySlice<LogMessage>, in room: Room) async -> Bool {
    guard rooms[room.name] === room else { return false }
    for message in messages { tell(message, in: room) }
    await host?.waitForRoom()
    return rooms[room.name] === room
  }

  /// Tells what events there are in a message of the room's, each once.
  private func tell(_ message: LogMessage, in room: Room) {
    let start = room.position
    guard message.sequence >= start.sequence else { return }
    (room.position, room.heardAt) = (.behind(message.sequence), .now)
    var fault: EventCodingError?
    message.forEachLine(from: message.sequence == start.sequence ? start.eventCount : 0) {
      line, end in
      do throws(EventCodingError) {
        guard let event = try EventCodec.decode(line) else { return }
        say(.event(room: room.name, RoomEvent(event: event, cursor: room.cursor(end))))
      } catch {
        fault = fault ?? error
      }
    }
    guard let fault else { return }
    room.rubbishCount += 1
    guard room.rubbishCount <= 3 else { return }
    say(
      .log(
        level: "warning",
        message: "\(room.name): message \(message.sequence) is no event: \(fault)"))
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
