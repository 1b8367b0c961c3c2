internal import ChatModel
internal import Transport

/// What becomes known about people and rooms.
extension IRCSession {
  private func person(_ incoming: Incoming) -> Person? {
    people[features.caseMapping.fold(incoming.nickBytes)]
  }

  /// account-notify: `*` has logged out.
  func takeAccountChange(_ incoming: Incoming) {
    guard let person = person(incoming) else { return }
    let account = incoming.line.parameter(0)
    setAccount(account == "*" ? nil : account, of: person)
  }

  /// Whoever logs in is known by the account from then on; whoever logs out
  /// stays who he was.
  func setAccount(_ account: String?, of person: Person) {
    person.account = account
    let folded = features.caseMapping.fold(person.nick)
    guard let account, folded != foldedNick else { return }
    person.profileID = profileID(ofNick: folded, account: account)
    tellProfile(
      person,
      ProfileChange(
        eventID: eventIDs.next(), profileID: person.profileID,
        profileName: person.nick, fields: ["account": account], createdAt: now.time))
  }

  /// away-notify.
  func takeAway(_ incoming: Incoming) {
    person(incoming)?.isAway = !incoming.line.parameters.isEmpty
  }

  func takeHostChange(_ incoming: Incoming) {
    let (user, host) = (incoming.line.parameter(0), incoming.line.parameter(1))
    if features.caseMapping.fold(incoming.nickBytes) == foldedNick {
      (source.user, source.host) = (user, host)
    }
    guard let person = person(incoming) else { return }
    (person.user, person.host) = (user, host)
  }

  func takeNameChange(_ incoming: Incoming) {
    person(incoming)?.realName = FormattedText(incoming.line.parameter(0)).plain
  }

  // MARK: - Invitations

  func takeInvitation(_ incoming: Incoming) {
    let (who, channel) = (incoming.line.parameter(0), incoming.line.parameter(1))
    if features.caseMapping.fold(who) == foldedNick {
      tellUser(wording.invited(by: incoming.nick, to: channel))
    } else if let room = room(channel) {
      tellNotice(wording.invited(who, by: incoming.nick), in: room)
    }
  }

  // MARK: - Modes

  func takeMode(_ incoming: Incoming) {
    let line = incoming.line
    guard let room = room(line.parameter(0)) else { return }
    let parameters = line.parameters.dropFirst().map(line.text)
    let changes = ModeChange.read(parameters, features)
    for change in changes { apply(change, to: room) }
    move(room, to: incoming)
    let hit = changes.flatMap { people(hitBy: $0, in: room) }
    tellNotice(
      wording.mode(by: incoming.nick, parameters.joined(separator: " "), hit), in: room,
      at: time(of: incoming))
  }

  /// Those in a room whom a new ban is about.
  private func people(hitBy change: ModeChange, in room: Room) -> [String] {
    guard change.mode == "b", change.isSet, let mask = change.parameter else { return [] }
    let folded = features.caseMapping.fold(mask)
    let hit = room.members.keys.compactMap { people[$0] }.filter { person in
      let source = Source(nick: person.nick, user: person.user ?? "", host: person.host ?? "")
      return Mask.matches(folded, features.caseMapping.fold(source.text))
    }
    return hit.map(\.nick).sorted().prefix(10).map(\.self)
  }

  private func apply(_ change: ModeChange, to room: Room) {
    guard let byte = change.mode.asciiValue, let nick = change.parameter,
      let sign = features.prefixes.first(where: { $0.mode == byte })?.sign
    else { return }
    let folded = features.caseMapping.fold(nick)
    guard var rank = room.members[folded] else { return }
    rank.removeAll { $0 == sign }
    if change.isSet { rank.append(sign) }
    let order = features.prefixes.map(\.sign)
    rank.sort { order.firstIndex(of: $0) ?? .max < order.firstIndex(of: $1) ?? .max }
    room.members[folded] = rank
  }
}
