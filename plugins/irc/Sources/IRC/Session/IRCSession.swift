package import ChatModel
internal import TerminalText
internal import Transport

/// One host at one server: what becomes of the lines of both, without any
/// input, output or clock of its own.
///
/// Whoever owns it hands in what comes (``take(request:)``,
/// ``take(serverLine:)``, ``connected(isSecure:binding:)`` …), and after each turn
/// carries out ``orders``, sends ``takeServerBytes()`` and ``takeHostBytes()``,
/// and comes back at ``deadline``.
package final class IRCSession {
  /// When something happens.
  package struct Moment: Sendable {
    /// A clock that never goes back.
    package var uptime: Duration
    package var time: Timestamp

    package init(uptime: Duration, time: Timestamp) {
      (self.uptime, self.time) = (uptime, time)
    }
  }

  /// What the owner is to do.
  package enum Order: Equatable, Sendable {
    case connect(host: String, port: Int, isSecure: Bool)
    /// Says what waits, and hangs up.
    case hangUp
    /// Keeps for later runs that a host is to be called with TLS only; nil
    /// forgets it.
    case remember(host: String, policy: TransportPolicy?)
    /// There is nothing more to do.
    case end
  }

  enum Stage {
    /// Nobody has said hello, or the password is still to be given.
    case greeting
    case connecting
    /// What can be done is found out (CAP), and who one is (SASL).
    case negotiating
    /// The server has let in, and still says what there is to say.
    case settling
    case online
    case waiting(until: Duration)
    case ended
  }

  /// Set by the owner before each call.
  package var now: Moment
  /// What to do, in order; the owner empties it.
  package var orders: [Order] = []

  let language: Language
  var wording: Wording { Wording(language: language) }
  package internal(set) var settings: SessionSettings
  var stage = Stage.greeting
  /// Why there is nothing more to hope for.
  var endReason: String?
  var output: [UInt8] = []
  var queue = SendQueue()

  // The connection.
  var features = ServerFeatures() { didSet { foldedNick = features.caseMapping.fold(nick) } }
  var capabilities = CapabilityNegotiation()
  var login: SASLLogin?
  var serverPassword: String?
  var accountPassword: String?
  var binding: [UInt8]?
  var isSecure = false
  var policies: [String: TransportPolicy]
  var backoff = ReconnectDelay()
  var stageBeganAt = Duration.zero
  var heardAt = Duration.zero
  /// Whether the server answers signs (PING), as a few do not.
  var givesSigns = false
  /// For how long it wants to be called with TLS only.
  var policySeconds: Int64 = 0
  /// The mechanisms that it named when it refused one.
  var mechanismList: String?
  /// What the user wants to be called, if the server takes it.
  var askedNick: String?
  /// How far the server's clock is ahead of this one, as far as it tells.
  var clockLead = Duration.zero
  var serverTime: Timestamp { now.time + clockLead }
  var hasAskedForSign = false
  /// Whether the server's greeting is over.
  var isGreeted = false
  var lastError: String?
  /// Questions to the user, by ref.
  var needs: [String: Need] = [:]
  var nextNumber = 1

  // Who one is.
  var nick: String { didSet { foldedNick = features.caseMapping.fold(nick) } }
  var foldedNick = ""
  var nickAttempts = 0
  var source: Source
  var account: String?
  /// Told to the host once, and the same from then on, whatever one is called.
  var selfID = ""

  // What there is.
  var people: [String: Person] = [:]
  /// By what the server calls them now, folded.
  var rooms: [String: Room] = [:]
  /// By what the host calls them.
  var hostRooms: [String: Room] = [:]
  /// Those who wrote to the user alone, the first of them first.
  var strangers: [String] = []
  /// Where the host did something last.
  var activeRoom: Room?
  var batches = BatchTracker()
  var derivedIDs = DerivedIDs()
  var eventIDs = MadeIDs()
  /// The host's ids of its own messages by the network's.
  var ownIDs = BoundedMap(capacity: 4_096)
  /// And the network's by the host's.
  var networkIDs = BoundedMap(capacity: 4_096)
  var transactions: [Transaction] = []
  /// What was not said yet, since the room is not entered; and what may have
  /// arrived when the line died.
  var waitingSends: [(ref: String?, request: SendRequest)] = []
  var lostSends: [Transaction] = []
  /// What was said and has no id of the network's.
  var unnamedSends: [PendingSend] = []
  var lostDeadline: Duration?
  /// Whether it was told since the last break that something may be missing.
  var hasToldMissing = false
  var messageOfTheDay: [String] = []
  /// The channels of the server, in order, while they are leafed through.
  var listed: (items: [RoomItem], at: Duration)?
  var answersRequestsAt = Duration.zero

  enum Need {
    case serverPassword
    case accountPassword
    case key(of: Room)
  }

  package init(
    settings: SessionSettings, policies: [String: TransportPolicy] = [:], now: Moment
  ) {
    self.settings = settings
    self.policies = policies
    self.now = now
    language = settings.language
    nick = settings.nick
    source = Source(nick: settings.nick)
    foldedNick = features.caseMapping.fold(nick)
  }

  // MARK: - What comes out

  /// Hands on what is to be sent to the host, if anything, and forgets it.
  package func takeHostBytes(_ body: ([UInt8]) -> Void) {
    guard !output.isEmpty else { return }
    body(output)
    // What is idle takes little memory.
    output.removeAll(keepingCapacity: output.count <= 1024 * 1024)
  }

  /// What may be sent to the server by now.
  package func takeServerBytes() -> [UInt8] {
    let bytes = queue.take(at: now.uptime) { fence(behind: $0) }
    let late = fencesForWhatIsNotAnswered()
    return late.isEmpty ? bytes : bytes + late
  }

  /// When to come back though nothing comes; nil for never.
  package var deadline: Duration? {
    var times = [
      queue.opening(at: now.uptime), batches.deadline, lostDeadline, transactionDeadline,
    ]
    times += rooms.values.flatMap { [$0.crowd.deadline, $0.rejoinAt, $0.offerDeadline] }
    switch stage {
    case .greeting, .ended: break
    case .waiting(let until): times.append(until)
    case .settling:
      times.append(stageBeganAt + (isGreeted ? Self.signPatience : Self.patience))
    case .connecting, .negotiating: times.append(stageBeganAt + Self.patience)
    case .online: times.append(heardAt + (hasAskedForSign ? Self.silence : Self.quiet))
    }
    return times.compactMap(\.self).min()
  }

  /// How long the server may take to let in, may say nothing before it is
  /// asked, and before it is given up.
  static let patience = Duration.seconds(60)
  /// How long it may take to give a sign when its greeting is over; there are
  /// servers that never do.
  static let signPatience = Duration.seconds(2)
  static let quiet = Duration.seconds(90)
  static let silence = Duration.seconds(120)
}
