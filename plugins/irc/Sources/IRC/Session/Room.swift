internal import ChatModel
internal import Transport

/// A channel, or a conversation with one person.
final class Room {
  /// Where the user stands in it, as the server sees it.
  enum Standing {
    case outside
    case entering
    case inside
  }

  /// As the host calls it.
  var name: String
  /// As the server calls it; another one after a forwarding.
  var target: String
  let isQuery: Bool
  var standing = Standing.outside
  /// Whether the host has asked for it, and was told `joined`.
  var isWanted = false
  var isOpen = false
  /// Whether the host is to be told once the server has said who is there.
  var awaitsOpening = false
  /// Whether the host waits to be told that what was before is told.
  var awaitsLive = false
  /// What a request to join waits for.
  var joinRef: String?
  var key: String?
  /// How often one was tried since it was entered last.
  var keyAttempts = 0
  static let keyLimit = 3
  var topic: String?
  /// Signs of rank by folded nick.
  var members: [String: [UInt8]] = [:]
  /// How far the host has read.
  var cursor: RoomCursor?
  /// What the server was told of that.
  var readMark: RoomCursor?
  /// How many messages it wants of before.
  var tail = 0
  /// Whether what was before is still being told; what comes is held.
  var isReplaying = false
  private(set) var held: [(event: Event, cursor: RoomCursor?)] = []
  private var heldBytes = 0
  var hasLostHeld = false
  var seen = RecentIDs(capacity: 4_096)
  var crowd = CrowdNotes()
  /// When the user is told that somebody speaks there, and whether he was.
  var offerDeadline: Duration?
  var hasBeenOffered = false
  /// When it is entered again after being kicked.
  var rejoinAt: Duration?
  /// Whether something of before was told since it was entered.
  var hasPlayback = false
  /// Whether the link was gone, so that something may be missing.
  var mayHaveMissed = false

  init(name: String, isQuery: Bool) {
    (self.name, self.isQuery) = (name, isQuery)
    target = name
  }

  /// More than this is not kept while what was before is told, nor for a host
  /// that has not joined.
  private var heldLimit: Int { isOpen ? 20_000 : 500 }
  private var heldByteLimit: Int { isOpen ? 16 << 20 : 256 << 10 }

  var isHoldingMuch: Bool { held.count >= heldLimit || heldBytes >= heldByteLimit }

  func hold(_ event: Event, _ cursor: RoomCursor?) {
    if isHoldingMuch {
      let old = held.prefix(max(1, held.count / 10))
      heldBytes -= old.reduce(0) { $0 + Self.size(of: $1.event) }
      held.removeFirst(old.count)
      hasLostHeld = true
    }
    held.append((event, cursor))
    heldBytes += Self.size(of: event)
  }

  /// Hands on what was held, and forgets it.
  func takeHeld() -> [(event: Event, cursor: RoomCursor?)] {
    defer { (held, heldBytes) = ([], 0) }
    return held
  }

  private static func size(of event: Event) -> Int {
    guard case .message(let message) = event else { return 256 }
    return 256 + (message.content?.utf8.count ?? 0)
  }
}

/// A place in a room: when, and behind which message.
struct RoomCursor: Equatable {
  var milliseconds: Int64
  var messageID: String?

  init(milliseconds: Int64, messageID: String? = nil) {
    (self.milliseconds, self.messageID) = (milliseconds, messageID)
  }

  /// Nil for what is none.
  init?(_ cursor: Cursor) {
    let parts = cursor.value.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, let number = Int64(first), number >= 0 else { return nil }
    milliseconds = number
    messageID = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Whether it was read when the other was. A time without milliseconds, as
  /// some servers keep it, may be any within its second.
  func isBefore(_ other: RoomCursor) -> Bool {
    let latest = milliseconds.isMultiple(of: 1_000) ? milliseconds &+ 999 : milliseconds
    return latest < other.milliseconds
  }

  /// Whether both are behind the same message.
  func isSame(as other: RoomCursor) -> Bool {
    messageID != nil && messageID == other.messageID
  }

  var cursor: Cursor {
    Cursor(value: messageID.map { "\(milliseconds) \($0)" } ?? String(milliseconds))
  }
}
