internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// A message with all that its bubble shows.
  func shown(
    _ entry: TimelineEntry, _ change: TimelineChange? = nil,
    delivery: Delivery = .received
  ) -> ShownMessage {
    var shown = ShownMessage(
      entry: entry, change, profiles: profiles, timeline: timeline, language: language)
    shown.number = numbers.number(of: entry.id)
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

  var titleRows: [String] {
    noteRows(
      language(
        "\(parts.room.displayName) · you are \(ownProfile.displayName) · /help",
        "\(parts.room.displayName) · 나: \(ownProfile.displayName) · /help"))
  }

  /// Which keys do not do what the help says.
  var keyRows: [String] {
    guard !surface.keyConflicts.isEmpty else { return [] }
    let keys = surface.keyConflicts.joined(separator: ", ")
    return noteRows(
      language(
        "your inputrc has another use for \(keys)", "inputrc에서 다른 용도로 쓰는 키: \(keys)"))
  }

  /// The room's name, and what waits: `lobby [2 pending]> `.
  var promptText: String {
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
    if !isReachable { states.append(language("offline", "연결 끊김")) }
    let suffix = states.isEmpty ? "" : " [\(states.joined(separator: ", "))]"
    let name = transcript.options.measure.truncated(
      neutralized(parts.room.displayName), to: max(4, surface.columns / 3))
    return "\(name)\(suffix)> "
  }

  func updatePrompt() {
    let text = promptText
    if surface.prompt != text { surface.prompt = text }
  }
}
