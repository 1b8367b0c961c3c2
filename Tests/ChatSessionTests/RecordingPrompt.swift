import ChatModel
import ChatSession
import LinePrompt
import TerminalText
import Testing
import Transport

/// A prompt that keeps what it is told.
@MainActor final class RecordingPrompt: PromptSurface {
  var columns = 60
  var prompt = ""
  var line = ""
  var events = LinePrompt.Events()
  var completer: (CompletionRequest) -> CompletionReply = { _ in CompletionReply() }
  private(set) var rows: [String] = []
  private(set) var rings = 0
  private(set) var isRunning = false
  private(set) var isHidden = false
  private var waiters: [(isEnough: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

  func start() { isRunning = true }
  func stop() { isRunning = false }
  func show(_ rows: [String]) {
    self.rows += rows
    wake()
  }
  func replaceLine(_ text: String) {
    line = text
    wake()
  }
  func addHistory(_ entry: String) {}
  func clearScreen() { rows = [] }
  func hideLine() { isHidden = true }
  func ring() { rings += 1 }
  func release() {}
  func reclaim() {}

  /// All rows so far as one text.
  var screen: String { rows.joined(separator: "\n") }

  /// Types a line and enters it.
  func enter(_ text: String) {
    line = ""
    events.onLine(text)
  }

  /// Waits until something holds of what was shown.
  func wait(until isEnough: @escaping () -> Bool) async {
    if isEnough() { return }
    await withCheckedContinuation { waiters.append((isEnough, $0)) }
  }

  func wait(for text: String) async {
    await wait { self.screen.contains(text) }
  }

  private func wake() {
    let ready = waiters.filter { $0.isEnough() }
    waiters.removeAll { $0.isEnough() }
    for waiter in ready { waiter.continuation.resume() }
  }
}

/// A session in a room in memory, with another person in it.
@MainActor final class Conversation {
  let room: InMemoryRoom
  let surface = RecordingPrompt()
  let session: Session
  private var running: Task<Int32, any Error>?

  init(
    events: [Event] = [], style: Style = .plain, patience: Duration = .seconds(600),
    change: (inout Settings) -> Void = { _ in }
  ) {
    guard let address = try? RoomAddress("lobby") else { preconditionFailure("lobby is a room") }
    room = InMemoryRoom(events: events)
    var settings = Settings()
    settings.profile = Profile(id: "jane", name: "Jane")
    settings.style = style
    change(&settings)
    var parts = Session.Parts(
      room: address, transport: room.endpoint(), surface: surface,
      settings: settings,
      folders: Folders(environment: [:], home: "/nonexistent"),
      transcript: TranscriptOptions(
        style: style, columns: 60, zone: .fixed(secondsFromUTC: 0), ownProfileID: "jane",
        mentionNames: ["Jane"]),
      now: { Timestamp(milliseconds: 1_796_026_560_000) })
    parts.patience = patience
    session = Session(parts)
  }

  /// Enters the room and waits until it is on the screen.
  func start() async {
    running = Task { try await session.run() }
    await surface.wait(for: "you are Jane")
  }

  func end() async throws -> Int32? { try await running?.value }

  /// Somebody else says something.
  func say(_ content: String, id: String, by profile: String = "minsu") async {
    await room.append(
      .message(
        Message(
          id: id, profileID: profile, profileName: profile == "minsu" ? "민수" : profile,
          content: content, createdAt: Timestamp(milliseconds: 1_796_026_560_000))))
  }

  /// How often a text is on the screen.
  func count(_ text: String) -> Int { surface.screen.ranges(of: text).count }
}
