internal import ChatModel

/// Being called otherwise.
extension IRCSession {
  func takeNick(_ incoming: Incoming) {
    let new = incoming.line.parameter(0)
    guard isName(new) else { return }
    // There are servers that tell of the user's own as of who he is by then.
    let isAsked = incoming.transaction?.verbs.contains("NICK") ?? false
    let old = isAsked ? nick : incoming.nick
    let (oldFolded, newFolded) = (features.caseMapping.fold(old), features.caseMapping.fold(new))
    let isOwn = oldFolded == foldedNick
    if isOwn {
      nick = new
      source.nick = new
      if let askedNick, features.caseMapping.fold(askedNick) == newFolded {
        (settings.nick, self.askedNick) = (new, nil)
      }
    }
    guard let person = people.removeValue(forKey: oldFolded) else { return }
    person.nick = new
    people[newFolded] = person
    for room in rooms.values {
      guard let rank = room.members.removeValue(forKey: oldFolded) else { continue }
      room.members[newFolded] = rank
      room.crowd.rename(old, new)
    }
    moveQuery(oldFolded, newFolded, new)
    tellProfile(
      person,
      ProfileChange(
        eventID: eventIDs.next(), profileID: person.profileID, profileName: new,
        createdAt: now.time))
    if !isOwn { regainNick(freedBy: oldFolded) }
  }

  /// A conversation goes on with whoever is called otherwise now; the host
  /// still calls it as it did.
  private func moveQuery(_ old: String, _ new: String, _ nick: String) {
    guard let room = rooms[old], room.isQuery, rooms[new] == nil else { return }
    room.target = nick
    rooms[old] = nil
    rooms[new] = room
  }
}
