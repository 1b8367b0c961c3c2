internal import ChatModel
internal import Transport

/// What people say.
extension IRCSession {
  func takeMessage(_ incoming: Incoming, isNotice: Bool) {
    let line = incoming.line
    guard line.parameters.count >= 2 else { return }
    let text = line.parameter(1)
    if text.utf8.first == 1, !isAction(text) {
      let isOwn = features.caseMapping.fold(incoming.nickBytes) == foldedNick
      return isNotice || isOwn ? () : answer(ClientToClient(text), incoming.nick)
    }
    if isServer(incoming) { return tellServerNotice(text) }
    hear(text, incoming, in: line.parameterBytes(0), isNotice: isNotice)
  }

  /// Takes what somebody says to a channel, or to the user.
  func hear(
    _ text: String, _ incoming: Incoming, in target: UnsafeRawBufferPointer, isNotice: Bool
  ) {
    let folded = features.caseMapping.fold(incoming.nickBytes)
    let isOwn = folded == foldedNick
    guard let room = room(of: target, from: incoming, isOwn: isOwn) else { return }
    if isOwn, takeEcho(of: text, incoming, room) { return }
    if room.isQuery, !room.isOpen, !isOwn {
      if isNotice { return tellUser("\(incoming.nick): \(FormattedText(text).plain)") }
      offer(room)
    }
    let (event, cursor) = message(incoming, text, folded, isOwn: isOwn)
    tell(event, cursor, in: room)
  }

  private func isAction(_ text: String) -> Bool {
    text.utf8.dropFirst().starts(with: "ACTION".utf8)
  }

  /// Servers have no `!`, and a dot in the name.
  private func isServer(_ incoming: Incoming) -> Bool {
    guard let source = incoming.line.source else { return true }
    let bytes = incoming.line[source]
    return !bytes.contains(UInt8(ascii: "!")) && bytes.contains(UInt8(ascii: "."))
  }

  private func tellServerNotice(_ text: String) {
    let plain = FormattedText(text).plain
    if case .online = stage { tellUser(plain) } else { log(plain) }
  }

  /// The room in which something was said; made where somebody speaks to the
  /// user alone.
  private func room(
    of target: UnsafeRawBufferPointer, from incoming: Incoming, isOwn: Bool
  ) -> Room? {
    let isChannel = target.first.map(features.channelTypes.contains) ?? false
    if isChannel { return rooms[features.caseMapping.fold(target)] }
    let name = features.channel(inTarget: IRCText.decode(target))
    if features.isChannel(name) { return rooms[features.caseMapping.fold(name)] }
    return query(isOwn ? name : incoming.nick)
  }

  /// So many rooms are known at most, whoever speaks to the user, and wherever
  /// the server makes him enter.
  static let roomLimit = 500

  private func query(_ nick: String) -> Room? {
    let folded = features.caseMapping.fold(nick)
    if let room = rooms[folded] { return room }
    guard isName(nick) else { return nil }
    if rooms.count >= Self.roomLimit { forgetOldestStranger() }
    // A conversation that went on under another nick keeps its name at the host.
    let name = hostRooms[nick] == nil ? nick : nick + Self.nickMark
    let room = Room(name: name, isQuery: true)
    room.target = nick
    if name != nick { hostRooms[name] = room }
    rooms[folded] = room
    strangers.append(folded)
    return room
  }

  /// Makes room for one more who has not been answered.
  private func forgetOldestStranger() {
    while !strangers.isEmpty, rooms.count >= Self.roomLimit {
      let folded = strangers.removeFirst()
      guard let room = rooms[folded], !room.isOpen, !room.isWanted else { continue }
      rooms[folded] = nil
      hostRooms = hostRooms.filter { $0.value !== room }
    }
  }

  // MARK: - Messages

