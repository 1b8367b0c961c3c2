internal import ChatModel
internal import TerminalText
internal import Transport

/// What `/status` tells.
extension Session {
  /// Tells of the room, the way to it, and what is not sent. The far side of a
  /// room that has one is asked who is there.
  func showStatus() {
    let room = current
    guard room.isRemote else {
      return show(statusRows(of: room, connectionLines(room)), messages: 0)
    }
    run { [self] in
      var lines = connectionLines(room)
      var log: String?
      if let facts = await room.transport.connectionFacts() {
        lines = factLines(facts, of: room)
        log = facts.log
      }
      // What is known is told whether the far side answers or not.
      show(statusRows(of: room, lines) + logRows(log), messages: 0)
      guard let members = try? await room.transport.members() else { return }
      say(language("\(members.count) here now", "접속 \(members.count)명"))
    }
  }

  private func statusRows(of room: JoinedRoom, _ connectionLines: [String]) -> [String] {
    let address = room.address.text
    let opening = noteRows(language("room: \(address)", "방: \(address)"))
    let title = room.title == nil ? [] : [transcript.factRow(titleText(of: room))]
    return opening + title + statusLines(of: room, connectionLines).flatMap(noteRows)
  }

  /// `title: why we are here`.
  func titleText(of room: JoinedRoom) -> String {
    let title = room.title ?? ""
    guard !title.isEmpty else { return language("no title", "제목 없음") }
    return language("title: \(title)", "제목: \(title)")
  }

  /// How much of a plugin's log is worth reading.
  private static let logLimit = 8

  /// The last lines of what the way to the room has to say.
  private func logRows(_ log: String?) -> [String] {
    let lines = (log ?? "").split { $0.isNewline }.suffix(Self.logLimit)
    return lines.map { transcript.factRow(language("log: \($0)", "로그: \($0)")) }
  }

  private func statusLines(
    of room: JoinedRoom, _ connectionLines: [String]
  ) -> [String] {
    let (own, outbox) = (ownProfile(in: room), room.outbox)
    let you = "\(own.displayName) (\(own.id))"
    let opening = [language("you: \(you)", "나: \(you)")]
    let count = language(
      "\(counted(room.timeline.count, "message")) in memory, \(outbox.pendingCount) pending, \(outbox.failedCount) failed",
      "메시지 \(room.timeline.count)개, 보내는 중 \(outbox.pendingCount), 실패 \(outbox.failedCount)")
    let files = storingCount(in: room)
    let onTheWay =
      files == 0
      ? [] : [language("\(counted(files, "file")) on the way", "보내는 중인 파일 \(files)개")]
    let failures = outbox.items.compactMap { item -> String? in
      guard case .failed(let reason) = item.state else { return nil }
      return language("failed: \(reason)", "실패: \(reason)")
    }
    return opening + connectionLines + readOnlyLines(room) + [count] + onTheWay + failures
  }

  private func connectionLines(_ room: JoinedRoom) -> [String] {
    switch room.connection {
    case .connecting: [language("connecting", "연결하는 중")]
    case .online: [language("the room can be read", "방을 읽을 수 있음")]
    case .reconnecting(let wait, let reason):
      [
        language(
          "trying again in \(wait.components.seconds) s: \(reason)",
          "\(wait.components.seconds)초 뒤 다시 시도: \(reason.text.korean)")
      ]
    case .offline(let reason), .fatal(let reason):
      [language("cannot be reached: \(reason)", "연결할 수 없음: \(reason.text.korean)")]
    }
  }

  private func factLines(_ facts: ConnectionFacts, of room: JoinedRoom) -> [String] {
    let way = language(wayText(facts, to: room.address))
    var lines = [
      language("connected to \(facts.address), \(way)", "연결됨: \(facts.address), \(way)")
    ]
    if case .firstSight(let fingerprint)? = facts.certificate {
      lines.append(
        language(
          "its certificate is trusted since it was first seen: \(fingerprint)",
          "인증서는 처음 본 때부터 믿음: \(fingerprint)"))
    }
    let id = facts.identity?.id ?? ownID(in: room)
    lines.append(
      room.transport.capabilities.authenticatesAuthors
        ? language("logged in as \(id)", "로그인한 아이디: \(id)")
        : language("anyone may come in there as anyone", "누구나 어떤 이름으로든 들어옴"))
    return lines
  }

  private func wayText(
    _ facts: ConnectionFacts, to address: RoomAddress
  ) -> LocalizedText {
    if case .vouchedFor? = facts.certificate {
      return LocalizedText("by TLS, an authority vouching for it", "TLS, 인증 기관이 보증함")
    }
    if facts.certificate != nil { return LocalizedText("by TLS", "TLS") }
    switch address.place {
    case .remote("ssh", _, _): return LocalizedText("by ssh", "ssh")
    case .remote("tcp", _, _): return LocalizedText("not encrypted", "암호화 없음")
    case .socket: return LocalizedText("on this machine", "이 기기")
    default: return LocalizedText("by \(address.transportName)", address.transportName)
    }
  }

  private func readOnlyLines(_ room: JoinedRoom) -> [String] {
    room.transport.capabilities.isReadOnly ? [language(Self.readOnlyText)] : []
  }

  private static let readOnlyText = LocalizedText(
    "this room is for reading only", "이 방은 읽기만 할 수 있습니다")

  /// What is said of a room on entering it; once.
  func takeEntryRows(of room: JoinedRoom) -> [String] {
    guard !room.hasEntered else { return [] }
    room.hasEntered = true
    return readOnlyLines(room).flatMap { noteRows($0, of: room) }
  }
}
