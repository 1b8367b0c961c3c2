internal import ChatModel
internal import SessionLog
internal import TerminalText
internal import Transport

/// One of the rooms of a session: what carries it, what is known of it, and
/// what waits in it.
///
/// The session works on it, and is handed it by whatever waits: what comes
/// after a wait concerns the same room, whichever is current by then.
@MainActor
final class JoinedRoom {
  /// Tells it from the session's other rooms, also those that were left; one
  /// that is joined again has the same.
  let number: Int
  let address: RoomAddress
  /// What the log calls it: the same however it was named.
  let logged: LoggedRoom
  let transport: any Transport
  let log: LogWriter?

  /// What bubbles and notes call it; nil while it is the only one.
  var label: String?
  /// Who one is to the far side, where that decides.
  var identity: Profile?
  /// What the far side has called the user since; nil where nothing else.
  var ownName: String?
  /// What it is about.
  var title: String?
  /// What the far side understands beside what every room does.
  var commands: [FarCommand] = []
  /// Further rooms of the far side, as it has told them last.
  var siblings = Siblings()

  /// The time of the newest message that was seen last time, until the first
  /// one after it is shown.
  var unreadFrom: Timestamp?
  /// How many messages have come since it was current.
  var newCount = 0
  /// When it became current last, in the order of such moments.
  var turn = 0
  /// What is typed in it while another one is current.
  var draft = ""
  /// What was given back to be entered once more.
  var confirmedLine: String?
  var draftTask: Task<Void, Never>?

  var timeline = Timeline()
  var profiles = ProfileDirectory()
  var outbox = Outbox()
  var networkIDs = NetworkIDs()
  var connection = ConnectionState.connecting
  /// What is told on joining, until it is over.
  var replay = Replay()
  /// Whether the user was told that the room cannot be reached.
  var isCutOff = false
  /// Whether he was told so in this room.
  var hasToldCut = false
  var breakTally = BreakTally()
  /// Whether the room's past was told.
  var hasEntered = false
  /// How far the room has been read.
  var cursor: Cursor?
  /// Takes what arrives.
  var reception: Task<Void, Never>?
  var deliveryTask: Task<Void, Never>?
  var keepingTask: Task<Void, Never>?
  /// Made with the first image.
  var gallery: Gallery?

  init(
    _ number: Int, _ address: RoomAddress, _ logged: LoggedRoom, _ transport: any Transport,
    log: LogWriter?
  ) {
    (self.number, self.address, self.logged) = (number, address, logged)
    (self.transport, self.log) = (transport, log)
  }

  /// What the prompt calls it.
  var name: String { address.displayName }

  /// Whether it can be reached, or it is not known yet that it cannot.
  var isReachable: Bool {
    switch connection {
    case .connecting, .online: true
    case .reconnecting, .offline, .fatal: false
    }
  }

  /// Whether there is a far side that can be asked.
  var isRemote: Bool {
    switch address.place {
    case .named, .file: false
    case .socket, .remote: true
    }
  }

  /// A text that says of which room it is, where there are others.
  func labelled(_ text: String) -> String { label.map { "[\($0)] \(text)" } ?? text }
}

/// The rooms of a far side, as it has told them.
struct Siblings {
  var items: [RoomItem] = []
  /// When they were asked for last.
  var askedAt: ContinuousClock.Instant?
}
