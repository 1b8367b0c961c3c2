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

    /// What it takes until it is answered, about.
    var sizeInBytes: Int { line.bytes.count + 256 }
  }

  /// An event that is in the file and waits for the sync.
  struct Unsynced {
    var client: Int
    var ref: String
    var acknowledgement: Acknowledgement
    var sizeInBytes: Int
  }

  let name: String
  let file: SharedRoomFile
  /// `{"type":"event","room":…,"cursor":` as far as it is the same each time.
  let eventPrefix: [UInt8]
  var subscriptions: [Subscription] = []
  var incoming: [Incoming] = []
  /// How many events of this room wait for a search, see ``RepeatedSend``.
  var repeatCount = 0
  var unsynced: [Unsynced] = []
  var isSyncing = false
  var syncedAt = ContinuousClock.now - .seconds(1)
  /// Since when the file's lock could not be had.
  var busySince: ContinuousClock.Instant?
  /// Whether the lock is tried again soon.
  var isRetryComing = false
  /// How many connections of each profile are here.
  var members: [String: Int] = [:]
  /// Who is here as far as was told, and of whom that may be wrong.
  var announced: Set<String> = []
  var restless: Set<String> = []
  var ids = UUIDv7Generator()
  /// The place up to which those who are live have been told everything.
  var told: Cursor
  /// Where the last events went, and which connection sent them.
  var recent = RecentValues<(cursor: Cursor, client: Int)>()
  /// Who wrote the last messages, so that nobody changes another's.
  var authors = RecentValues<String>()

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
    subscriptions.isEmpty && incoming.isEmpty && repeatCount == 0 && unsynced.isEmpty && !isSyncing
  }

  /// Notes an event that is in the file, to be acknowledged after the sync.
  func note(_ event: Incoming, at cursor: Cursor, isDuplicate: Bool) {
    unsynced.append(
      Unsynced(
        client: event.client, ref: event.ref,
        acknowledgement: Acknowledgement(
          room: name, id: event.line.id, cursor: cursor, isDuplicate: isDuplicate),
        sizeInBytes: event.sizeInBytes))
  }

  func noteAuthor(of event: Event) {
    if case .message(let message) = event {
      authors.remember(message.id, message.profileID)
    }
  }

  /// Where an event is already, when it is a repeat. A new connection that says
  /// nothing of an earlier attempt has made none.
  func place(ofRepeat id: String, from client: Int, since: Cursor?) -> Cursor? {
    guard let known = recent[id], since != nil || known.client == client else { return nil }
    return known.cursor
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
      let start = block.count
      appendEvent(event.cursor, to: &block) { EventCodec.encode(event.event, into: &$0) }
      guard block.count - start > LineProtocol.maximumLineBytes else { continue }
      block.removeLast(block.count - start)
      appendEvent(event.cursor, to: &block) { EventCodec.encode(event.event.shortened, into: &$0) }
    }
  }
}