  /// The message that a line is, and the place behind it.
  func message(
    _ incoming: Incoming, _ raw: String, _ folded: String, isOwn: Bool
  ) -> (Event, RoomCursor) {
    let time = time(of: incoming)
    let (id, networkID) = ids(of: incoming, time, folded, raw)
    var isAction = false
    var text = raw
    if raw.utf8.first == 1, let action = ClientToClient(raw) {
      (isAction, text) = (true, action.argument)
    }
    // The one place where formatting is read.
    let isTruncated = text.utf8.count > Self.textLimit
    let formatted = FormattedText(text.cut(to: Self.textLimit))
    let content = formatted.plain
    let author = author(of: incoming, folded, isOwn: isOwn)
    let message = Message(
      id: id, profileID: author.id, profileName: author.name, content: content,
      styles: Array(formatted.styles.prefix(Self.styleLimit)),
      images: PictureAddresses.find(in: content), createdAt: time,
      replyTo: incoming.tags.reply.flatMap { known(incoming.line.tagValue($0)) },
      isAction: isAction, isTruncated: isTruncated)
    return (.message(message), RoomCursor(milliseconds: time.milliseconds, messageID: networkID))
  }

  /// Bytes of a message, and its styles: with all escapes a line to the host
  /// stays below its limit.
  static let textLimit = 65_536
  private static let styleLimit = 2_000

  /// A message's id as the host knows it, and as the network does.
  private func ids(
    of incoming: Incoming, _ time: Timestamp, _ folded: String, _ text: String
  ) -> (id: String, networkID: String?) {
    guard let id = networkID(of: incoming, time, folded, text) else {
      return (eventIDs.next(), nil)
    }
    return (ownIDs[id] ?? id, id)
  }

  /// What names a message in every run: the network's id, or one derived from
  /// when it was said; nil where the server tells neither.
  func networkID(
    of incoming: Incoming, _ time: Timestamp, _ folded: String, _ text: String
  ) -> String? {
    if let id = incoming.messageID, isUsable(id) { return id }
    guard incoming.tags.time != nil else { return nil }
    let target = features.caseMapping.fold(incoming.line.parameterBytes(0))
    return derivedIDs.next(time.milliseconds, folded, target, text)
  }

  /// An id goes into cursors and requests, so it has no blanks, and a bound.
  func isUsable(_ id: String) -> Bool {
    (1...256).contains(id.utf8.count) && !id.utf8.contains { $0 <= 0x20 || $0 == 0x7f }
  }

  /// The host's id of the message that the network calls so.
  func known(_ networkID: String) -> String? {
    isUsable(networkID) ? ownIDs[networkID] ?? networkID : nil
  }

  // MARK: - People

  func author(
    of incoming: Incoming, _ folded: String, isOwn: Bool
  ) -> (id: String, name: String) {
    let nick = incoming.nick.cut(to: 200)
    if isOwn { return (selfID, nick) }
    if let range = incoming.tags.account {
      let account = incoming.line.tagValue(range)
      if !account.isEmpty, account != "*" {
        return (profileID(ofNick: folded, account: account), nick)
      }
    }
    return (people[folded]?.profileID ?? profileID(ofNick: folded, account: nil), nick)
  }

  /// The account is who somebody is, where there is one; else the nick, which
  /// anybody may take: marked where accounts are known, and where it is by
  /// what the user is known himself.
  func profileID(ofNick folded: String, account: String?) -> String {
    if let account {
      let id = features.caseMapping.fold(account).cut(to: 200)
      let isOwn = self.account.map { features.caseMapping.fold($0) == id } ?? false
      return id == selfID && !isOwn ? id + Self.nickMark : id
    }
    let id = folded.cut(to: 200)
    let isMarked = capabilities.isOn("account-tag") || id == selfID
    return isMarked && folded != foldedNick ? id + Self.nickMark : id
  }

  static let nickMark = "~"

  // MARK: - Requests of programs (CTCP)

  private static let requestInterval = Duration.seconds(5)

  private func answer(_ request: ClientToClient?, _ nick: String) {
    guard let request, now.uptime >= answersRequestsAt, !nick.isEmpty else { return }
    let text: String
    switch request.command {
    case "VERSION": text = "Banter"
    case "PING": text = String(request.argument.prefix(64))
    default: return
    }
    answersRequestsAt = now.uptime + Self.requestInterval
    say(OutgoingLine("NOTICE", nick, trailing: ClientToClient(request.command, text).text))
  }
}
