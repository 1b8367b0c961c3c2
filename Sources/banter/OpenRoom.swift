internal import ChatModel
internal import ChatSession
internal import Dispatch
internal import Glibc
internal import LinePrompt
internal import TerminalText
internal import Transport

/// `banter [ROOM]`: a session at the prompt, or, without a terminal to type
/// at, the lines of standard input.
@MainActor
struct OpenRoom {
  private let invocation: Invocation
  private let address: RoomAddress

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    address = try invocation.room()
  }

  func run() async throws -> Int32 {
    guard isatty(STDIN_FILENO) == 1 else {
      var send = try Send(invocation, to: address, text: nil)
      return try await send.run()
    }
    return try await converse()
  }

  private func converse() async throws -> Int32 {
    let view = TerminalView(invocation, output: .standard)
    let questions = QuestionDesk()
    let questioner = Output.standard.isTerminal ? questions : nil
    var parts = Session.Parts(
      room: address, loggedRoom: try invocation.loggedRoom(address),
      transport: try invocation.transport(
        to: address, patience: .unlimited, questioner: questioner),
      source: source(questioner), surface: surface(for: view), settings: invocation.settings,
      folders: invocation.folders,
      transcript: view.transcript, now: { .now })
    parts.settings.style = view.transcript.style
    parts.environment = invocation.environment
    parts.questions = questions
    if invocation.options.keepsLog {
      parts.log = invocation.log
    }
    let session = Session(parts)
    let signals = await endings(of: session)
    defer { for signal in signals { signal.cancel() } }
    return try await session.run(
      saying: invocation.settingsProblem.map { invocation.language($0.text) })
  }

  /// Leads from the prompt to further rooms.
  private func source(_ questioner: (any Questioner)?) -> RoomSource {
    RoomSource { [invocation] room throws(CommandError) in
      try Self.told(invocation.language) { try invocation.loggedRoom(room) }
    } transport: { [invocation] room, profile throws(CommandError) in
      var invocation = invocation
      invocation.settings.profile = profile
      return try Self.told(invocation.language) {
        try invocation.transport(to: room, patience: .unlimited, questioner: questioner)
      }
    }
  }

  /// What goes wrong is told at the prompt.
  private static func told<Value>(
    _ language: Language, _ body: () throws -> Value
  ) throws(CommandError) -> Value {
    do {
      return try body()
    } catch {
      throw CommandError(Banter.text(of: error, language))
    }
  }

  private func surface(for view: TerminalView) -> any PromptSurface {
    guard Output.standard.isTerminal else {
      return StreamPrompt(columns: view.transcript.columns)
    }
    var configuration = LinePrompt.Configuration(measure: view.transcript.measure)
    configuration.historyPath = invocation.folders.inputHistory
    configuration.historyLimit = invocation.settings.historyLimit
    configuration.isPlain = view.transcript.style == .plain
    configuration.words = words
    return LinePrompt(configuration)
  }

  private var words: LinePrompt.Words {
    let language = invocation.language
    var words = LinePrompt.Words()
    words.unfinishedPaste = language("(paste: Ctrl-C ends it) ", "(붙여넣는 중: Ctrl-C로 끝냄) ")
    words.moreCandidates = { language("… and \($0) more", "… 외 \($0)개") }
    return words
  }

  /// A hang-up and a request to end leave the room as the user would, with the
  /// status that a shell gives a program that they end.
  private func endings(of session: Session) async -> [any DispatchSourceSignal] {
    let numbers = [SIGHUP, SIGTERM]
    let sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { session.end(128 + number) } }
      return source
    }
    for source in sources { await source.activateAndWait() }
    return sources + EndWatch.start(numbers)
  }
}
