/// What was told and not yet taken, in its order.
struct Mailbox {
  private static let limit = 1_000
  private static let limitInBytes = 256 * 1024
  private var updates: [RoomUpdate] = []
  /// Events of one kind that came last: they are told together.
  private var events: [RoomEvent] = []
  private var areReplay = false
  private var count = 0
  private var sizeInBytes = 0

  var isEmpty: Bool { updates.isEmpty && events.isEmpty }
  /// Whether nothing more is to be read before it is emptied.
  var isFull: Bool { count >= Self.limit || sizeInBytes >= Self.limitInBytes }

  /// Adds an update, of whatever kind, for each takes memory.
  /// - Parameter sizeInBytes: of the line that told it, about.
  mutating func add(_ update: RoomUpdate, sizeInBytes: Int) {
    self.sizeInBytes += sizeInBytes
    switch update {
    case .events(let more): append(more, asReplay: false)
    case .replay(let more): append(more, asReplay: true)
    default:
      endRun()
      updates.append(update)
      count += 1
    }
  }

  private mutating func append(_ more: [RoomEvent], asReplay: Bool) {
    if asReplay != areReplay { endRun() }
    areReplay = asReplay
    events += more
    count += more.count
  }

  private mutating func endRun() {
    guard !events.isEmpty else { return }
    updates.append(areReplay ? .replay(events) : .events(events))
    events = []
  }

  mutating func take() -> [RoomUpdate] {
    endRun()
    defer { self = Mailbox() }
    return updates
  }
}
