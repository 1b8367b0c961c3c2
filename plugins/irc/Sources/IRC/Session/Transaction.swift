internal import ChatModel
internal import Transport

/// Something that was asked of the server, until it is known what became of
/// it: by the label of its answer (IRCv3 labeled-response), or because the
/// server has answered what was asked behind it.
final class Transaction {
  enum Kind {
    case send(PendingSend)
    case command
    case join([Room])
    case whois(WhoisReply)
    case list(ChannelList)
    /// A page of history that the host wants, or what was missed.
    case page(HistoryPageRequest)
    case replay(Room)
  }

  let kind: Kind
  /// What the host waits for under this ref.
  var ref: String?
  /// Labels of lines that are not answered.
  var labels: Set<String> = []
  /// How many of its lines wait to be said; 0 when all are.
  var unsaid = 0
  let lineCount: Int
  /// What its lines begin with.
  var verbs: Set<String> = []
  /// When all of it was said, and the sign behind its last line.
  var saidAt: Duration?
  var fence: Int?
  var failure: ProtocolError?
  var notice: String?
  /// How many events of the past have come for it, and in the last answer.
  var count = 0
  var pageCount = 0
  /// How many of the last messages were asked for, wherever the host has read
  /// to; 0 where it is what was missed. Whether they do not reach so far.
  var tail = 0
  var isTailTooShort = false

  init(_ kind: Kind, ref: String?, lineCount: Int) {
    (self.kind, self.ref, self.lineCount) = (kind, ref, lineCount)
    unsaid = lineCount
  }

  /// Whether the server may have heard of it.
  var isBegun: Bool { unsaid < lineCount || lineCount == 0 }

  var isCommand: Bool { if case .command = kind { true } else { false } }
  /// Whether answers to it may come without a label.
  var isUnlabeled: Bool { labels.isEmpty || fence != nil }

  var send: PendingSend? {
    if case .send(let send) = kind { send } else { nil }
  }
}

/// A page of history that the host has asked for.
final class HistoryPageRequest {
  let room: Room
  let limit: Int
  let isForward: Bool
  var events: [RoomEvent] = []
  /// Up to where it reaches, whatever of it is told.
  var edge: RoomCursor?

  init(room: Room, limit: Int, isForward: Bool) {
    (self.room, self.limit, self.isForward) = (room, limit, isForward)
  }
}
