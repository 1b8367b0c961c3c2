internal import ChatModel
internal import TerminalText
internal import Transport

/// What a room tells of itself and of the way to it.
extension Session {
  func changeConnection(
    of room: JoinedRoom, to state: ConnectionState, into batch: inout ArrivalBatch
  ) {
    guard state != room.connection else { return }
    room.connection = state
    switch state {
    case .connecting: break
    case .online:
      if room.isCutOff, room.hasToldCut {
        batch.rows += noteRows(language("connected again", "다시 연결됨"), ofWayTo: room)
      }
      room.isCutOff = false
    case .reconnecting(_, let reason):
      cutOff(room, because: callingAgain(after: reason), into: &batch)
    case .offline(let reason):
      cutOff(room, because: reason.text, into: &batch)
    case .fatal(let reason):
      let text = reason.text
      room.isCutOff = false
      cutOff(
        room,
        because: LocalizedText(
          "\(text.english); /retry tries again", "\(text.korean); /retry 다시 시도"), into: &batch)
    }
  }

  /// Tells it once; what becomes of it is in the prompt and in /status.
  private func cutOff(
    _ room: JoinedRoom, because text: LocalizedText, into batch: inout ArrivalBatch
  ) {
    guard !room.isCutOff else { return }
    // The same way leads to its siblings: one of them tells it.
    room.hasToldCut = !siblings(of: room).contains { $0.isCutOff && $0.hasToldCut }
    room.isCutOff = true
    if room.hasToldCut { batch.rows += noteRows(language(text), ofWayTo: room) }
    for item in room.outbox.items where item.isShown { room.breakTally.note(pending: item.id) }
  }

  /// A note that names the room where it is the only one on that way.
  private func noteRows(_ text: String, ofWayTo room: JoinedRoom) -> [String] {
    siblings(of: room).isEmpty ? noteRows(text, of: room) : noteRows(text)
  }

  private func callingAgain(after reason: TransportError) -> LocalizedText {
    let text = reason.text
    guard !reason.reason.hasSuffix("it is tried again") else { return text }
    return LocalizedText("\(text.english); calling again", "\(text.korean); 다시 연결합니다")
  }

  /// Goes by who the far side says one is.
  func identify(_ profile: Profile, in room: JoinedRoom) -> [String] {
    guard profile.id != ownID(in: room) else { return [] }
    room.identity = profile
    let names = mentionNames
    if names != transcript.options.mentionNames { transcript.options.mentionNames = names }
    return noteRows(
      language("you are known here as \(profile.id)", "여기서 나의 아이디: \(profile.id)"), of: room)
  }

  /// A row of what the room is about, when that has changed; none where it says
  /// no more than the room's name.
  func rows(ofTitle title: String, of room: JoinedRoom) -> [String] {
    let former = room.title
    room.title = String(title.prefix(1_000))
    let isName = room.name == title || room.name.hasSuffix("/\(title)")
    guard room.title != former, former != nil || !isName else { return [] }
    return [transcript.factRow(room.labelled(titleText(of: room)))]
  }
}
