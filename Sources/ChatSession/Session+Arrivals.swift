internal import ChatModel
internal import TerminalText
internal import Transport

extension Session {
  /// Takes what the room tells, batch by batch, until it is closed.
  func receiveAll(in room: JoinedRoom) async {
    while let updates = await room.transport.next() {
      receive(updates, in: room)
      while held.isFull, !Task.isCancelled { await waitUntilShown() }
      await room.waitForLog()
    }
  }

  /// Applies a batch and shows what it changed, in one go.
  func receive(_ told: [RoomUpdate], in room: JoinedRoom) {
    let updates = room.networkIDs.isEmpty ? told : told.map(room.networkIDs.own)
    var batch = ArrivalBatch()
    for update in updates {
      switch update {
      case .replay(let events): take(events, .replay, of: room, into: &batch)
      case .events(let events): take(events, .live, of: room, into: &batch)
      case .live(let cursor):
        room.cursor = cursor
        showReplay(of: room, into: &batch)
        batch.rows += takeEntryRows(of: room)
        deliver(in: room)
      case .problem(let problem): batch.rows += noteRows(language(problem.text), of: room)
      case .reset: batch.rows += noteRows(resetText, of: room)
      case .notice(let text):
        batch.rows += noteRows(language(LocalizedText(notice: text)), of: room)
      case .identity(let profile): batch.rows += identify(profile, in: room)
      case .title(let title): batch.rows += rows(ofTitle: title, of: room)
      case .newTitle(let title): room.title = String(title.prefix(1_000))
      case .offer(let name): open(offered: name, by: room, into: &batch)
      case .commands(let commands):
        room.commands = Array(commands.lazy.compactMap(FarCommand.init).prefix(FarCommand.limit))
      case .state(let state): changeConnection(of: room, to: state, into: &batch)
      }
    }
    noteInLog(updates, of: room)
    if room !== current { room.newCount += batch.newCount }
    if batch.hasDeleted { dropUnwantedImages(of: room) }
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
    _ events: [RoomEvent], _ arrival: Timeline.Arrival, of room: JoinedRoom,
    into batch: inout ArrivalBatch
  ) {
    let moment = now()
    var diffs: [TimelineDiff] = []
    for roomEvent in events {
      room.cursor = roomEvent.cursor
      if let own = room.outbox[roomEvent.event.id] {
        // One's own message is shown when the room has acknowledged it, which
        // the transport tells by its receipt. What failed is there after all.
        if own.hasFailed { settleSent(roomEvent.event, in: room, into: &batch) }
        continue
      }
      guard let diff = room.timeline.apply(roomEvent.event, arrival, now: moment) else { continue }
      diffs.append(diff)
    }
    if case .replay = arrival { return room.replay.append(diffs, keeping: settings.tail) }
    for diff in diffs { add(diff, arrival, of: room, into: &batch) }
  }

  /// Shows the end of what was told on joining.
  private func showReplay(of room: JoinedRoom, into batch: inout ArrivalBatch) {
    let (diffs, skippedCount) = room.replay.take(keeping: settings.tail)
    if skippedCount > 0 {
      batch.rows += noteRows(
        language(
          "\(counted(skippedCount, "earlier message")) since last time; /history reads back",
          "그 사이 메시지 \(skippedCount)개가 더 있습니다. /history로 볼 수 있습니다"), of: room)
    }
    for diff in settled(diffs, in: room.timeline) { add(diff, .replay, of: room, into: &batch) }
  }

  /// Diffs of the past, each message as it has become since: nobody reads
  /// what was deleted before they came.
  private func settled(_ diffs: [TimelineDiff], in timeline: Timeline) -> [TimelineDiff] {
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
  func add(
    _ diff: TimelineDiff, _ arrival: Timeline.Arrival, of room: JoinedRoom,
    into batch: inout ArrivalBatch
  ) {
    switch diff {
    case .insert(let entry):
      room.profiles.note(entry.message, at: entry.time)
      guard !settings.ignored.contains(entry.message.profileID) else { return }
      if case .replay = arrival { batch.rows += unreadRows(before: entry, of: room) }
      batch.rows += transcript.lines(for: shown(entry, of: room))
      batch.messageCount += 1
      let isNew = if case .live = arrival { true } else { false }
      noteImages(of: entry.message, in: room, isNew: isNew)
      if isNew { noteNews(entry.message, of: room, into: &batch) }
    case .update(let entry, let change):
      if change == .deleted { batch.hasDeleted = true }
      guard !settings.ignored.contains(entry.message.profileID),
        !change.isReaction(by: settings.ignored)
      else { return }
      batch.rows += transcript.lines(for: shown(entry, change, of: room))
    case .profile(let change):
      batch.rows += rows(of: change, arrival, in: room)
    case .presence(let presence):
      room.profiles.note(presence, at: now())
    case .notice(let notice, let time):
      batch.rows += transcript.lines(forNotice: room.labelled(notice.content), at: time)
    }
  }

  /// Counts a message that has come now, and rings for it.
  private func noteNews(
    _ message: Message, of room: JoinedRoom, into batch: inout ArrivalBatch
  ) {
    guard message.profileID != ownID(in: room) else { return }
    batch.newCount += 1
    guard !batch.ringsBell, shouldRing(for: message) else { return }
    batch.ringsBell = true
    notify(of: message, in: room)
  }

  private func rows(
    of change: ProfileChange, _ arrival: Timeline.Arrival, in room: JoinedRoom
  ) -> [String] {
    let before = room.profiles[change.profileID]?.profile.displayName
    let time = change.createdAt ?? now()
    room.profiles.note(change, at: min(time, now()))
    // A network may call one otherwise than one wants.
    if case .live = arrival, room.isRemote, change.profileID == room.identity?.id {
      room.ownName = change.profileName ?? room.ownName
    }
    let after = room.profiles.name(of: change.profileID)
    let isHidden = settings.ignored.contains(change.profileID)
    guard case .live = arrival, let before, before != after, !isHidden,
      isNews("\(change.profileID) \(before) \(after)", of: room)
    else { return [] }
    return transcript.lines(
      forNotice: room.labelled(
        language("\(before) is now called \(after)", "\(before) 님의 새 이름: \(after)")),
      at: min(time, now()))
  }

  private func shouldRing(for message: Message) -> Bool {
    switch settings.bell {
    case .off: false
    case .all: true
    case .mentions: message.content.map { transcript.isMentioned(in: $0) } ?? false
    }
  }
}

/// What one batch of arrivals puts on the screen.
struct ArrivalBatch {
  var rows: [String] = []
  var messageCount = 0
  /// How many of them are by others and have come now.
  var newCount = 0
  var ringsBell = false
  /// Whether a message was deleted.
  var hasDeleted = false
}
