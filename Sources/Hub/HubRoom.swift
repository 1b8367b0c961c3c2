internal import ChatModel
internal import Transport

/// A room of a hub: its file, who is in it, and what is on its way into it.
///
/// Not Sendable: it stays on the hub's queue.
final class HubRoom {
  /// An event that a client has sent.
  struct Incoming {
    var client: Int
    var ref: String
    var line: OutgoingLine
  }

  /// An event that is in the file and waits for the sync.
  struct Unsynced {
    var client: Int
    var ref: String
    var acknowledgement: Acknowledgement
  }

  let name: String
  let file: SharedRoomFile
  /// `{"type":"event","room":…,"cursor":` as far as it is the same each time.
  let eventPrefix: [UInt8]
  var subscriptions: [Subscription] = []
  var incoming: [Incoming] = []
  var unsynced: [Unsynced] = []
  var isSyncing = false
  /// Since when the file's lock could not be had.
  var busySince: ContinuousClock.Instant?
  /// The place up to which those who are live have been told everything.
  var told: Cursor
  var recent = RecentCursors()
  /// Who wrote the last messages, so that nobody changes another's.
  var authors = RecentAuthors()

  init(name: String, file: SharedRoomFile) {
    self.name = name
    self.file = file
    told = file.position
    var prefix = Array(#"{"type":"event","room":"#.utf8)
    JSONText.append(name, to: &prefix)
    prefix.append(contentsOf: #","cursor":"#.utf8)
    eventPrefix = prefix
  }

  /// Whether nothing is lost when the file is let go of.
  var isIdle: Bool {
    subscriptions.isEmpty && incoming.isEmpty && unsynced.isEmpty && !isSyncing
  }

  /// Notes an event that is in the file, to be acknowledged after the sync.
  func note(
    _ ref: String, from client: Int, _ id: String, at cursor: Cursor, isDuplicate: Bool
  ) {
    unsynced.append(
      Unsynced(
        client: client, ref: ref,
        acknowledgement: Acknowledgement(
          room: name, id: id, cursor: cursor, isDuplicate: isDuplicate)))
  }

  /// Appends an event as a line of the protocol; `body` writes its JSON.
  func appendEvent(_ cursor: Cursor, to block: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
    block.append(contentsOf: eventPrefix)
    JSONText.append(cursor.value, to: &block)
    block.append(contentsOf: #","event":"#.utf8)
    body(&block)
    block.append(UInt8(ascii: "}"))
    block.append(UInt8(ascii: "\n"))
  }

  func append(_ events: [RoomEvent], to block: inout [UInt8]) {
    for event in events {
      appendEvent(event.cursor, to: &block) { EventCodec.encode(event.event, into: &$0) }
    }
  }

  func remove(_ subscription: Subscription) {
    guard let index = subscriptions.firstIndex(where: { $0 === subscription }) else { return }
    subscriptions.swapAt(index, subscriptions.count - 1)
    subscriptions.removeLast()
  }
}

/// The authors of the last messages of a room.
struct RecentAuthors {
  private static let capacity = 4096
  private var authors: [String: String] = [:]
  private var order: [String] = []

  subscript(messageID: String) -> String? { authors[messageID] }

  mutating func note(_ event: Event) {
    guard case .message(let message) = event, authors[message.id] == nil else { return }
    authors[message.id] = message.profileID
    order.append(message.id)
    guard order.count >= 2 * Self.capacity else { return }
    for old in order.prefix(Self.capacity) { authors[old] = nil }
    order.removeFirst(Self.capacity)
  }
}
