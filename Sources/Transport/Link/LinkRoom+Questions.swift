package import ChatModel
internal import Sockets

/// What the far side is asked.
extension LinkRoom {
  /// A request's reference: no other room that shares the line has the same.
  func reference(_ number: some LosslessStringConvertible) -> String {
    "\(connection?.prefix ?? "")\(number)"
  }

  func number(of reference: String) -> Int? {
    guard let prefix = connection?.prefix, reference.hasPrefix(prefix) else { return nil }
    return Int(reference.dropFirst(prefix.count))
  }

  func takeRef() -> Int {
    defer { nextRef += 1 }
    return nextRef
  }

  /// Asks for something when the room has been entered.
  func question(
    _ request: (_ ref: String, _ room: String) -> Request
  ) async throws(TransportError) -> Answer {
    connectIfIdle()
    // It may have been left again before this goes on.
    while !isEntered {
      if isGivenUp, let lastingFailure { throw lastingFailure }
      if isClosed || patience == .unlimited, !isComing {
        throw TransportError(
          .unreachable, path: dialer.name, reason: "nobody can be reached at the moment")
      }
      let failure = await withCheckedContinuation { arrivals.append($0) }
      if let failure { throw failure }
    }
    let number = takeRef()
    let limit = timing.answer
    let timer = Task {
      try? await Task.sleep(for: limit)
      guard !Task.isCancelled else { return }
      giveUp(number, after: limit)
    }
    defer { timer.cancel() }
    let result = await withCheckedContinuation { continuation in
      questions[number] = continuation
      ask(request(reference(number), room))
    }
    return try result.get()
  }

  /// What comes later answers nothing.
  private func giveUp(_ number: Int, after limit: Duration) {
    let seconds = limit.components.seconds
    questions.removeValue(forKey: number)?.resume(
      returning: .failure(
        TransportError(
          .unreachable, path: dialer.name, reason: "no answer within \(seconds) s")))
  }

  /// Whether it is on its way into the room.
  private var isComing: Bool {
    switch stage {
    case .dialing, .greeting, .joining: true
    default: false
    }
  }

  /// How many empty pages one after the other are turned: a far side may look
  /// through a part of the past in which there is nothing for this room.
  private static let emptyPageLimit = 50

  package func history(
    before cursor: Cursor?, limit: Int
  ) async throws(TransportError) -> HistoryPage {
    var place = cursor
    for _ in 0..<Self.emptyPageLimit {
      let answer = try await question { ref, room in
        .history(ref: ref, HistoryRequest(room: room, before: place, limit: limit))
      }
      guard case .page(_, let page) = answer else { throw unexpected }
      // What leads back to where it was asked from leads nowhere.
      let next = (page.next ?? page.events.first?.cursor).flatMap { $0 == place ? nil : $0 }
      guard page.events.isEmpty, page.more, let next else {
        return HistoryPage(
          events: page.events, more: page.more && next != nil,
          start: next ?? place ?? Cursor(value: ""))
      }
      place = next
    }
    throw TransportError(
      .broken, path: dialer.name,
      reason: "it says that there is more of the past, and tells none of it")
  }

  package func members() async throws(TransportError) -> [Profile]? {
    try await list { ref, room, after in
      .members(ref: ref, room: room, after: after)
    } items: { answer in
      if case .members(_, let profiles, let next) = answer { (profiles, next) } else { nil }
    }
  }

  package func perform(
    _ command: String, _ arguments: String
  ) async throws(TransportError) -> String? {
    // What comes late may do something else than what was meant.
    guard isEntered, !isOnItsWay else {
      throw TransportError(
        .unreachable, path: dialer.name, reason: "not connected; /\(command) was not sent")
    }
    let answer = try await question { ref, room in
      .command(ref: ref, room: room, name: command, arguments: arguments)
    }
    guard case .done(_, let notice) = answer else { throw unexpected }
    return notice
  }

  package func profile(_ id: String) async throws(TransportError) -> Profile? {
    let answer = try await question { ref, _ in .profile(ref: ref, profileID: id) }
    guard case .profile(_, let profile) = answer else { throw unexpected }
    return profile
  }

  package func rooms() async throws(TransportError) -> [RoomItem]? {
    try await list { ref, _, after in
      .rooms(ref: ref, after: after)
    } items: { answer in
      if case .rooms(_, let rooms, let next) = answer { (rooms, next) } else { nil }
    }
  }

  /// How many items of a list are asked for: more is nothing to read.
  private static let listLimit = 10_000

  /// All items of a list that may come in several answers.
  private func list<Item: Sendable>(
    _ request: (_ ref: String, _ room: String, _ after: String?) -> Request,
    items: (Answer) -> (items: [Item], next: String?)?
  ) async throws(TransportError) -> [Item] {
    var list: [Item] = []
    var after: String?
    repeat {
      let answer = try await question { ref, room in request(ref, room, after) }
      guard let part = items(answer) else { throw unexpected }
      list += part.items
      after = part.items.isEmpty ? nil : part.next
    } while after != nil && list.count < Self.listLimit
    return list
  }

  var unexpected: TransportError {
    TransportError(.broken, path: dialer.name, reason: "it answers something else than was asked")
  }
}
