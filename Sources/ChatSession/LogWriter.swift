internal import ChatModel
internal import SessionLog
internal import Transport

/// What one session writes into the log: in order, in batches, and behind the
/// prompt's back. Whatever happens to the log, the chat goes on; its user is
/// told once.
@MainActor
final class LogWriter {
  let store: LogStore
  let room: LoggedRoom
  /// The session's number; nil while it has not begun.
  private(set) var session: Int64?
  /// Whether events are taken in. Drafts and what waits to be sent are kept
  /// either way.
  var isOn = true
  /// Tells the user about the log.
  var tell: (LocalizedText) -> Void = { _ in }

  private let now: @Sendable () -> Timestamp
  private var events: [Event] = []
  private var cursor: String?
  private var draft: String?
  /// What the log has as the draft, or is to have soon.
  private var notedDraft: String?
  private var readTime: Timestamp?
  /// What became of events of the outbox, in its order.
  private var outcomes: [Outcome] = []
  /// Events of which it is certain that the log's outbox has them.
  private var keptIDs: Set<String> = []
  /// Those that it may have at any moment.
  private var comingIDs: Set<String> = []
  private var task: Task<Void, Never>?
  private var indexing: Task<Void, Never>?
  private var beginning: Task<Beginning?, Never>?
  private var isEnded = false
  /// What cannot be written at the moment, which the user knows.
  private var failures: [Part: LogError.Code] = [:]

  /// What may fail by itself.
  private enum Part { case beginning, record, keep, sync, rest }

