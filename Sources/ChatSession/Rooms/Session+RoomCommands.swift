internal import ChatModel
internal import SessionLog
internal import TerminalText
internal import Transport

/// What the commands about rooms do, but for ``join(_:)``.
extension Session {
  /// `/leave [ROOM]`.
  func runLeave(_ argument: String) throws(CommandError) {
    guard !argument.isEmpty else { return leave([current]) }
    guard let room = openRoom(named: argument) else {
      throw CommandError(
        language(
          "no room of that name is open: \(argument); /rooms lists them",
          "열린 방이 아닙니다: \(argument). /rooms 목록"))
    }
    leave([room])
  }

  /// Lists the rooms that are open, and the others of the far side or of the
  /// data folder.
  func listRooms() {
    let room = current
    run { [self] in
      do throws(TransportError) {
        let items = try await room.transport.rooms()
        if let items { room.siblings.items = items }
        let others = items ?? localRooms.map { RoomItem(room: $0) }
        show(
          openRoomRows(others, of: room) + otherRows(others, of: room) + signRows, messages: 0)
      } catch {
        show(openRoomRows([], of: room) + signRows, messages: 0)
        say(language(error.text))
      }
    }
  }

  /// What the signs before the rooms mean.
  private var signRows: [String] {
    noteRows(
      language(
        "* is where you are, + is open; new is what came meanwhile",
        "*는 지금 방, +는 열린 방, 새 메시지는 그동안 온 것"))
  }

  var localRooms: [String] { RoomFolder(parts.folders.rooms).roomNames }

  /// A row an open room: `* lobby`, the current one, and `+ team, open, 3 new`.
  private func openRoomRows(_ items: [RoomItem], of room: JoinedRoom) -> [String] {
    rooms.flatMap { open in
      let item = items.first { isSame($0, open, besides: room) }
      let facts = [
        open === current ? nil : language("open", "열림"),
        open.newCount > 0
          ? language("\(open.newCount) new", "새 메시지 \(open.newCount)") : nil,
        presence(item),
      ].compactMap(\.self)
      let mark = open === current ? "*" : "+"
      return noteRows("\(mark) " + ([open.label ?? open.name] + facts).joined(separator: ", "))
    }
  }

  private func otherRows(_ items: [RoomItem], of room: JoinedRoom) -> [String] {
    items.filter { item in !rooms.contains { isSame(item, $0, besides: room) } }
      .flatMap { item in
        let facts = [item.room, presence(item), item.title].compactMap(\.self)
        return noteRows("  " + facts.joined(separator: ", "))
      }
  }

  private func presence(_ item: RoomItem?) -> String? {
    guard let members = item?.members, members > 0 else { return nil }
    return language("\(members) here now", "접속 \(members)명")
  }

  /// Whether an item that was told of in `teller` is an open room.
  private func isSame(_ item: RoomItem, _ open: JoinedRoom, besides teller: JoinedRoom) -> Bool {
    guard open.name == item.room else { return false }
    if open === teller { return true }
    let address =
      teller.isRemote ? teller.address.sibling(named: item.room) : try? RoomAddress(item.room)
    let logged = address.flatMap { try? parts.source.loggedRoom($0) }
    return open.logged.address == logged?.address
  }

  // MARK: - Completion

  /// What `/join` may be followed by: open rooms, further ones of the far side,
  /// and those of the data folder.
  var roomChoices: [(name: String, argument: String)] {
    let open = rooms.filter { $0 !== current }.map { $0.label ?? $0.name }
    let further = current.siblings.items.map(\.room)
    let local = localRooms.map { name in
      let isBare = !current.isRemote && (try? RoomAddress(name))?.place == .named(name)
      return (name: name, argument: isBare ? name : "\(parts.folders.rooms)/\(name).jsonl")
    }
    var seen: Set<String> = []
    return ((open + further).map { (name: $0, argument: $0) } + local)
      .filter { seen.insert($0.argument).inserted }
  }

  /// Asks the far side of the current room for its rooms, for Tab, unless it
  /// was asked just now.
  func askForSiblings() {
    let room = current
    let now = ContinuousClock.now
    guard room.isRemote, room.siblings.askedAt.map({ now - $0 > .seconds(120) }) ?? true else {
      return
    }
    room.siblings.askedAt = now
    run {
      if let items = try? await room.transport.rooms() { room.siblings.items = items }
    }
  }

  // MARK: - Commands of the far side

  /// As many lines of an answer as anybody will read.
  private static let answerLimit = 200

  /// Has the far side carry out a command of its own, and shows what it says.
  func perform(
    _ command: FarCommand, _ arguments: String, _ line: String, in room: JoinedRoom
  ) {
    guard room.isReachable else {
      return returnLine(
        line,
        room.labelled(
          language(
            "not connected; /\(command.name) was not sent", "연결되지 않아 /\(command.name) 명령을 보내지 않았습니다"
          )),
        to: room)
    }
    run { [self] in
      do throws(TransportError) {
        guard let notice = try await room.transport.perform(command.name, arguments) else { return }
        let lines = notice.split(omittingEmptySubsequences: false) { $0.isNewline }
        let text = lines.prefix(Self.answerLimit).joined(separator: "\n")
        guard !text.trimmed.isEmpty else { return }
        show(noteRows(text, of: room), messages: 0)
        guard lines.count > Self.answerLimit else { return }
        let rest = lines.count - Self.answerLimit
        say(language("and \(counted(rest, "more line"))", "그 밖에 \(rest)줄"))
      } catch {
        let reason = room.labelled(language(error.text))
        // What another word, or another moment, can mend comes back.
        let canBeMended = error.code.isTransient || [.invalid, .notFound].contains(error.code)
        canBeMended ? returnLine(line, reason, to: room) : say(reason)
      }
    }
  }
}
