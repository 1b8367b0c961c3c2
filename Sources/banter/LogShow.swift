internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// `banter log show [SESSION]`: what was said in a session, in the pager where
/// the output is a terminal.
@MainActor
struct LogShow {
  private let invocation: Invocation
  private let number: Int64?

  init(_ invocation: Invocation) throws {
    let word = invocation.words.first
    number = word.flatMap { Int64($0) }
    guard invocation.words.count <= 1, word == nil || number != nil else {
      throw UsageError(
        "log show wants the number of a session; banter log sessions lists them",
        "세션 번호를 쓰세요. banter log sessions로 볼 수 있습니다")
    }
    self.invocation = invocation
  }

  func run() async throws -> Int32 {
    let log = invocation.log
    let found =
      if let number { try await log.session(number) } else { try await log.sessions(limit: 1).last }
    guard let session = found else {
      throw LogError(.notFound, reason: "there is no such session; banter log sessions lists them")
    }
    let range = LogRange(
      room: session.room, from: session.startedAt,
      through: session.isAlive ? .now : session.lastMoment)
    let view = TerminalView(invocation, output: .standard)
    guard Output.standard.isTerminal, view.transcript.style != .plain,
      !invocation.options.isJSON,
      let pager = Pager(environment: invocation.environment)
    else { return try await write(range, view) { try Output.standard.write($0) } }
    return try await pager.run { output in try await self.write(range, view, output) }
  }

  private func write(
    _ range: LogRange, _ view: TerminalView, _ write: (String) throws -> Void
  ) async throws -> Int32 {
    var transcript = Transcript(options: view.transcript)
    var place: SearchPlace?
    while true {
      let messages = try await invocation.log.messages(in: range, after: place, limit: 500)
      for message in messages {
        var shown = ShownMessage(entry: message.entry, senderName: message.name)
        shown.repliedTo = try await invocation.log.message(
          answeredBy: message, language: invocation.language)
        let rows =
          invocation.options.isJSON
          ? [EventCodec.encode(message.event)] : transcript.lines(for: shown)
        for row in rows { try write(row + "\n") }
      }
      guard let last = messages.last else { return EX_OK }
      place = await invocation.log.place(of: last)
    }
  }
}
