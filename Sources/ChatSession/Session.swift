package import ChatModel
internal import Glibc
internal import ImageAssets
package import SessionLog
package import TerminalText
package import Transport

/// One run at the prompt in one or more rooms, from start to quit.
///
/// A message's way in: transport → ``receive(_:in:)`` → timeline → transcript →
/// surface. Its way out: ``enter(_:)`` → command or message →
/// outbox → ``deliver(in:)`` → transport → ``settle(_:_:in:)``. All of it on the
/// main actor, one short step at a time; what waits, waits elsewhere.
@MainActor
package final class Session {
  /// What a session is made of.
  package struct Parts {
    /// The room that is entered first, and what carries it.
    package var room: RoomAddress
    package var transport: any Transport
    /// Leads to further rooms.
    package var source: RoomSource
    package var surface: any PromptSurface
    package var settings: Settings
    package var folders: Folders
    package var transcript: TranscriptOptions
    /// How long one's own message may wait before it is shown as pending.
    package var patience: Duration = .milliseconds(500)
    package var now: @Sendable () -> Timestamp
    /// Where everything is kept; nil keeps nothing.
    package var log: LogStore?
    /// What the log calls the room.
    package var loggedRoom: LoggedRoom
    /// The environment, for `$PAGER` and `$EDITOR`.
    package var environment: [String: String] = [:]
    /// Where the way to the room asks what only the user knows.
    package var questions: QuestionDesk?

    package init(
      room: RoomAddress, loggedRoom: LoggedRoom, transport: any Transport, source: RoomSource,
      surface: any PromptSurface, settings: Settings, folders: Folders,
      transcript: TranscriptOptions, now: @escaping @Sendable () -> Timestamp
    ) {
      (self.room, self.loggedRoom) = (room, loggedRoom)
      (self.transport, self.source) = (transport, source)
      self.surface = surface
      self.settings = settings
      self.folders = folders
      self.transcript = transcript
      self.now = now
    }
  }

  let parts: Parts
  /// The rooms that are open, in the order in which they were joined.
  var rooms: [JoinedRoom]
  /// The room in which one types.
  var current: JoinedRoom
  /// How often another room became current.
  var turns = 0
  /// The numbers of rooms, also of those that were left, by what the log calls
  /// them.
  var roomNumbers: [String: Int]
  /// Rooms that were left and are not closed yet, by what the log calls them.
  var closings: [String: Task<Void, Never>] = [:]
  /// Messages that a search has found, by their numbers.
  var found: [Int: LoggedMessage] = [:]
  private(set) var imageMap: ImageAddressMap
  var settings: Settings {
    didSet {
      imageMap = ImageAddressMap(settings.imageMap)
      guard settings.ahead != oldValue.ahead else { return }
      for room in rooms { dropUnwantedImages(of: room) }
    }
  }
  var numbers = MessageNumbers()
  var transcript: Transcript
  /// Rows that wait while the terminal is lent or a line is being typed, and
  /// how many messages are in them.
  var held = HeldRows()
  private var ids = UUIDv7Generator()
  /// What is under way and waits for something, by the order of its start.
  private var errands: [Int: Task<Void, Never>] = [:]
  private var errandCount = 0
  private var ending = Ending()
  /// Whether another program has the terminal.
  var isLent = false
  var lendingWaiter: CheckedContinuation<Void, Never>?
  var holdWaiters: [CheckedContinuation<Void, Never>] = []
  /// The rooms that the user wants to leave and was told of that something in
  /// them is not sent.
  var leaving: [JoinedRoom] = []
  /// Whether the prompt is there; what is to be told before waits.
  var isUp = false
  var earlyNotes: [String] = []
  /// What was told of the log last.
  var lastWordOfLog: LocalizedText?
  /// Whether something is being asked, and what waits for its turn to ask.
  var isAsking = false
  var questionWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether the user is leaving, and can be asked nothing any more.
  var isOver = false
  /// Whether the user's notification command is running.
  var isNotifying = false
  /// Files on their way, by the order of their start.
  var transferNotes: [Int: TransferNote] = [:] {
    didSet { if transferNotes.count != oldValue.count { updatePrompt() } }
  }
  var transferCount = 0
  /// Files that are being brought into rooms, by the order of their start.
  var attachments: [Int: Attachment] = [:]
  var attachmentCount = 0
  /// Programs without which images that came were not shown, as was told.
  var missingPrograms: Set<String> = []
  /// Shows the pictures of all rooms.
  private(set) lazy var pictures = PictureScreen(surface, parts.environment)
  /// Counts the fetches of all rooms.
  private(set) lazy var fetchTurns = FetchTurns(count: settings.parallelFetches)
  /// What was told last of each far side.
  var latestNews: [(side: String, room: Int, text: String, time: ContinuousClock.Instant)] = []
  /// How many rooms were opened because somebody spoke there.
  var offerCount = 0
  /// When a key was pressed last.
  var typedAt: ContinuousClock.Instant?
  /// What is to be said last.
  var farewell: String?

  var surface: any PromptSurface { parts.surface }
  var language: Language { transcript.options.language }

  package init(_ parts: Parts) {
    self.parts = parts
    let log = parts.log.map { LogWriter($0, room: parts.loggedRoom, now: parts.now) }
    current = JoinedRoom(0, parts.room, parts.loggedRoom, parts.transport, log: log)
    rooms = [current]
    roomNumbers = [parts.loggedRoom.address: 0]
    settings = parts.settings
    imageMap = ImageAddressMap(parts.settings.imageMap)
    transcript = Transcript(options: parts.transcript)
    connectSurface()
    parts.questions?.session = self
  }

  /// Enters the room and stays until the user, or ``end(_:)``, leaves it.
  /// - Parameter note: something to tell at once.
  /// - Returns: the exit status.
  package func run(saying note: String? = nil) async throws(TransportError) -> Int32 {
    surface.prompt = promptText
    let room = current
    let beginning = try await enter(room)
    surface.start()
    isUp = true
    let notes = ([note].compactMap(\.self) + earlyNotes).flatMap(noteRows)
    surface.show(titleRows(of: room) + notes + keyRows)
    if let beginning { take(beginning, in: room) }
    admitQuestion()
    room.reception = Task { await receiveAll(in: room) }
    let status = await ending.wait()
    let hasGivenUp = await finish()
    // What is given up is kept nowhere.
    let isKept = rooms.contains { !$0.outbox.isEmpty }
    return hasGivenUp && !isKept && status == EX_TEMPFAIL ? Self.interrupted : status
  }

  /// As a shell tells of SIGINT.
  private static let interrupted: Int32 = 130

  /// Leaves all rooms, and gives the terminal back.
  /// - Returns: whether files were given up that were on their way.
  private func finish() async -> Bool {
    for room in rooms { room.reception?.cancel() }
    endQuestions()
    resumeHeld()
    await waitForDelivery(in: rooms)
    let givenUp = rooms.flatMap(giveUpAttachments)
    for errand in errands.values { errand.cancel() }
    await waitUntilGone(givenUp)
    for room in rooms { room.stop() }
    await waitUntilReclaimed()
    current.draft = surface.line
    if let farewell { show(noteRows(farewell), messages: 0) }
    surface.stop()
    // Behind the prompt: what is typed from here on is for the shell.
    for room in rooms { close(room) }
    for closing in closings.values { await closing.value }
    return !givenUp.isEmpty
  }

  /// Leaves with that exit status.
  package func end(_ status: Int32) {
    ending.end(status)
  }

  func now() -> Timestamp { parts.now() }

  func makeID() -> String { ids.next(at: now()) }

  /// Does something that waits, without holding up the prompt; the session's
  /// end cancels it.
  @discardableResult
  func run(_ errand: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    errandCount += 1
    let number = errandCount
    let task = Task {
      await errand()
      errands[number] = nil
    }
    errands[number] = task
    return task
  }
}

/// The end of a session: waited for once, brought about any number of times.
@MainActor
private final class Ending {
  private var status: Int32?
  private var waiter: CheckedContinuation<Int32, Never>?

  func wait() async -> Int32 {
    if let status { return status }
    return await withCheckedContinuation { waiter = $0 }
  }

  func end(_ status: Int32) {
    guard self.status == nil else { return }
    self.status = status
    waiter?.resume(returning: status)
    waiter = nil
  }
}
