internal import ChatModel

/// Collects what ``Transport/next()`` returns, up to its bounds.
struct UpdateBatch {
  /// How many events, and bad lines, are told at once.
  static let maximumCount = 1000
  /// About how many bytes of lines.
  static let maximumBytes: Int64 = 256 * 1024

  private(set) var updates: [RoomUpdate] = []
  private var pending: [RoomEvent] = []
  private var isReplay = false
  private var problem: RoomProblem?
  private var count = 0
  private var bytes: Int64 = 0

  var isFull: Bool { count >= Self.maximumCount || bytes >= Self.maximumBytes }
  var isEmpty: Bool { updates.isEmpty && pending.isEmpty && problem == nil }

  mutating func add(_ event: RoomEvent, sizeInBytes: Int64, asReplay: Bool) {
    if problem != nil || asReplay != isReplay { flush() }
    isReplay = asReplay
    pending.append(event)
    count += 1
    bytes += sizeInBytes
  }

  /// Bad lines one directly after the other are one problem.
  mutating func add(_ next: RoomProblem) {
    count += 1
    if problem != nil, pending.isEmpty {
      problem?.lineCount += 1
    } else {
      flush()
      problem = next
    }
  }

  mutating func add(_ update: RoomUpdate) {
    flush()
    updates.append(update)
  }

  /// Before everything so far.
  mutating func begin(with update: RoomUpdate) {
    updates.insert(update, at: 0)
  }

  /// Everything so far, in order.
  mutating func finish() -> [RoomUpdate] {
    flush()
    return updates
  }

  private mutating func flush() {
    if let problem { updates.append(.problem(problem)) }
    if !pending.isEmpty { updates.append(isReplay ? .replay(pending) : .events(pending)) }
    problem = nil
    pending = []
  }
}
