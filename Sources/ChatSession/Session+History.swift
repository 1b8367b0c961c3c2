internal import ChatModel
internal import Glibc
internal import TerminalText
internal import Transport

/// Reading a room back.
extension Session {
  /// How many messages are laid out in one turn on the main actor.
  private static let turn = 200

  /// Where reading back begins.
  private enum Start {
    case latest
    case message(id: String)
    case time(Timestamp)
  }

  private func start(_ argument: String) throws(CommandError) -> Start {
    if argument.isEmpty { return .latest }
    if let number = Int(argument) {
      guard let place = numbers[number] else {
        throw CommandError(
          language("there is no message \(number) here", "\(number)번 메시지가 없습니다"))
      }
      return .message(id: place.id)
    }
    guard let day = CivilDate(argument) else {
      throw CommandError(
        language(
          "name a message's number or a day: /history 12, /history 2026-11-30",
          "메시지 번호나 날짜를 쓰세요: /history 12, /history 2026-11-30"))
    }
    return .time(transcript.options.zone.startOfDay(day))
  }

  /// Shows the room's past in the pager, in the order of time.
  func readBack(_ argument: String) throws(CommandError) {
    if let message = Int(argument).flatMap({ found[$0] }) { return readBack(around: message) }
    let start = try start(argument)
    let room = try Int(argument) == nil ? current : named(argument).room
    run { [self] in
      do throws(TransportError) {
        let past = try await past(of: room, from: start)
        let rows = await rows(ofPast: past.events, of: room)
        let opening = past.isWhole ? [] : noteRows(language(Self.earlier))
        await page(opening + rows, atEnd: argument.isEmpty)
      } catch {
        say(language(error.text))
      }
    }
  }

  private static let earlier = LocalizedText(
    "there are earlier messages: /history 2026-11-30 begins at a day",
    "이전 메시지가 더 있습니다. /history 2026-11-30은 그날부터 보여 줍니다")

  /// A part of the room's past, oldest first.
  private struct Past {
    var events: [RoomEvent]
    /// Whether it begins where it was asked to.
    var isWhole: Bool
  }

  /// As many events, and bytes of them, as a person may read and memory can
  /// hold.
  private static let (pastLimit, pastByteLimit) = (100_000, 128 << 20)

  /// Pages backwards until the start is reached, or the limit.
  private func past(
    of room: JoinedRoom, from start: Start
  ) async throws(TransportError) -> Past {
    let context = 20
    var pages: [[RoomEvent]] = []
    var (count, size) = (0, 0)
    var before: Cursor?
    while count < Self.pastLimit, size < Self.pastByteLimit {
      var page = try await room.transport.history(before: before, limit: 1_000)
      if !room.networkIDs.isEmpty { page.events = page.events.map(room.networkIDs.own) }
      pages.append(page.events)
      count += page.events.count
      size += page.events.reduce(0) { $0 + $1.event.sizeInBytes }
      before = page.start
      var first: Int?
      switch start {
      case .latest:
        return Past(events: page.events, isWhole: !page.more)
      case .message(let id):
        first = page.events.firstIndex { $0.event.id == id }.map { max(0, $0 - context) }
      case .time(let time):
        if let oldest = page.events.lazy.compactMap(\.event.createdAt).first, oldest < time {
          first =
            page.events.firstIndex { ($0.event.createdAt ?? oldest) >= time } ?? page.events.count
        }
      }
      if first != nil || !page.more {
        let events = pages.reversed().joined().dropFirst(first ?? 0)
        return Past(events: Array(events), isWhole: true)
      }
    }
    return Past(events: Array(pages.reversed().joined()), isWhole: false)
  }

  /// Lays the past out, and lets keys and arrivals take turns meanwhile.
  ///
  /// Only messages that commands can name have a number.
  private func rows(ofPast events: [RoomEvent], of room: JoinedRoom) async -> [String] {
    var past = Timeline(capacity: max(1, events.count))
    var notices: [(Timestamp, String)] = []
    for (index, event) in events.enumerated() {
      if index % Self.turn == 0 { await Task.yield() }
      let diff = past.apply(event.event, .replay, now: now())
      if case .notice(let notice, let time)? = diff { notices.append((time, notice.content)) }
    }
    var transcript = Transcript(options: options(of: room))
    var rows: [String] = []
    var waiting = notices[...]
    for (index, entry) in past.entries.enumerated()
    where !settings.ignored.contains(entry.message.profileID) {
      if index % Self.turn == 0 { await Task.yield() }
      while let (time, content) = waiting.first, time <= entry.time {
        rows += transcript.lines(forNotice: content, at: time)
        waiting = waiting.dropFirst()
      }
      var shown = ShownMessage(
        entry: entry, nil, profiles: room.profiles, timeline: past, language: language)
      shown.number = numbers.known(entry.id, in: room.number)
      rows += transcript.lines(for: shown)
    }
    for (time, content) in waiting { rows += transcript.lines(forNotice: content, at: time) }
    return rows
  }
}
