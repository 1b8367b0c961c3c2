internal import ChatModel
internal import SessionLog
internal import Transport

/// The ids under which a room's network keeps one's own messages: what it tells
/// under one of them is what was sent.
struct NetworkIDs {
  private var ownIDs = RecentValues<String>()
  /// Messages of earlier runs, whole, by the id that they were sent with: the
  /// network may have them in parts.
  private var earlier: [String: Message] = [:]
  private(set) var isEmpty = true

  /// Takes over what the log knows of earlier runs.
  mutating func restore(_ messages: [NetworkMessage]) {
    for known in messages.reversed() {
      note([known.networkID], of: known.message.id)
      earlier[known.message.id] = known.message
    }
  }

  /// Notes under which ids a message is kept that was sent now.
  mutating func note(_ networkIDs: [String], of id: String) {
    for networkID in networkIDs {
      ownIDs.remember(networkID, id)
      isEmpty = false
    }
  }

  /// The event as this side knows it: with its own ids, and one's own message
  /// as it was sent.
  func own(_ event: Event) -> Event {
    let named = event.namingMessages { ownIDs[$0] ?? $0 }
    guard case .message(let message) = named, message.id != event.id,
      let whole = earlier[message.id]
    else { return named }
    return .message(whole)
  }

  /// The same for all that a room tells at once.
  func own(_ update: RoomUpdate) -> RoomUpdate {
    switch update {
    case .replay(let events): .replay(events.map(own))
    case .events(let events): .events(events.map(own))
    default: update
    }
  }

  func own(_ event: RoomEvent) -> RoomEvent {
    RoomEvent(event: own(event.event), cursor: event.cursor)
  }
}
