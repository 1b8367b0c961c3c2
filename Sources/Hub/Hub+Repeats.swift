internal import Dispatch
internal import Executors
internal import Transport

/// Repeats whose first attempt was long ago are looked for on another queue:
/// nobody waits for that but who has sent them, in their order.
extension Hub {
  private static let searchQueue = DispatchQueue(label: "banter.hub.repeats")

  /// Whether an event has to wait for a search, its own or one before it.
  func isToWait(_ line: OutgoingLine, of client: HubClient, in room: HubRoom) -> Bool {
    !client.repeats.isEmpty || line.since.map { room.file.isFarBack($0) } ?? false
  }

  func search(for event: HubRoom.Incoming, of client: HubClient, in room: HubRoom) {
    client.repeats.append(RepeatedSend(room: room, event: event))
    room.repeatCount += 1
    if client.repeats.count == 1 { goOnSearching(for: client) }
  }

  private func goOnSearching(for client: HubClient) {
    while let next = client.repeats.first {
      if let since = next.event.line.since, next.room.file.isFarBack(since) {
        let lookup = RepeatLookup(
          path: next.room.file.path, id: next.event.line.id, since: since)
        return run(lookup, client.number)
      }
      takeFirstRepeat(of: client)
    }
  }

  private func run(_ lookup: RepeatLookup, _ number: Int) {
    let queue = executor.queue
    Self.searchQueue.async { [weak self] in
      let result = Result { () throws(TransportError) in try lookup.run() }
      queue.async { [weak self] in self?.assumeIsolated { $0.take(result, number) } }
    }
  }

  private func take(_ result: Result<RepeatLookup.Answer, TransportError>, _ number: Int) {
    guard let client = clients[number], let first = client.repeats.first else { return }
    switch result {
    case .success(let answer):
      if let place = answer.place {
        first.room.note(first.event, at: place, isDuplicate: true)
        removeFirstRepeat(of: client)
        wake(first.room)
      } else {
        // What has come since is looked at with the lock.
        client.repeats[0].event.line.since = answer.end
        takeFirstRepeat(of: client)
      }
    case .failure(let error):
      removeFirstRepeat(of: client)
      answer(
        number, .error(ref: first.event.ref, ProtocolError(error)), first.event.sizeInBytes)
      letGo(of: first.room)
    }
    goOnSearching(for: client)
  }

  private func takeFirstRepeat(of client: HubClient) {
    let first = client.repeats[0]
    first.room.incoming.append(first.event)
    removeFirstRepeat(of: client)
    wake(first.room)
  }

  private func removeFirstRepeat(of client: HubClient) {
    client.repeats.removeFirst().room.repeatCount -= 1
  }

  /// Nobody is there any more to whom it could be acknowledged; he sends it
  /// again.
  func forgetRepeats(of client: HubClient) {
    for item in client.repeats {
      item.room.repeatCount -= 1
      letGo(of: item.room)
    }
    client.repeats = []
  }
}
