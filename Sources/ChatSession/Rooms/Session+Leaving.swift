internal import ChatModel
internal import TerminalText

/// Leaving rooms, in which something may not be sent yet.
extension Session {
  /// Leaves rooms, and ends the session with the last one. While something in
  /// them is not sent it only tells so at first, and leaves when they have
  /// everything, or at the second time. What is on its way is waited for:
  /// whether it is sent is not known before.
  func leave(_ rooms: [JoinedRoom]) {
    let isSecondTime = isLeaving(rooms)
    let isStoring = rooms.contains { storingCount(in: $0) > 0 }
    guard !isStoring || isSecondTime else {
      leaving = rooms
      return say(
        language(
          "a file is still being stored; Banter leaves when it is sent, or leave again to give it up",
          "파일을 저장하고 있습니다. 보낸 뒤에 나갑니다. 다시 나가면 버립니다"))
    }
    let unsent = rooms.filter { !$0.outbox.isEmpty }
    if unsent.isEmpty { return depart(from: rooms, isStoring ? 75 : 0) }
    if unsent.allSatisfy({ $0.log?.session != nil }) { return leaveToOutbox(rooms) }
    let pendingCount = pendingCount(in: unsent)
    guard isSecondTime || surface.isGone && pendingCount == 0 else {
      leaving = rooms
      return warnOfUnsent(in: rooms)
    }
    guard pendingCount == 0 || unsent.allSatisfy({ $0.deliveryTask == nil }) else { return }
    departWithUnsent(from: rooms)
  }

  /// Leaves what is to be left when nothing in it is on its way any more.
  func leaveIfSettled() {
    guard !leaving.isEmpty, pendingCount(in: leaving) == 0,
      leaving.allSatisfy({ storingCount(in: $0) == 0 })
    else { return }
    let isSent = leaving.allSatisfy(\.outbox.isEmpty)
    if isSent || surface.isGone { depart(from: leaving, isSent ? 0 : 75) }
  }

  /// Whether the user wants to leave just these rooms.
  func isLeaving(_ rooms: [JoinedRoom]) -> Bool {
    rooms.map(\.number) == leaving.map(\.number)
  }

  private func pendingCount(in rooms: [JoinedRoom]) -> Int {
    rooms.reduce(0) { $0 + $1.outbox.pendingCount }
  }

  private func unsentCount(in rooms: [JoinedRoom]) -> Int {
    rooms.reduce(0) { $0 + $1.outbox.items.count }
  }

  /// Leaves rooms now.
  private func depart(from departed: [JoinedRoom], _ status: Int32) {
    let remaining = rooms.filter { room in !departed.contains { $0 === room } }
    guard !remaining.isEmpty else { return end(status) }
    for room in departed {
      say(language("left \(room.label ?? room.name)", "\(room.label ?? room.name)에서 나왔습니다"))
      forget(room)
    }
  }

  /// Tells what leaving would give up; of what is on its way only when it does
  /// not arrive soon.
  private func warnOfUnsent(in rooms: [JoinedRoom]) {
    guard rooms.allSatisfy({ $0.outbox.failedCount == 0 }) else { return sayUnsent(in: rooms) }
    run { [self] in
      try? await Task.sleep(for: parts.patience)
      if isLeaving(rooms), !Task.isCancelled, unsentCount(in: rooms) > 0 { sayUnsent(in: rooms) }
    }
  }

  /// Leaves, soon, what is not sent to the next run in its room; what the log
  /// cannot keep is told first, as without a log.
  private func leaveToOutbox(_ rooms: [JoinedRoom]) {
    guard !isLeaving(rooms) else { return departWithUnsent(from: rooms) }
    leaving = rooms
    run { [self] in
      if pendingCount(in: rooms) > 0 { try? await Task.sleep(for: parts.patience) }
      let isWanted = { [self] in
        isLeaving(rooms) && !Task.isCancelled && unsentCount(in: rooms) > 0
      }
      guard isWanted() else { return }
      for room in rooms { await keepUnsent(in: room) }
      guard isWanted() else { return }
      guard rooms.allSatisfy(hasKeptAll) else {
        return surface.isGone ? departWithUnsent(from: rooms) : sayUnsent(in: rooms)
      }
      let text = keptText(unsentCount(in: rooms), in: rooms.filter { !$0.outbox.isEmpty })
      if rooms.count == self.rooms.count { farewell = text } else { say(text) }
      depart(from: rooms, 75)
    }
  }

  private func hasKeptAll(_ room: JoinedRoom) -> Bool {
    room.outbox.items.allSatisfy { room.log?.hasKept($0.id) == true }
  }

  private func keptText(_ count: Int, in rooms: [JoinedRoom]) -> String {
    let names = rooms.compactMap(\.label).joined(separator: ", ")
    return language(
      "\(counted(count, "message")) not sent yet, to go out with the next run in \(names.isEmpty ? "this room" : names)",
      "보내지 못한 메시지 \(count)개는 \(names.isEmpty ? "이 방" : names)에서 다음에 실행할 때 보냅니다")
  }

  private func sayUnsent(in rooms: [JoinedRoom]) {
    let count = unsentCount(in: rooms)
    let names = rooms.filter { !$0.outbox.isEmpty }.compactMap(\.label).joined(separator: ", ")
    let place = names.isEmpty ? "" : "\(names): "
    say(
      place
        + language(
          "\(count) not sent yet; /retry, /discard, or leave again to give them up",
          "\(count)개를 아직 보내지 못했습니다. /retry, /discard, 다시 나가면 버립니다"))
  }

  /// Leaves rooms now. What is not kept is at least not lost from the screen.
  private func departWithUnsent(from rooms: [JoinedRoom]) {
    for room in rooms { tellUnsent(in: room) }
    depart(from: rooms, 75)
  }

  /// Shows what nobody will send.
  func tellUnsent(in room: JoinedRoom) {
    for item in room.outbox.items where !(room.log?.hasKept(item.id) ?? false) {
      guard case .message(let message) = item.event, let content = message.content else { continue }
      let text = language("not sent: \(content)", "보내지 못함: \(content)")
      show(noteRows(text, of: room), messages: 0)
    }
  }
}
