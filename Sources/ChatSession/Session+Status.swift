internal import ChatModel
internal import TerminalText
internal import Transport

/// What `/status` tells.
extension Session {
  /// Tells of the room, the way to it, and what is not sent. The far side of a
  /// room that has one is asked who is there.
  func showStatus() {
    switch parts.room.place {
    case .named, .file: show(statusLines(connectionLines).flatMap(noteRows), messages: 0)
    case .socket, .remote:
      run { [self] in
        var lines = connectionLines
        if let facts = await transport.connectionFacts() {
          lines = factLines(facts)
          if let members = try? await transport.members() {
            lines.append(language("\(members.count) here now", "접속 \(members.count)명"))
          }
        }
        show(statusLines(lines).flatMap(noteRows), messages: 0)
      }
    }
  }

  private func statusLines(_ connectionLines: [String]) -> [String] {
    let you = "\(ownProfile.displayName) (\(ownProfile.id))"
    let opening = [
      language("room: \(parts.room.text)", "방: \(parts.room.text)"),
      language("you: \(you)", "나: \(you)"),
    ]
    let count = language(
      "\(counted(timeline.count, "message")) in memory, \(outbox.pendingCount) pending, \(outbox.failedCount) failed",
      "메시지 \(timeline.count)개, 보내는 중 \(outbox.pendingCount), 실패 \(outbox.failedCount)")
    let failures = outbox.items.compactMap { item -> String? in
      guard case .failed(let reason) = item.state else { return nil }
      return language("failed: \(reason)", "실패: \(reason)")
    }
    return opening + connectionLines + readOnlyLines + [count] + failures
  }

  private var connectionLines: [String] {
    switch connection {
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

  private func factLines(_ facts: ConnectionFacts) -> [String] {
    let way = language(wayText(facts))
    var lines = [
      language("connected to \(facts.address), \(way)", "연결됨: \(facts.address), \(way)")
    ]
    if case .firstSight(let fingerprint)? = facts.certificate {
      lines.append(
        language(
          "its certificate is trusted since it was first seen: \(fingerprint)",
          "인증서는 처음 본 때부터 믿음: \(fingerprint)"))
    }
    let id = facts.identity?.id ?? ownProfile.id
    lines.append(
      transport.capabilities.authenticatesAuthors
        ? language("logged in as \(id)", "로그인한 아이디: \(id)")
        : language("anyone may come in there as anyone", "누구나 어떤 이름으로든 들어옴"))
    return lines
  }

  private func wayText(_ facts: ConnectionFacts) -> LocalizedText {
    if case .vouchedFor? = facts.certificate {
      return LocalizedText("by TLS, an authority vouching for it", "TLS, 인증 기관이 보증함")
    }
    if facts.certificate != nil { return LocalizedText("by TLS", "TLS") }
    switch parts.room.place {
    case .remote("ssh", _, _): return LocalizedText("by ssh", "ssh")
    case .remote("tcp", _, _): return LocalizedText("not encrypted", "암호화 없음")
    case .socket: return LocalizedText("on this machine", "이 기기")
    default: return LocalizedText("by \(parts.room.transportName)", parts.room.transportName)
    }
  }

  private var readOnlyLines: [String] {
    transport.capabilities.isReadOnly ? [language(Self.readOnlyText)] : []
  }

  private static let readOnlyText = LocalizedText(
    "this room is for reading only", "이 방은 읽기만 할 수 있습니다")

  /// What is said of a room on entering it; once.
  func takeEntryRows() -> [String] {
    guard !hasEntered else { return [] }
    hasEntered = true
    return readOnlyLines.flatMap(noteRows)
  }
}
