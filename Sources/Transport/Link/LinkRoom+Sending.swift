package import ChatModel
internal import Sockets

/// What goes to the far side.
extension LinkRoom {
  /// How much waits at the far side for its disk, at most.
  private static let window = 256

  /// See ``Transport/send(_:)``. An event that is not acknowledged when the way
  /// breaks is repeated over the next one.
  package func send(_ events: [OutgoingEvent]) async -> [Receipt] {
    var receipts: [Receipt] = []
    var rest = events[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.window)
      rest = rest.dropFirst(part.count)
      receipts += await send(part)
    }
    return receipts
  }

  private func send(_ events: ArraySlice<OutgoingEvent>) async -> [Receipt] {
    connectIfIdle()
    let tasks = events.map { outgoing in
      let number = takeRef()
      return Task { await send(outgoing, number) }
    }
    var receipts: [Receipt] = []
    for task in tasks { receipts.append(await task.value) }
    return receipts
  }

  private func send(_ outgoing: OutgoingEvent, _ number: Int) async -> Receipt {
    if isClosed {
      return .failed(TransportError(.closed, path: dialer.name, reason: "the room was closed"))
    }
    if isGivenUp, let lastingFailure { return .failed(lastingFailure) }
    return await withCheckedContinuation { continuation in
      unacknowledged.add(
        OutgoingQueue.Item(outgoing, continuation: continuation), as: number)
      sayWhatWaits()
    }
  }

  /// Whether the room has been entered, so that something can be sent to it.
  var isEntered: Bool {
    switch stage {
    case .replaying, .live: true
    default: false
    }
  }

  /// Says what is to be said, in its order, as far as the line takes it and
  /// the far side has not asked to be spared.
  func sayWhatWaits() {
    while isEntered, pause == nil, let connection, connection.pendingBytes < Self.outputBytes,
      let number = unacknowledged.next, let event = unacknowledged[number]
    {
      say(event, number)
    }
  }

  private func say(_ item: OutgoingQueue.Item, _ number: Int) {
    unacknowledged.say(number, at: cursor)
    if item.isRepeat, !capabilities.removesDuplicates {
      return doubt(number, TransportError(.uncertain, reason: "it was sent in an earlier run"))
    }
    let event = item.isOwn ? named(item.event) : item.event
    let request = SendRequest(room: room, event: event, since: item.since)
    guard !ask(.send(ref: reference(number), request), limitInBytes: maximumLineBytes) else {
      return
    }
    let reason = "the far side takes lines of \(maximumLineBytes) bytes at most; send it in parts"
    settle(number, .failed(TransportError(.tooLarge, path: dialer.name, reason: reason)))
  }

  /// An event may be in the room or not, and the far side would not notice a
  /// repeat: only the user can tell.
  func doubt(_ number: Int, _ error: TransportError) {
    let reason = "it may have arrived; \(error.reason); look, then /retry or /discard"
    settle(number, .failed(TransportError(.uncertain, path: dialer.name, reason: reason)))
  }

  /// The way is broken. What was said over it is said again over the next one,
  /// where the far side notices what it has already.
  func beginAnew() {
    if !capabilities.removesDuplicates {
      let error = TransportError(.unreachable, reason: "the connection broke")
      for number in unacknowledged.said { doubt(number, error) }
    }
    unacknowledged.beginAnew()
  }

  /// Says an event again, and everything behind it, when the far side may have
  /// it.
  func putOff(_ number: Int, for delay: Duration) {
    guard unacknowledged.putOff(number) else { return }
    silentUntil = max(silentUntil, .now + delay)
    guard pause == nil else { return }
    pause = Task {
      while !Task.isCancelled, ContinuousClock.now < silentUntil {
        try? await Task.sleep(until: silentUntil)
      }
      guard !Task.isCancelled else { return }
      pause = nil
      sayWhatWaits()
    }
  }

  /// One who has no name but the one of this machine's account is called as
  /// the far side knows him.
  private func named(_ event: Event) -> Event {
    guard case .message(var message) = event, let identity, message.profileID != identity.id,
      message.profileName == message.profileID
    else { return event }
    message.profileID = identity.id
    message.profileName = identity.name
    return .message(message)
  }

  // MARK: - Questions

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
    let result = await withCheckedContinuation { continuation in
      questions[number] = continuation
      ask(request(reference(number), room))
    }
    return try result.get()
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
