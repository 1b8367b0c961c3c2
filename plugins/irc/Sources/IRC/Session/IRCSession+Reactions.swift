internal import ChatModel

/// What people think of what was said (IRCv3 react).
extension IRCSession {
  func takeTags(_ incoming: Incoming) {
    guard let event = reaction(incoming) else { return }
    let folded = features.caseMapping.fold(incoming.nickBytes)
    let isOwn = folded == foldedNick
    if isOwn, incoming.transaction != nil { return }
    let target = incoming.line.parameter(0)
    let name = features.isChannel(target) || isOwn ? target : incoming.nick
    guard let room = rooms[features.caseMapping.fold(name)] else { return }
    let time = event.createdAt ?? now.time
    tell(
      event, RoomCursor(milliseconds: time.milliseconds, messageID: incoming.messageID), in: room)
  }

  func reaction(_ incoming: Incoming) -> Event? {
    let line = incoming.line
    guard let emoji = incoming.tags.react ?? incoming.tags.unreact,
      let message = incoming.tags.reply.flatMap({ known(line.tagValue($0)) })
    else { return nil }
    let text = line.tagValue(emoji)
    guard (1...64).contains(text.utf8.count) else { return nil }
    let folded = features.caseMapping.fold(incoming.nickBytes)
    let time = time(of: incoming)
    return .reaction(
      Reaction(
        eventID: incoming.messageID.flatMap { isUsable($0) ? $0 : nil }
          ?? eventIDs.next(),
        messageID: message,
        profileID: author(of: incoming, folded, isOwn: folded == foldedNick).id, reaction: text,
        isRemoved: incoming.tags.react == nil, createdAt: time))
  }
}
