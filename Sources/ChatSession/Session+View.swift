internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// A message with all that its bubble shows.
  func shown(
    _ entry: TimelineEntry, _ change: TimelineChange? = nil, of room: JoinedRoom,
    delivery: Delivery = .received
  ) -> ShownMessage {
    var shown = ShownMessage(
      entry: entry, change, profiles: room.profiles, timeline: room.timeline, language: language)
    shown.number = numbers.number(of: entry.id, in: room.number)
    shown.room = room.label
    shown.isOwn = entry.message.profileID == ownID(in: room)
    shown.delivery = delivery
    return shown
  }

  /// Shows rows, or keeps them for when they can be shown.
  func show(_ rows: [String], messages: Int) {
    guard !rows.isEmpty else { return }
    if isHolding {
      held.append(rows, messages: messages)
    } else {
      surface.show(held.take() + rows)
    }
  }

  /// Something that Banter itself has to tell; untrusted parts may be in it.
  func say(_ text: String) {
    show(noteRows(text), messages: 0)
  }

  func noteRows(_ text: String) -> [String] {
    transcript.lines(forNote: text)
  }

  /// The rows of something to be told of a room.
  func noteRows(_ text: String, of room: JoinedRoom) -> [String] {
    noteRows(room.labelled(text))
  }

  func titleRows(of room: JoinedRoom) -> [String] {
    let (name, own) = (room.label ?? room.name, ownProfile(in: room).displayName)
    return noteRows(
      language("\(name) · you are \(own) · /help", "\(name) · 나: \(own) · /help"))
  }

  /// Which keys do not do what the help says.
  var keyRows: [String] {
    guard !surface.keyConflicts.isEmpty else { return [] }
    let keys = surface.keyConflicts.joined(separator: ", ")
    return noteRows(
      language(
        "your inputrc has another use for \(keys)", "inputrc에서 다른 용도로 쓰는 키: \(keys)"))
  }

  /// The current room's name, what waits in it, and what is new in others:
  /// `lobby [2 pending, team +3]> `.
  var promptText: String {
    let outbox = current.outbox
    var states: [String] = []
    if held.messageCount > 0 {
      states.append(language("\(held.messageCount) new", "새 메시지 \(held.messageCount)"))
    }
    if outbox.pendingCount > 0 {
      states.append(language("\(outbox.pendingCount) pending", "보내는 중 \(outbox.pendingCount)"))
    }
    if outbox.failedCount > 0 {
      states.append(language("\(outbox.failedCount) failed", "실패 \(outbox.failedCount)"))
    }
    if let text = waitingFilesText ?? transferText { states.append(text) }
    if !current.isReachable { states.append(language("offline", "연결 끊김")) }
    if let text = otherRoomsText { states.append(text) }
    let suffix = states.isEmpty ? "" : " [\(states.joined(separator: ", "))]"
    let name = transcript.options.measure.truncated(
      neutralized(current.label ?? current.name), to: max(4, surface.columns / 3))
    return "\(name)\(suffix)> "
  }

  /// `team +3`, or `2 rooms +7`, of what is new in rooms that are not current.
  private var otherRoomsText: String? {
    guard rooms.count > 1 else { return nil }
    let news = rooms.filter { $0 !== current && $0.newCount > 0 }
    let count = news.reduce(0) { $0 + $1.newCount }
    guard let first = news.first else { return nil }
    let name = transcript.options.measure.truncated(
      first.label ?? first.name, to: max(4, surface.columns / 4))
    guard news.count > 1 else { return "\(name) +\(count)" }
    return language("\(news.count) rooms +\(count)", "방 \(news.count)곳 +\(count)")
  }

  func updatePrompt() {
    let text = promptText
    if surface.prompt != text { surface.prompt = text }
  }
}
