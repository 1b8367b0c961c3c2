internal import ChatModel
internal import Dispatch
package import Executors
internal import Sockets
internal import Synchronization
internal import TransportSecurity

/// A room at the far side of a line: a hub, or what a plugin stands for.
///
/// It connects, and connects again, by itself. What is to be sent waits for
/// the way to be there and goes out in its order; after a break it is repeated
/// with the place of the first attempt, so that it is in the room once.
package actor LinkRoom: Transport {
  /// How long one who sends, or asks for something, waits while nobody can be
  /// reached.
  package enum Patience: Sendable {
    /// Until it can be reached: there is somebody at the prompt.
    case unlimited
    /// Until the first attempt fails: a script wants an answer.
    case firstAttempt
  }

  package nonisolated let executor: QueueExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What the far side has said it can do; of one that was not reached yet,
  /// what a hub can.
  package nonisolated var capabilities: Capabilities { knownCapabilities.withLock(\.self) }
  nonisolated let knownCapabilities = Mutex(
    Capabilities(
      history: .full, order: .total, removesDuplicates: true,
      maximumEventBytes: EventCodec.maximumEventBytes, presence: true))

  let dialer: any Dialer
  let hello: Hello
  let patience: Patience
  /// Has a name and a password for a far side that wants them.
  let login: LoginSource
  /// Whether a far side that asks for no login is not the one that is called.
  let expectsLogin: Bool
  /// Is asked for what the far side needs from the user.
  let questioner: (any Questioner)?
  /// Who one is to the far side, once it has said so.
  var identity: Profile?
  /// With whom TLS is spoken over the present connection.
  var secureHost: SecureHost?
  /// The login that is under way.
  var loggingIn: ScramClient?
  /// Whether the last one was refused, and its source was not told so yet.
  var isLoginRefused = false
  /// Whether the far side has asked for a login over the present connection,
  /// and whether its source has yet to answer.
  var isAskedToLogIn = false
  var isFindingLogin = false
  /// What the user is being asked for the far side.
  var needs: [Int: Task<Void, Never>] = [:] {
    didSet { connection?.setAsking(!needs.isEmpty) }
  }
  /// What it was asked for over the present connection.
  var needed: Set<String> = []
  /// Where fetched files are kept.
  nonisolated let cache: FileCache?
  /// The room as the far side calls it.
  var room: String
  /// What opens it.
  var key: String?
  /// How many messages to ask for on joining.
  var tail = 0
  /// How far the room has been read; where to go on after a break.
  var cursor: Cursor?
  /// Whether the room was never read before.
  var isFirstVisit = true
  var stage = Stage.idle
  /// Tells the calls back of one connection from those of another.
  var connectionNumber = 0
  var connection: (any LinkLine)?
  /// Whether it is being read from.
  var isReceiving = false
  /// What carries the connection, and how long it may take to begin.
  var carrier: (any LineCarrier)?
  var greetingPatience: Duration?
  /// Ends carriers that are not needed any more.
  var farewells: Task<Void, Never>?
  /// What came before the far side's `welcome` and is not the protocol.
  var preamble = Preamble()
  /// When something was heard last.
  var heardAt = ContinuousClock.now
  /// When what is waited for now was asked for, until the room is entered.
  var stepBeganAt = ContinuousClock.now
  /// Since when the room is live.
  var liveSince: ContinuousClock.Instant?
  /// Why nothing is tried any more.
  var lastingFailure: TransportError?
  /// How often somebody has typed a password, and the ways to log in by it.
  var loginAttempts = 0
  var loginMechanisms: [String] = []
  let timing: LinkTiming
  var backoff: Backoff
  /// Whether the far side is on its own way to the room, as it has said.
  var isOnItsWay = false
  /// Whether it has said that it will not get there without somebody's doing.
  var hasGivenUp = false
  /// How many lines in a row were none of the protocol.
  var junkCount = 0
  var timer: Task<Void, Never>?
  var dialing: Task<Void, Never>?
  let buffer = ReadBuffer()
  /// Whether there is more to read of which nobody will tell again.
  var hasMoreToRead = false
  /// What is to be told by ``next()``.
  var mailbox = Mailbox()
  /// The size of the line that is being taken in.
  var takenBytes = 0
  var waiter: CheckedContinuation<Void, Never>?
  var nextRef = 1
  var unacknowledged = OutgoingQueue()
  /// While it runs no event is said: the far side has asked to be spared until
  /// then.
  var pause: Task<Void, Never>?
  var silentUntil = ContinuousClock.now
  /// How long a line the far side takes.
  var maximumLineBytes = LineProtocol.maximumLineBytes
  var questions: [Int: CheckedContinuation<Result<Answer, TransportError>, Never>] = [:]
  /// Files on their way, oldest number first.
  var transfers: [Int: FileTransfer] = [:]
  /// What is being fetched, and what was told since it began to be.
  var gaps: [Gap] = []
  var toldMeanwhile: Set<String> = []
  /// Those who wait for the room to be entered.
  var arrivals: [CheckedContinuation<TransportError?, Never>] = []

  enum Stage {
    case idle
    case dialing
    /// Something was said and is not answered.
    case greeting, joining
    /// What is told is what was there before.
    case replaying
    case live
    case waiting
    case closed
  }

  /// - Parameters:
  ///   - room: as the far side calls it; empty for the only one.
  ///   - hello: who calls.
  ///   - login: asked when the far side wants to know who calls.
  ///   - expectsLogin: whether the user has a login there. A far side that does
  ///     not ask for it, and so does not prove that it knows the password, is
  ///     then refused.
  ///   - questioner: is asked for what the far side needs; only for one that may
  ///     be told secrets.
  ///   - cache: keeps fetched files; without one the room has none.
  ///   - executor: that of the ``PluginLink`` that is dialed, else one of its own.
  package init(
    _ dialer: any Dialer, room: String, hello: Hello, patience: Patience = .unlimited,
    timing: LinkTiming = LinkTiming(), login: @escaping LoginSource = { _ in nil },
    expectsLogin: Bool = false, questioner: (any Questioner)? = nil, cache: FileCache? = nil,
    executor: QueueExecutor = QueueExecutor(label: "banter.link")
  ) {
    self.executor = executor
    self.timing = timing
    backoff = Backoff(first: timing.firstWait)
    self.dialer = dialer
    self.login = login
    self.expectsLogin = expectsLogin
    self.questioner = questioner
    self.room = room
    self.hello = hello
    self.patience = patience
    self.cache = cache
  }

  /// Begins to connect, and returns at once: what becomes of it is told by
  /// ``next()``.
  package func join(tail: Int) {
    join(tail: tail, after: nil)
  }

  package func join(tail: Int, after cursor: Cursor?) {
    self.tail = tail
    self.cursor = cursor
    connectIfIdle()
  }

  package func unlock(with key: String) {
    self.key = key
  }

  /// See ``Transport/next()``.
  package func next() async -> [RoomUpdate]? {
    precondition(waiter == nil, "one task reads a room")
    while !Task.isCancelled {
      if !mailbox.isEmpty {
        let updates = mailbox.take()
        connection?.setReading(true)
        // Others have their turn first.
        if hasMoreToRead { Task { receive(connectionNumber) } }
        return updates
      }
      if isClosed { return nil }
      let queue = executor.queue
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter = $0 }
      } onCancel: {
        queue.async { self.assumeIsolated { $0.wakeReader() } }
      }
    }
    return nil
  }

  func tell(_ update: RoomUpdate) {
    mailbox.add(update, sizeInBytes: takenBytes)
    // Whoever reads is not there at the moment: the far side has to wait.
    if mailbox.isFull { connection?.setReading(false) }
    wakeReader()
  }

  func wakeReader() {
    waiter?.resume()
    waiter = nil
  }

  var isClosed: Bool {
    if case .closed = stage { return true }
    return false
  }

  package func close() async {
    guard !isClosed else { return }
    _ = connection?.say(.bye, limitInBytes: .max)
    try? connection?.flush()
    stage = .closed
    hangUp(isLeaving: true)
    pause?.cancel()
    failEverything(TransportError(.closed, path: dialer.name, reason: "the room was closed"))
    wakeReader()
    await farewells?.value
  }
}