  init(_ store: LogStore, room: LoggedRoom, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.room, self.now) = (store, room, now)
  }

  /// More events than these wait for nobody.
  private static let limit = 20_000

  /// Whether so much waits to be written that no more should come.
  var isFull: Bool { isOn && events.count >= Self.limit }

  // MARK: - Beginning and end

  /// What the log has for a session that begins.
  struct Beginning: Sendable {
    var start: SessionStart
    /// What was not sent last time.
    var waiting: [WaitingEvent]
  }

  /// Begins the session, however long that takes; nil, and the user is told,
  /// when there is no log.
  func begin(transport: String, as profile: Profile) -> Task<Beginning?, Never> {
    let task = Task { () -> Beginning? in
      let start = await persist(.beginning) { () throws(LogError) in
        try await store.beginSession(in: room, transport: transport, as: profile, at: now())
      }
      guard let start else { return nil }
      guard !isEnded else {
        try? await store.endSession(start.session, at: now())
        return nil
      }
      let waiting = await persist(.beginning) { () throws(LogError) in
        try await store.claim(in: room, as: start.session)
      }
      guard let waiting else { return nil }
      session = start.session
      notedDraft = notedDraft ?? start.draft
      keptIDs.formUnion(waiting.map(\.event.id))
      write()
      return Beginning(start: start, waiting: waiting)
    }
    beginning = task
    return task
  }

  /// Writes what waits, and ends the session.
  func end(draft: String) async {
    isEnded = true
    indexing?.cancel()
    beginning?.cancel()
    note(draft: draft)
    await waitUntilWritten()
    task?.cancel()
    guard let session else { return }
    await attempt(.rest) { [store, now] () throws(LogError) in
      try await store.endSession(session, at: now())
    }
  }

  /// Returns when what waits is written, or has taken too long.
  func waitUntilWritten() async {
    guard let task else { return }
    _ = await firstValue(of: Task { Optional(await task.value) }, within: Self.patience)
  }

  // MARK: - What is written behind

  /// Takes in events that were seen; what does not fit any more is left to
  /// `banter log index`.
  func note(_ events: [Event], cursor: String) {
    guard isOn else { return }
    self.cursor = cursor
    if self.events.count + events.count <= Self.limit * 2 { self.events += events }
    write()
  }

  /// Keeps the line that is being typed. What changes nothing is not written:
  /// its success would say nothing of the disk.
  func note(draft: String) {
    guard draft != notedDraft else { return }
    (self.draft, notedDraft) = (draft, draft)
    write()
  }

  /// Notes that everything up to a moment was shown.
  func note(readUpTo time: Timestamp) {
    readTime = max(readTime ?? time, time)
    write()
  }

  /// What became of events that were to be sent.
  private enum Outcome {
    case done([String])
    case failed([String], reason: String?, isUntried: Bool)
    case named([String], of: String)
  }

  /// Forgets events that the room has, or that were given up.
  func forget(_ eventIDs: [String]) {
    // To forget what is not there writes nothing, and tells nothing of whether
    // the log can be written.
    let known = eventIDs.filter { keptIDs.contains($0) || comingIDs.contains($0) }
    keptIDs.subtract(eventIDs)
    note(.done(known), known)
  }

  /// Notes why events were not taken; nil lets them wait again. See
  /// ``LogStore/fail(_:because:isUntried:in:)``.
  func fail(_ eventIDs: [String], because reason: String?, isUntried: Bool = false) {
    note(.failed(eventIDs, reason: reason, isUntried: isUntried), eventIDs)
  }

  /// Notes under which ids the room's network keeps a message.
  func note(_ networkIDs: [String], of eventID: String) {
    note(.named(networkIDs, of: eventID), networkIDs)
  }

  private func note(_ outcome: Outcome, _ eventIDs: [String]) {
    // Before the session has begun, nothing was kept.
    guard session != nil, !eventIDs.isEmpty else { return }
    outcomes.append(outcome)
    write()
  }

  private func write() {
    guard task == nil, let session else { return }
    indexing?.cancel()
    task = Task {
      while let batch = takeBatch(session), await write(batch) {}
      task = nil
      advanceIndex()
    }
  }

  private struct Batch {
    var session: Int64
    var outcomes: [Outcome]
    var events: [Event]
    var cursor: String?
    var draft: String?
    var readTime: Timestamp?
  }

  private func takeBatch(_ session: Int64) -> Batch? {
    guard !outcomes.isEmpty || !events.isEmpty || draft != nil || readTime != nil
    else { return nil }
    defer { (outcomes, events, draft, readTime) = ([], [], nil, nil) }
    return Batch(
      session: session, outcomes: outcomes, events: events, cursor: cursor, draft: draft,
      readTime: readTime)
  }

  /// - Returns: whether there is any use in going on.
  private func write(_ batch: Batch) async -> Bool {
    let written: Void? = await persist(.record) { () throws(LogError) in
      for outcome in batch.outcomes { try await write(outcome) }
      if !batch.events.isEmpty {
        try await store.record(batch.events, cursor: batch.cursor, in: batch.session, at: now())
      }
      if let draft = batch.draft { try await store.keepDraft(draft, of: batch.session) }
      if let time = batch.readTime { try await store.markRead(upTo: time, in: batch.session) }
    }
    if written == nil { isOn = false }
    return written != nil
  }

  /// Tries once a second until it succeeds: the disk may have room again, the
  /// lock be gone. Nil, and the user is told, when it fails for good or the
  /// task is cancelled.
  private func persist<Value>(
    _ part: Part, _ body: () async throws(LogError) -> Value
  ) async -> Value? {
    while true {
      do throws(LogError) {
        let value = try await body()
        await recover(part)
        return value
      } catch {
        report(error, part)
        guard error.isPassing, !Task.isCancelled else { return nil }
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func write(_ outcome: Outcome) async throws(LogError) {
    switch outcome {
    case .done(let eventIDs): try await store.forget(eventIDs, in: room)
    case .failed(let eventIDs, let reason, let isUntried):
      try await store.fail(eventIDs, because: reason, isUntried: isUntried, in: room)
    case .named(let networkIDs, let eventID):
      try await store.note(networkIDs, of: eventID, in: room)
    }
  }

  /// Brings the search index up to date when nothing else is to be done.
  private func advanceIndex() {
    indexing = Task { [store] in
      try? await Task.sleep(for: .milliseconds(300))
      while !Task.isCancelled, (try? await store.advanceIndex(by: 2_000)) == true {}
    }
  }

  // MARK: - What is waited for

  /// Keeps events before they are sent, with where the room stood at the first
  /// attempt. Where the log has not begun, it is waited for as long as anything
  /// is.
  func keep(_ items: [Outbox.Item]) async {
    if session == nil, let beginning, failures[.beginning] == nil {
      _ = await firstValue(of: beginning, within: Self.patience)
    }
    guard let session else { return }
    let events = items.map { ($0.event, since: $0.firstAttempt?.value) }
    await attempt(.keep) { [self] () throws(LogError) in
      let ids = items.map(\.id)
      comingIDs.formUnion(ids)
      defer { comingIDs.subtract(ids) }
      try await store.keep(events, in: room, owner: session, isSynced: false)
      keptIDs.formUnion(ids)
    }
    // The disk has them while they are under way.
    Task { await attempt(.sync) { [store] () throws(LogError) in try await store.syncOutbox() } }
  }

  /// Whether the next run will find an event that this one does not send.
  func hasKept(_ eventID: String) -> Bool { keptIDs.contains(eventID) }

  /// How long the chat waits for the log before it goes on without.
  private static let patience: Duration = .seconds(2)

  private func attempt(
    _ part: Part, _ body: @escaping @MainActor () async throws(LogError) -> Void
  ) async {
    let work = Task { () -> Void? in
      do throws(LogError) {
        try await body()
        await recover(part)
      } catch {
        report(error, part)
      }
      return nil
    }
    _ = await firstValue(of: work, within: Self.patience)
  }

  // MARK: - Telling

  private func report(_ error: LogError, _ part: Part) {
    let isKnown = !failures.isEmpty
    failures[part] = error.code
    guard !isKnown else { return }
    tell(
      LocalizedText(
        "the session log cannot be written: \(error.text.english)",
        "세션 기록을 쓸 수 없습니다: \(error.text.korean)"))
  }

  private func recover(_ part: Part) async {
    for notice in await store.takeNotices() { tell(notice.text) }
    guard !failures.isEmpty else { return }
    failures[part] = nil
    // What is written is not synced: a disk that cannot sync fails only there.
    if part == .record { failures = failures.filter { $0.value == .inputOutput } }
    guard failures.isEmpty else { return }
    tell(LocalizedText("the session log is written again", "세션 기록을 다시 씁니다"))
  }
}

extension LogError {
  /// Whether it may be over in a while.
  var isPassing: Bool { [.busy, .noSpace, .inputOutput].contains(code) }
}
