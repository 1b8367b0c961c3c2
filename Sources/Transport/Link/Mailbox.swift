/// What was told and not yet taken, in its order.
struct Mailbox {
  private static let limit = 1_000
  private static let limitInBytes = 256 * 1024
  private var updates: [RoomUpdate] = []
  private var count = 0
  private var sizeInBytes = 0

  var isEmpty: Bool { updates.isEmpty }
  /// Whether nothing more is to be read before it is emptied.
  var isFull: Bool { count >= Self.limit || sizeInBytes >= Self.limitInBytes }

  /// Adds an update, of whatever kind, for each takes memory. Events of a kind
  /// that follow one another are told together.
  /// - Parameter sizeInBytes: of the line that told it, about.
  mutating func add(_ update: RoomUpdate, sizeInBytes: Int) {
    self.sizeInBytes += sizeInBytes
    switch (updates.last, update) {
    case (.events(var events), .events(let more)):
      updates.removeLast()
      events += more
      updates.append(.events(events))
      count += more.count
    case (.replay(var events), .replay(let more)):
      updates.removeLast()
      events += more
      updates.append(.replay(events))
      count += more.count
    default:
      updates.append(update)
      count += 1
    }
  }

  mutating func take() -> [RoomUpdate] {
    defer { self = Mailbox() }
    return updates
  }
}
