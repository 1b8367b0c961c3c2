package import ChatModel
internal import ImageAssets
package import SessionLog
package import TerminalText
package import Transport

/// One run at the prompt in a room, from start to quit.
///
/// A message's way in: transport → ``receive(_:)`` → timeline → transcript →
/// surface. Its way out: ``enter(_:)`` → command or message →
/// outbox → ``deliver()`` → transport → ``settle(_:_:)``. All of it on the
/// main actor, one short step at a time; what waits, waits elsewhere.
@MainActor
package final class Session {
  /// What a session is made of.
  package struct Parts {
    package var room: RoomAddress
    package var transport: any Transport
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
    package var loggedRoom: LoggedRoom?
    /// The environment, for `$PAGER` and `$EDITOR`.
    package var environment: [String: String] = [:]
    /// Where the way to the room asks what only the user knows.
    package var questions: QuestionDesk?

    package init(
      room: RoomAddress, transport: any Transport, surface: any PromptSurface,
      settings: Settings, folders: Folders, transcript: TranscriptOptions,
      now: @escaping @Sendable () -> Timestamp
    ) {
      self.room = room
      self.transport = transport
      self.surface = surface
      self.settings = settings
      self.folders = folders
      self.transcript = transcript
      self.now = now
    }
  }

  let parts: Parts
  let log: LogWriter?
  /// The time of the newest message that was seen last time, until the first
  /// one after it is shown.
  var unreadFrom: Timestamp?
  var draftTask: Task<Void, Never>?
  /// Messages that a search has found, by their numbers.
  var found: [Int: LoggedMessage] = [:]
  private(set) var imageMap: ImageAddressMap
  var settings: Settings {
    didSet {
      imageMap = ImageAddressMap(settings.imageMap)
      if settings.ahead != oldValue.ahead { dropUnwantedImages() }
    }
  }
  var timeline = Timeline()
  var profiles = ProfileDirectory()
  var outbox = Outbox()
  var numbers = MessageNumbers()
  var transcript: Transcript
  var connection = ConnectionState.connecting
  /// What is told on joining, until it is over.
  var replay = Replay()
  /// Whether the user was told that the room cannot be reached.
  var isCutOff = false
  var breakTally = BreakTally()
  /// Whether the room's past was told.
  var hasEntered = false
  /// How far the room has been read.
  var cursor: Cursor?
  /// Rows that wait while the terminal is lent or a line is being typed, and
  /// how many messages are in them.
  var held = HeldRows()
  private var ids = UUIDv7Generator()
  var deliveryTask: Task<Void, Never>?
  var keepingTask: Task<Void, Never>?
  /// What is under way and waits for something, by the order of its start.
  private var errands: [Int: Task<Void, Never>] = [:]
  private var errandCount = 0
  private var ending = Ending()
  /// Whether another program has the terminal.
  var isLent = false
  var lendingWaiter: CheckedContinuation<Void, Never>?
  private var holdWaiter: CheckedContinuation<Void, Never>?
  /// Whether the user wants to leave and was told that something is not sent.
  var isLeaving = false
  /// Whether the prompt is there; what is to be told before waits.
  var isUp = false
  var earlyNotes: [String] = []
  /// Whether something is being asked, and what waits for its turn to ask.
  var isAsking = false
  var questionWaiters: [CheckedContinuation<Void, Never>] = []
  /// Whether the user is leaving, and can be asked nothing any more.
  var isOver = false
  /// Whether the user's notification command is running.
  var isNotifying = false
  /// How many `/attach` are copying their files.
  var storingCount = 0
  /// Files on their way, by the order of their start.
  var transferNotes: [Int: TransferNote] = [:] {
    didSet { if transferNotes.count != oldValue.count { updatePrompt() } }
  }
  var transferCount = 0
  /// Programs without which images that came were not shown, as was told.
  var missingPrograms: Set<String> = []
  /// Made with the first image.
  var gallery: Gallery {
    if let openedGallery { return openedGallery }
    let gallery = Gallery(settings, parts.folders, surface, parts.environment) {
      [weak self] path, sha256 in
      guard let self else { throw CancellationError() }
      return try await self.storedFile(path, sha256)
    }
    openedGallery = gallery
    return gallery
  }
  private(set) var openedGallery: Gallery?
  /// What is to be said last.
  var farewell: String?

  var transport: any Transport { parts.transport }
  var surface: any PromptSurface { parts.surface }
  var language: Language { transcript.options.language }
  var ownProfile: Profile { settings.profile }

  package init(_ parts: Parts) {
    self.parts = parts
    log = parts.log.flatMap { store in
      parts.loggedRoom.map { LogWriter(store, room: $0, now: parts.now) }
    }
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
    let beginning = try await enterRoom()
    surface.start()
    isUp = true
    let notes = ([note].compactMap(\.self) + earlyNotes).flatMap(noteRows)
    surface.show(titleRows + notes + keyRows)
    if let beginning { take(beginning) }
    admitQuestion()
    let reception = Task { await receiveAll() }
    let status = await ending.wait()
    reception.cancel()
    endQuestions()
    holdWaiter?.resume()
    holdWaiter = nil
    await waitForDelivery()
    deliveryTask?.cancel()
    keepingTask?.cancel()
    for errand in errands.values { errand.cancel() }
    gallery.cancelOnTheWay { _, _ in false }
    await waitUntilReclaimed()
    draftTask?.cancel()
    let draft = surface.line
    if let farewell { show(noteRows(farewell), messages: 0) }
    surface.stop()
    // Behind the prompt: what is typed from here on is for the shell.
    await openedGallery?.close()
    await log?.end(draft: draft)
    await transport.close()
    return status
  }

  /// Enters the room: one far away from where it was left last time, of which
  /// the log knows; of a file, nothing is logged before it can be opened.
  private func enterRoom() async throws(TransportError) -> LogWriter.Beginning? {
    switch parts.room.place {
    case .named, .file:
      try await transport.join(tail: settings.tail)
      return await beginLog()
    case .socket, .remote:
      let beginning = await beginLog()
      try await transport.join(
        tail: settings.tail, after: (beginning?.start.cursor).map(Cursor.init(value:)))
      return beginning
    }
  }

  /// Leaves the room with that exit status.
  package func end(_ status: Int32) {
    ending.end(status)
  }

  // MARK: - Rows that wait

  /// Whether rows cannot be shown now.
  var isHolding: Bool {
    isLent || settings.holdsArrivals && settings.style == .plain && !surface.line.isEmpty
  }

  /// Shows what waited, if it need wait no longer.
  func releaseHeld() {
    guard !isHolding else { return }
    let rows = held.take()
    if !rows.isEmpty { surface.show(rows) }
    holdWaiter?.resume()
    holdWaiter = nil
    updatePrompt()
  }

  /// Returns when what waits has been shown.
  func waitUntilShown() async {
    guard isHolding else { return releaseHeld() }
    await withCheckedContinuation { holdWaiter = $0 }
  }

  func now() -> Timestamp { parts.now() }

  func makeID() -> String { ids.next(at: now()) }

  /// Does something that waits, without holding up the prompt; the session's
  /// end cancels it.
  func run(_ errand: @escaping @MainActor () async -> Void) {
    errandCount += 1
    let number = errandCount
    errands[number] = Task {
      await errand()
      errands[number] = nil
    }
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
