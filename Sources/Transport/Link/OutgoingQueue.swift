internal import ChatModel

/// What is sent and not acknowledged, by its reference, which grows: the order
/// in which it is to be in the room.
///
/// Where the far side puts an event off, what it has heard of those behind it
/// cannot be undone. From then on one event after the other is said, each when
/// the one before it is settled, until nothing is left: so none overtakes
/// another any more.
struct OutgoingQueue {
  /// An event on its way.
  struct Item {
    var event: Event
    let isOwn: Bool
    /// Whether an earlier run has tried to send it, of which nobody knows how it
    /// went.
    let isRepeat: Bool
    /// Where the room had been read to at the first attempt.
    var since: Cursor?
    let continuation: CheckedContinuation<Receipt, Never>
    fileprivate var isSaid = false

    init(_ outgoing: OutgoingEvent, continuation: CheckedContinuation<Receipt, Never>) {
      (event, isOwn, since) = (outgoing.event, outgoing.isOwn, outgoing.since)
      isRepeat = outgoing.since != nil
      self.continuation = continuation
    }
  }

  private var items: [Int: Item] = [:]
  /// What is to be said over the present connection, in order.
  private var unsaid: [Int] = []
  private var isCautious = false

  subscript(number: Int) -> Item? { items[number] }

  mutating func add(_ item: Item, as number: Int) {
    items[number] = item
    putInPlace(number)
  }

  private mutating func putInPlace(_ number: Int) {
    let isLast = unsaid.last.map { $0 < number } ?? true
    let index = isLast ? nil : unsaid.firstIndex { $0 > number }
    unsaid.insert(number, at: index ?? unsaid.endIndex)
  }

  /// Which is to be said next, if any may be said now.
  var next: Int? {
    let isUnderWay = items.count > unsaid.count
    return isCautious && isUnderWay ? nil : unsaid.first
  }

  /// Notes that the next one is said; what becomes of it is told by
  /// ``settle(_:)`` or ``putOff(_:)``.
  /// - Parameter place: how far the room has been read. A repeat is looked for
  ///   from where it was at the first attempt.
  mutating func say(_ number: Int, at place: Cursor?) {
    precondition(unsaid.first == number, "they are said in order")
    unsaid.removeFirst()
    guard var item = items[number] else { return }
    item.isSaid = true
    item.since = item.since ?? place
    items[number] = item
  }

  /// The far side will not have one for now: it comes in its turn.
  /// - Returns: whether it had been said.
  mutating func putOff(_ number: Int) -> Bool {
    guard items[number]?.isSaid == true else { return false }
    items[number]?.isSaid = false
    isCautious = true
    putInPlace(number)
    return true
  }

  /// Takes one out that was said.
  mutating func settle(_ number: Int) -> Item? {
    guard items[number]?.isSaid == true else { return nil }
    defer { if items.isEmpty { isCautious = false } }
    return items.removeValue(forKey: number)
  }

  /// Which have been said and not settled, in order.
  var said: [Int] { items.filter(\.value.isSaid).keys.sorted() }

  /// Over another connection, everything is said again.
  mutating func beginAnew() {
    unsaid = items.keys.sorted()
    for number in unsaid { items[number]?.isSaid = false }
  }

  /// Takes out everything, in order.
  mutating func removeAll() -> [Item] {
    defer { self = OutgoingQueue() }
    return items.sorted { $0.key < $1.key }.map(\.value)
  }
}
