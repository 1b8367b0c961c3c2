internal import ChatModel
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
    let reason = "it may have arrived; \(error.reason); look, then /retry or /discard at the prompt"
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
}
