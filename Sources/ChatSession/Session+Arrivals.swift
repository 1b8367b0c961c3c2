internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// Takes what the room tells, batch by batch, until it is closed.
  func receiveAll() async {
    while let updates = await transport.next() {
      receive(updates)
      while held.isFull, !Task.isCancelled { await waitUntilShown() }
      await waitForLog()
    }
  }

  /// Applies a batch and shows what it changed, in one go.
  func receive(_ updates: [RoomUpdate]) {
    var batch = ArrivalBatch()
    for update in updates {
      switch update {
      case .replay(let events): take(events, .replay, into: &batch)
      case .events(let events): take(events, .live, into: &batch)
      case .live(let cursor):
        self.cursor = cursor
        showReplay(into: &batch)
        batch.rows += takeEntryRows()
        deliver()
      case .problem(let problem): batch.rows += noteRows(language(problem.text))
      case .reset: batch.rows += noteRows(resetText)
      case .notice(let text): batch.rows += noteRows(language(LocalizedText(notice: text)))
      case .identity(let profile): batch.rows += identify(profile)
      case .title(let title): batch.rows += noteRows(title)
      case .commands: break
      case .state(let state): changeConnection(state, into: &batch)
      }
    }
    noteInLog(updates)
    if batch.hasDeleted { dropUnwantedImages() }
    if batch.ringsBell { surface.ring() }
    show(batch.rows, messages: batch.messageCount)
    updatePrompt()
  }

  private var resetText: String {
    language(
      "the room's file was truncated or replaced; what is new in it follows",
      "방 파일이 잘리거나 바뀌었습니다. 새로운 내용이 이어집니다")
  }

  private func take(
    _ events: [RoomEvent], _ arrival: Timeline.Arrival, into batch: inout ArrivalBatch
  ) {
    let moment = now()
    var diffs: [TimelineDiff] = []
    for roomEvent in events {
      cursor = roomEvent.cursor
      if let own = outbox[roomEvent.event.id] {
        // One's own message is shown when the room has acknowledged it, which
        // the transport tells by its receipt. What failed is there after all.
        if own.hasFailed { settleSent(roomEvent.event, into: &batch) }
        continue
      }
      guard let diff = timeline.apply(roomEvent.event, arrival, now: moment) else { continue }
      diffs.append(diff)
    }
    if case .replay = arrival { return replay.append(diffs, keeping: settings.tail) }
    for diff in diffs { add(diff, arrival, into: &batch) }
  }

  /// Shows the end of what was told on joining.
  private func showReplay(into batch: inout ArrivalBatch) {
    let (diffs, skippedCount) = replay.take(keeping: settings.tail)
    if skippedCount > 0 {
      batch.rows += noteRows(
        language(
          "\(counted(skippedCount, "earlier message")) since last time; /history reads back",
          "그 사이 메시지 \(skippedCount)개가 더 있습니다. /history로 볼 수 있습니다"))
    }
    for diff in settled(diffs) { add(diff, .replay, into: &batch) }
  }

  /// Diffs of the past, each message as it has become since: nobody reads
  /// what was deleted before they came.
  private func settled(_ diffs: [TimelineDiff]) -> [TimelineDiff] {
    var isInserted: Set<String> = []
    return diffs.compactMap { diff in
      switch diff {
      case .insert(let entry):
        isInserted.insert(entry.id)
        return .insert(timeline.entry(entry.id) ?? entry)
      case .update(let entry, _):
        return isInserted.contains(entry.id) ? nil : diff
      default: return diff
      }
    }
  }

  /// Adds the rows of a diff to a batch.
  func add(_ diff: TimelineDiff, _ arrival: Timeline.Arrival, into batch: inout ArrivalBatch) {
    switch diff {
    case .insert(let entry):
      profiles.note(entry.message, at: entry.time)
      guard !settings.ignored.contains(entry.message.profileID) else { return }
      if case .replay = arrival { batch.rows += unreadRows(before: entry) }
      batch.rows += transcript.lines(for: shown(entry))
      batch.messageCount += 1
      let isNew = if case .live = arrival { true } else { false }
      noteImages(of: entry.message, isNew: isNew)
      if case .live = arrival, !batch.ringsBell, shouldRing(for: entry.message) {
        batch.ringsBell = true
        notify(of: entry.message)
      }
    case .update(let entry, let change):
      if change == .deleted { batch.hasDeleted = true }
      guard !settings.ignored.contains(entry.message.profileID),
        !change.isReaction(by: settings.ignored)
      else { return }
      batch.rows += transcript.lines(for: shown(entry, change))
    case .profile(let change):
      batch.rows += rows(of: change, arrival)
    case .presence(let presence):
      profiles.note(presence, at: now())
    case .notice(let notice, let time):
      batch.rows += transcript.lines(forNotice: notice.content, at: time)
    }
  }

  private func rows(of change: ProfileChange, _ arrival: Timeline.Arrival) -> [String] {
    let before = profiles[change.profileID]?.profile.displayName
    let time = change.createdAt ?? now()
    profiles.note(change, at: min(time, now()))
    let after = profiles.name(of: change.profileID)
    let isHidden = settings.ignored.contains(change.profileID)
    guard case .live = arrival, let before, before != after, !isHidden else { return [] }
    return transcript.lines(
      forNotice: language("\(before) is now called \(after)", "\(before) 님의 새 이름: \(after)"),
      at: min(time, now()))
  }

  private func shouldRing(for message: Message) -> Bool {
    guard message.profileID != ownProfile.id else { return false }
    return switch settings.bell {
    case .off: false
    case .all: true
    case .mentions: message.content.map { transcript.isMentioned(in: $0) } ?? false
    }
  }

  private func changeConnection(_ state: ConnectionState, into batch: inout ArrivalBatch) {
    guard state != connection else { return }
    connection = state
    switch state {
    case .connecting: break
    case .online:
      if isCutOff { batch.rows += noteRows(language("connected again", "다시 연결됨")) }
      isCutOff = false
    case .reconnecting(_, let reason):
      cutOff(because: callingAgain(after: reason), into: &batch)
    case .offline(let reason):
      cutOff(because: reason.text, into: &batch)
    case .fatal(let reason):
      let text = reason.text
      isCutOff = false
      cutOff(
        because: LocalizedText(
          "\(text.english); /retry tries again", "\(text.korean); /retry 다시 시도"), into: &batch)
    }
  }

  /// Tells it once; what becomes of it is in the prompt and in /status.
  private func cutOff(because text: LocalizedText, into batch: inout ArrivalBatch) {
    guard !isCutOff else { return }
    isCutOff = true
    batch.rows += noteRows(language(text))
    for item in outbox.items where item.isShown { breakTally.note(pending: item.id) }
  }

  private func callingAgain(after reason: TransportError) -> LocalizedText {
    let text = reason.text
    guard !reason.reason.hasSuffix("it is tried again") else { return text }
    return LocalizedText("\(text.english); calling again", "\(text.korean); 다시 연결합니다")
  }

  /// Goes by who the far side says one is.
  private func identify(_ profile: Profile) -> [String] {
    guard profile.id != ownProfile.id else { return [] }
    if ownProfile.name == ownProfile.id { settings.profile.name = profile.name }
    settings.profile.id = profile.id
    transcript.options.ownProfileID = profile.id
    return noteRows(language("you are known here as \(profile.id)", "여기서 나의 아이디: \(profile.id)"))
  }
}

/// What one batch of arrivals puts on the screen.
struct ArrivalBatch {
  var rows: [String] = []
  var messageCount = 0
  var ringsBell = false
  /// Whether a message was deleted.
  var hasDeleted = false
}
