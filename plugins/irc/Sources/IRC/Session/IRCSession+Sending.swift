internal import ChatModel
internal import Transport

/// What the user says.
extension IRCSession {
  /// More lines than this are no message.
  private static let lineLimit = 100

  func send(_ ref: String, _ request: SendRequest) {
    if let known = networkIDs[request.event.id] {
      return acknowledge(ref, request, known.isEmpty ? [] : [known], isDuplicate: true)
    }
    guard !answer(ref, whatIsOnItsWay: request.event.id) else { return }
    submit(ref, request)
  }

  /// Answers under a new ref, when it is known what became of it, for a message
  /// that is on its way.
  /// - Returns: whether it is.
  private func answer(_ ref: String, whatIsOnItsWay id: String) -> Bool {
    if let one = (transactions + lostSends).first(where: { $0.send?.id == id }) {
      one.ref = ref
      return true
    }
    guard let index = waitingSends.firstIndex(where: { $0.request.event.id == id }) else {
      return false
    }
    waitingSends[index].ref = ref
    return true
  }

  private func submit(_ ref: String?, _ request: SendRequest) {
    guard let room = hostRoom(request.room), room.isOpen || room.isWanted else {
      return refuse(ref, .denied, wording.notInside(request.room))
    }
    activeRoom = room
    let isOnline = if case .online = stage { true } else { false }
    if case .ended = stage { return refuse(ref, .retry, wording.hungUp) }
    guard isOnline, room.isQuery || room.standing == .inside else {
      waitingSends.append((ref, request))
      // Whoever speaks in a room that he had to leave wants to be in it.
      let isComing = !isOnline || room.standing == .entering || room.rejoinAt != nil
      if !isComing { enter([room]) }
      return
    }
    switch request.event {
    case .message(let message): say(message, ref, request, in: room)
    case .reaction(let reaction): say(reaction, ref, request, in: room)
    default:
      refuse(ref, .unsupported, wording.say("IRC cannot do that", "IRC에서는 할 수 없습니다"))
    }
  }

  /// Says what waited for a room to be entered.
  func submitWaiting(in room: Room) {
    let waiting = waitingSends
    waitingSends = []
    for (ref, request) in waiting {
      if hostRoom(request.room) === room {
        submit(ref, request)
      } else {
        waitingSends.append((ref, request))
      }
    }
  }

  func refuseWaiting(in room: Room, _ failure: ProtocolError) {
    for (ref, request) in waitingSends where hostRoom(request.room) === room {
      if let ref { tellHost(.error(ref: ref, failure)) }
    }
    waitingSends.removeAll { hostRoom($0.request.room) === room }
  }

  // MARK: - Messages

  private func say(_ message: Message, _ ref: String?, _ request: SendRequest, in room: Room) {
    let whole = text(of: message)
    let texts = lines(of: whole, message, in: room)
    guard !texts.isEmpty else {
      return refuse(
        ref, .unsupported,
        wording.say("files cannot be sent over IRC", "IRC로는 파일을 보낼 수 없습니다"))
    }
    guard texts.count <= Self.lineLimit else {
      return refuse(
        ref, .tooLarge,
        wording.say(
          "it would be \(texts.count) lines, and \(Self.lineLimit) are the most; "
            + "put it somewhere else and send its address",
          "\(texts.count)줄이 되는데 \(Self.lineLimit)줄까지만 보낼 수 있습니다. 다른 곳에 올리고 주소를 보내세요"))
    }
    let send = PendingSend(
      room: room, request: request, whole: whole, texts: texts, at: serverTime)
    defer { markRead(room) }
    if let lines = multilineLines(message, whole, in: room) {
      return beginBatch(Transaction(.send(send), ref: ref, lineCount: lines.count), lines)
    }
    var lines = texts.map { OutgoingLine("PRIVMSG", room.target, trailing: $0) }
    lines[0].tags += replyTags(message.replyTo)
    begin(Transaction(.send(send), ref: ref, lineCount: lines.count), lines)
  }

  /// What is said: the text, and the addresses of pictures that are not in it.
  private func text(of message: Message) -> String {
    var content = message.content ?? ""
    for address in message.images + message.files.map(\.path)
    where address.contains("://") && !content.contains(address) {
      content += (content.isEmpty ? "" : "\n") + address
    }
    return content
  }

  /// The same, a line each.
  private func lines(of text: String, _ message: Message, in room: Room) -> [String] {
    let around = message.isAction ? ClientToClient("ACTION", " ").text.utf8.count - 1 : 0
    let budget = max(1, budget(for: room.target) - around)
    let rows = text.split(whereSeparator: \.isNewline).map { $0.replacing("\0", with: " ") }
    return rows.flatMap { MessageSplitter.parts(of: String($0), budget: budget) }.map { part in
      message.isAction ? ClientToClient("ACTION", part).text : escaped(part)
    }
  }

  /// What would be a request to a program is what people say.
  private func escaped(_ text: String) -> String {
    text.utf8.first == 1 ? " " + text : text
  }

  /// How many bytes of text fit into one line to a target.
  func budget(for target: String) -> Int {
    var source = source
    // What the server has not told yet may be as long as this.
    source.user = source.user ?? String(repeating: "u", count: 11)
    source.host = source.host ?? String(repeating: "h", count: 63)
    return MessageSplitter.budget(
      target: target, from: source, lineLength: features.lineLength)
  }

  func replyTags(_ id: String?) -> [(name: String, value: String)] {
    guard let id, hasTags else { return [] }
    let networkID = networkIDs[id] ?? id
    guard !networkID.isEmpty, !DerivedIDs.isMade(networkID) else { return [] }
    return [("+draft/reply", networkID), ("+reply", networkID)]
  }

  private func say(_ reaction: Reaction, _ ref: String?, _ request: SendRequest, in room: Room) {
    let place = replyTags(reaction.messageID)
    guard takesTag("draft/react"), !place.isEmpty else {
      return refuse(
        ref, .unsupported,
        takesTag("draft/react")
          ? wording.say("the server has no name for that message", "서버가 그 메시지를 가리킬 수 없습니다")
          : wording.say("this server knows no reactions", "이 서버에는 반응이 없습니다"))
    }
    var line = OutgoingLine("TAGMSG", room.target)
    line.tags =
      [
        (reaction.isRemoved ? "+draft/unreact" : "+draft/react", reaction.reaction)
      ] + place
    let send = PendingSend(
      room: room, request: request, whole: "", texts: [], at: serverTime)
    begin(Transaction(.send(send), ref: ref, lineCount: 1), [line])
  }

  /// Whoever speaks has read what was said before (IRCv3 read-marker).
  private func markRead(_ room: Room) {
    guard capabilities.isOn("draft/read-marker"), let cursor = room.cursor,
      cursor != room.readMark
    else { return }
    room.readMark = cursor
    let time = Timestamp(milliseconds: cursor.milliseconds).rfc3339
    say(OutgoingLine("MARKREAD", room.target, "timestamp=\(time)"))
  }
}
