internal import ChatModel
internal import SessionLog
internal import TerminalText
internal import Transport

/// The session's life in the log.
extension Session {
  /// How long the prompt waits for the log, which another program may hold.
  private static let patience: Duration = .milliseconds(300)

  /// Begins the session in the log, and waits for it as long as nobody minds.
  /// - Returns: what is to be taken once the prompt is there.
  func beginLog(of room: JoinedRoom) async -> LogWriter.Beginning? {
    guard let log = room.log else { return nil }
    log.isOn = settings.keepsLog
    log.tell = { [weak self] text in
      // One log is behind all rooms: what one has told the others need not.
      guard let self, text != lastWordOfLog else { return }
      lastWordOfLog = text
      isUp ? say(language(text)) : earlyNotes.append(language(text))
    }
    let beginning = log.begin(
      transport: room.address.transportName, as: ownProfile(in: room))
    if let value = await firstValue(of: beginning, within: Self.patience) { return value }
    run { [self] in
      if let value = await beginning.value, isOpen(room) { take(value, in: room) }
    }
    return nil
  }

  /// The draft of last time comes back, and what was not sent goes on its way.
  func take(_ beginning: LogWriter.Beginning, in room: JoinedRoom) {
    room.unreadFrom = beginning.start.readTime
    room.networkIDs.restore(beginning.start.networkMessages)
    if !beginning.start.draft.isEmpty { put(beginning.start.draft, into: room) }
    run { await self.keepUnsent(in: room) }
    let waiting = beginning.waiting
    guard !waiting.isEmpty else { return }
    room.outbox.restore(waiting.map { ($0.event, $0.since.map(Cursor.init(value:))) })
    for item in waiting { showIfPending(item.event, in: room) }
    let text = language(
      "\(counted(waiting.count, "message")) from last time not sent yet; on the way now",
      "지난번에 보내지 못한 메시지 \(waiting.count)개를 이제 보냅니다")
    show(noteRows(text, of: room), messages: 0)
    deliver(in: room)
    updatePrompt()
  }

  /// Keeps what the log has not got: it was said before the log had begun, or
  /// while it could not be written.
  func keepUnsent(in room: JoinedRoom) async {
    guard let log = room.log else { return }
    let items = room.outbox.items.filter { !log.hasKept($0.id) }
    if !items.isEmpty { await log.keep(items) }
  }

  /// Notes what has come in, and how far the user has read.
  func noteInLog(_ updates: [RoomUpdate], of room: JoinedRoom) {
    guard let log = room.log else { return }
    for update in updates {
      guard case .replay(let events) = update else {
        if case .events(let events) = update { note(events, in: log) }
        continue
      }
      note(events, in: log)
    }
    // Everything that is on the screen counts as read.
    if held.messageCount == 0, let newest = room.timeline.newestTime {
      log.note(readUpTo: newest)
    }
  }

  private func note(_ events: [RoomEvent], in log: LogWriter) {
    guard let last = events.last else { return }
    log.note(events.map(\.event), cursor: last.cursor.value)
  }

  /// The row above the first message that is new since last time; once.
  func unreadRows(before entry: TimelineEntry, of room: JoinedRoom) -> [String] {
    guard let time = room.unreadFrom, entry.time > time,
      entry.message.profileID != ownID(in: room)
    else { return [] }
    room.unreadFrom = nil
    return noteRows(language("new since last time", "여기부터 새 메시지"), of: room)
  }

  /// Keeps the typed line when it has not changed for a moment; one that was
  /// sent is forgotten at once.
  func keepDraft() {
    let room = current
    guard let log = room.log else { return }
    room.draftTask?.cancel()
    guard !surface.line.isEmpty else { return log.note(draft: "") }
    room.draftTask = Task {
      try? await Task.sleep(for: .milliseconds(200))
      // Whoever turns to another room sees to the draft of this one.
      if !Task.isCancelled, room === current { log.note(draft: surface.line) }
    }
  }

  // MARK: - Commands

  /// `/log [on, off, status, export FILE]`.
  func runLog(_ arguments: String) throws(CommandError) {
    guard let log = current.log else {
      throw CommandError(language("no log is kept (--no-log)", "기록을 남기지 않습니다 (--no-log)"))
    }
    let (action, rest) = arguments.firstWord
    switch action {
    case "on", "off":
      settings.keepsLog = action == "on"
      for room in rooms { room.log?.isOn = settings.keepsLog }
      say(
        log.isOn
          ? language("the log is on", "기록을 남깁니다") : language("the log is off", "기록을 남기지 않습니다"))
    case "", "status": showLogStatus(log)
    case "export": try exportLog(log, to: rest)
    default:
      throw CommandError(
        language("/log takes on, off, status or export FILE", "/log 뒤에는 on, off, status, export 파일")
      )
    }
  }

  private func showLogStatus(_ log: LogWriter) {
    run { [self] in
      let state = log.isOn ? language("on", "켜짐") : language("off", "꺼짐")
      let count = try? await log.store.messageCount(in: log.room)
      say(language("log: \(state), \(log.store.path)", "기록: \(state), \(log.store.path)"))
      if let count {
        say(
          language(
            "\(counted(count, "message")) of this room are in it; /search finds them, banter log index takes in the rest",
            "이 방의 메시지 \(count)개가 있습니다. /search로 찾고, 나머지는 banter log index로 넣습니다"))
      }
    }
  }

  private func exportLog(_ log: LogWriter, to file: String) throws(CommandError) {
    let words = FileNames.split(file).words
    guard words.count == 1, let path = words.first.map(FileNames.expanded) else {
      throw CommandError(
        language(
          "name one file, in quotes if it has blanks: /log export talk.html",
          "파일을 하나 쓰세요. 빈칸이 있으면 따옴표로 묶습니다: /log export talk.html"))
    }
    let (room, options) = (current, options(of: current))
    run { [self] in
      do {
        let export = try await LogExport(
          log.store, range: LogRange(room: log.room), format: LogExport.format(of: path),
          options: options, fetchedFiles: parts.folders.fetchedFiles)
        let count = try await export.write(toNewFile: path)
        say(
          language(
            "\(counted(count, "message")) written to \(path)", "메시지 \(count)개를 \(path)에 썼습니다"))
        if let note = export.noteOnImages { say(language(note)) }
      } catch let error as LogError {
        returnLine("/log export \(file)", language(error.text), to: room)
      } catch let error as NewFileError {
        returnLine("/log export \(file)", language(error.text), to: room)
      } catch is CancellationError {
        // The session has ended; the file is gone.
      } catch {
        returnLine("/log export \(file)", "\(error)", to: room)
      }
    }
  }
}

extension JoinedRoom {
  /// Lets the log catch up in a flood, for a while.
  func waitForLog() async {
    if let log, log.isFull { await log.waitUntilWritten() }
  }
}

extension RoomAddress {
  /// What carries the room, in a word.
  var transportName: String {
    switch place {
    case .named, .file: "file"
    case .socket: "unix"
    case .remote(let scheme, _, _): scheme
    }
  }
}
