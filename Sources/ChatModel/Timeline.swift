/// A room's messages in memory: ordered by time, then by arrival; unique by
/// id; changed by events, each of which yields at most one diff.
///
/// It holds the newest `capacity` messages, fewer where they are large. Events
/// are told apart by their ids, so that applying the same batch twice yields
/// nothing the second time.
package struct Timeline: Sendable {
  /// How events come in: with the past, or as they happen.
  package enum Arrival: Sendable {
    /// The room's past, read in its order.
    case replay
    /// Now, by this machine's clock.
    case live
  }

  /// How long before the newest message a message may lie and not be late.
  package static let tolerance: Duration = .seconds(60)

  private let capacity: Int
  private let capacityInBytes: Int
  private var sizeInBytes = 0
  private var entriesByID: [String: TimelineEntry] = [:]
  private var order: [Place] = []
  private var arrivals = 0
  private var recentIDs: RecentIDs
  private var waiting: WaitingChanges
  /// The newest time in the timeline, which a time in the future cannot move.
  package private(set) var newestTime: Timestamp?

  /// The id of the message that was applied last.
  package private(set) var lastMessageID: String?

  private struct Place: Sendable {
    var time: Timestamp
    var arrival: Int
    var id: String

    func isBefore(_ other: Place) -> Bool {
      (time, arrival) < (other.time, other.arrival)
    }
  }

  package init(capacity: Int = 10_000, capacityInBytes: Int = 64 << 20) {
    precondition(capacity > 0)
    self.capacity = capacity
    self.capacityInBytes = capacityInBytes
    recentIDs = RecentIDs(capacity: max(capacity * 8, 1_000))
    waiting = WaitingChanges(capacity: 1_000)
  }

  /// The messages, oldest first.
  package var entries: some Sequence<TimelineEntry> {
    order.lazy.compactMap { entriesByID[$0.id] }
  }

  package var count: Int { order.count }

  package func entry(_ id: String) -> TimelineEntry? { entriesByID[id] }

  /// The newest message for which `condition` holds.
  package func newest(where condition: (TimelineEntry) -> Bool) -> TimelineEntry? {
    order.reversed().lazy.compactMap { entriesByID[$0.id] }.first(where: condition)
  }

  /// Applies events in the order in which they came.
  package mutating func apply(
    _ events: some Sequence<Event>, _ arrival: Arrival, now: Timestamp
  ) -> [TimelineDiff] {
    events.compactMap { apply($0, arrival, now: now) }
  }

  /// Applies one event.
  /// - Returns: nil when it changes nothing that is here.
  package mutating func apply(
    _ event: Event, _ arrival: Arrival, now: Timestamp
  ) -> TimelineDiff? {
    guard recentIDs.insert(event.id) else { return nil }
    return switch event {
    case .message(let message): insert(message, arrival, now: now)
    case .edit(let edit): change(edit.messageID, event) { $0.apply(edit) }
    case .deletion(let deletion): change(deletion.messageID, event) { $0.apply(deletion) }
    case .reaction(let reaction): change(reaction.messageID, event) { $0.apply(reaction) }
    case .profile(let change): .profile(change)
    case .presence(let presence): .presence(presence)
    case .notice(let notice): .notice(notice, time(of: notice.createdAt, arrival, now: now))
    }
  }

  private mutating func insert(
    _ message: Message, _ arrival: Arrival, now: Timestamp
  ) -> TimelineDiff? {
    // It may be here longer than its id is remembered.
    guard entriesByID[message.id] == nil else { return nil }
    let time = time(of: message.createdAt, arrival, now: now)
    var entry = TimelineEntry(message: message, time: time)
    if let newestTime, case .live = arrival { entry.isLate = time + Self.tolerance < newestTime }
    for event in waiting.take(for: message.id) { _ = entry.apply(event) }
    newestTime = max(newestTime ?? time, time)
    lastMessageID = message.id
    place(entry)
    return .insert(entry)
  }

  private mutating func place(_ entry: TimelineEntry) {
    arrivals += 1
    let place = Place(time: entry.time, arrival: arrivals, id: entry.id)
    order.insert(place, at: index(of: place))
    entriesByID[entry.id] = entry
    sizeInBytes += entry.sizeInBytes
    evict()
  }

  /// Where a place belongs: nearly always at the end.
  private func index(of place: Place) -> Int {
    guard let last = order.last, place.isBefore(last) else { return order.count }
    var range = 0..<order.count - 1
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        place.isBefore(order[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Forgets the oldest, many at a time, which keeps each insertion cheap.
  private mutating func evict() {
    guard order.count > capacity + capacity / 4 || sizeInBytes > capacityInBytes else { return }
    var surplus = max(0, order.count - capacity)
    for place in order.prefix(surplus) { forget(place.id) }
    // Down to three quarters, but never the newest message.
    while sizeInBytes > capacityInBytes / 4 * 3, surplus < order.count - 1 {
      forget(order[surplus].id)
      surplus += 1
    }
    order.removeFirst(surplus)
  }

  private mutating func forget(_ id: String) {
    guard let entry = entriesByID.removeValue(forKey: id) else { return }
    sizeInBytes -= entry.sizeInBytes
  }

  private mutating func change(
    _ messageID: String, _ event: Event, _ apply: (inout TimelineEntry) -> TimelineChange?
  ) -> TimelineDiff? {
    guard var entry = entriesByID[messageID] else {
      waiting.add(event, for: messageID)
      return nil
    }
    let sizeBefore = entry.sizeInBytes
    guard let change = apply(&entry) else { return nil }
    sizeInBytes += entry.sizeInBytes - sizeBefore
    entriesByID[messageID] = entry
    evict()
    return .update(entry, change)
  }

  /// The time that orders an event: its own, unless it has none or one in the
  /// future. Then it is that of its arrival, which for the past is known no
  /// better than by what came before it.
  private func time(of createdAt: Timestamp?, _ arrival: Arrival, now: Timestamp) -> Timestamp {
    if let createdAt, createdAt <= now { return createdAt }
    return switch arrival {
    case .live: now
    case .replay: newestTime ?? now
    }
  }
}
