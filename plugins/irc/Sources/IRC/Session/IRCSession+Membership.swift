internal import ChatModel
internal import Transport

/// Coming, going, and being called otherwise.
extension IRCSession {
  func room(_ channel: String) -> Room? { rooms[features.caseMapping.fold(channel)] }

  // MARK: - Coming

  func takeJoin(_ incoming: Incoming) {
    let channel = incoming.line.parameter(0)
    let source = incoming.source
    let folded = features.caseMapping.fold(source.nick)
    if folded == foldedNick {
      noteClock(incoming)
      return takeOwnJoin(channel, source)
    }
    guard let room = room(channel), room.standing == .inside, isName(source.nick) else { return }
    let person = member(source, folded, in: room, rank: [])
    // extended-join.
    if incoming.line.parameters.count > 2 {
      let account = incoming.line.parameter(1)
      setAccount(account == "*" ? nil : account, of: person)
      person.realName = incoming.line.parameter(2)
    }
    room.crowd.join(source.nick, at: now.uptime)
    move(room, to: incoming)
    tellPresence(person, true, in: room)
  }

  private func takeOwnJoin(_ channel: String, _ source: Source) {
    if source.host != nil { self.source = source }
    let folded = features.caseMapping.fold(channel)
    guard rooms[folded] != nil || rooms.count < Self.roomLimit else { return }
    let room = rooms[folded] ?? Room(name: channel, isQuery: false)
    rooms[folded] = room
    room.target = channel
    room.standing = .inside
    room.awaitsOpening = room.isWanted
    forgetMembers(of: room)
    _ = member(source, foldedNick, in: room, rank: [])
  }

  /// Whether it can be a nick: names are told by the hundred.
  func isName(_ nick: String) -> Bool { (1...200).contains(nick.utf8.count) }

  /// Adds somebody to a room's members.
  @discardableResult
  private func member(
    _ source: Source, _ folded: String, in room: Room, rank: [UInt8]
  ) -> Person {
    let person =
      people[folded]
      ?? Person(
        nick: source.nick,
        profileID: folded == foldedNick
          ? selfID : profileID(ofNick: folded, account: nil))
    people[folded] = person
    person.nick = source.nick
    if let host = source.host { (person.user, person.host) = (source.user, host) }
    if room.members.updateValue(rank, forKey: folded) == nil { person.rooms += 1 }
    return person
  }

  /// RPL_NAMREPLY, with multi-prefix and userhost-in-names where they are on.
  func takeNames(_ line: IncomingLine) {
    guard let room = room(line.parameter(line.parameters.count - 2)), room.standing == .inside
    else { return }
    let signs = features.prefixes.map(\.sign)
    let list = line.parameterBytes(line.parameters.count - 1)
    for word in list.split(separator: UInt8(ascii: " ")) {
      let rank = word.prefix { signs.contains($0) }
      let source = Source(IRCText.decode(word.dropFirst(rank.count)))
      guard isName(source.nick) else { continue }
      let folded = features.caseMapping.fold(source.nick)
      member(source, folded, in: room, rank: Array(rank))
    }
  }

  func endNames(_ line: IncomingLine) {
    guard let room = room(line.parameter(1)), room.awaitsOpening else { return }
    open(room)
  }

  // MARK: - Going

  func takePart(_ incoming: Incoming) {
    guard let room = room(incoming.line.parameter(0)) else { return }
    let nick = incoming.nick
    let folded = features.caseMapping.fold(nick)
    if folded == foldedNick {
      // One that was left and is entered again already is not left once more.
      guard room.standing == .inside else { return }
      leave(room)
      if room.isWanted { tellNotice(wording.leftByForce(room.name), in: room) }
      return
    }
    guard let person = remove(folded, from: room) else { return }
    room.crowd.leave(nick, FormattedText(incoming.line.parameter(1)).plain, at: now.uptime)
    move(room, to: incoming)
    tellPresence(person, false, in: room)
    forgetIfGone(person, folded)
  }

  func takeQuit(_ incoming: Incoming) {
    let nick = incoming.nick
    let folded = features.caseMapping.fold(nick)
    guard folded != foldedNick else { return }
    let reason = FormattedText(incoming.line.parameter(0)).plain
    let isSplit = incoming.isSplit || Self.isSplit(reason)
    for room in rooms.values {
      guard let person = remove(folded, from: room) else { continue }
      if isSplit {
        room.crowd.leave(nick, isSplit: true, at: now.uptime)
      } else {
        room.crowd.leave(nick, reason, at: now.uptime)
      }
      tellPresence(person, false, in: room)
    }
    people[folded] = nil
    regainNick(freedBy: folded)
  }

  /// Two names of servers, as they are when the way between them breaks.
  static func isSplit(_ reason: String) -> Bool {
    let words = reason.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && words.allSatisfy { HostName.isValid(String($0)) }
  }

  func takeKick(_ incoming: Incoming) {
    let line = incoming.line
    guard let room = room(line.parameter(0)) else { return }
    let victim = line.parameter(1)
    let folded = features.caseMapping.fold(victim)
    let reason = FormattedText(line.parameter(2)).plain
    guard folded != foldedNick else {
      leave(room)
      tellNotice(wording.kicked(room.name, by: incoming.nick, reason), in: room)
      guard settings.rejoins else {
        room.isWanted = false
        return
      }
      if room.isWanted { room.rejoinAt = now.uptime + .seconds(5) }
      return
    }
    guard let person = remove(folded, from: room) else { return }
    move(room, to: incoming)
    tellNotice(wording.kicked(victim, by: incoming.nick, reason: reason), in: room)
    tellPresence(person, false, in: room)
    forgetIfGone(person, folded)
  }

  private func remove(_ folded: String, from room: Room) -> Person? {
    guard room.members.removeValue(forKey: folded) != nil, let person = people[folded] else {
      return nil
    }
    person.rooms -= 1
    return person
  }

  private func forgetIfGone(_ person: Person, _ folded: String) {
    if person.rooms <= 0 { people[folded] = nil }
  }

  func forgetMembers(of room: Room) {
    for folded in room.members.keys {
      guard let person = people[folded] else { continue }
      person.rooms -= 1
      forgetIfGone(person, folded)
    }
    room.members = [:]
  }

  private func leave(_ room: Room) {
    room.standing = .outside
    forgetMembers(of: room)
  }
}
