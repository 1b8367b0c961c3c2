internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText

/// `banter log sessions`: one line a session, the newest last.
@MainActor
struct LogSessions {
  private let invocation: Invocation
  private let count: Int

  init(_ invocation: Invocation) throws {
    guard invocation.words.isEmpty else {
      throw UsageError("log sessions takes no words", "log sessions 뒤에는 아무것도 쓰지 않습니다")
    }
    self.invocation = invocation
    count = try invocation.count(otherwise: 1_000)
  }

  func run() async throws -> Int32 {
    let transcript = Transcript(options: TerminalView(invocation, output: .standard).transcript)
    for session in try await invocation.log.sessions(limit: count) {
      let line = invocation.options.isJSON ? json(session) : row(session, transcript)
      try Output.standard.write(line + "\n")
    }
    return EX_OK
  }

  private func row(_ session: LoggedSession, _ transcript: Transcript) -> String {
    let language = invocation.language
    let begin = transcript.dateAndTime(of: session.startedAt)
    let end =
      session.endedAt.map { transcript.dateAndTime(of: $0) }
      ?? (session.isAlive
        ? language("still open", "열려 있음") : language("was broken off", "중단됨"))
    let messages = language(
      counted(session.messageCount, "message"),
      "메시지 \(session.messageCount)개")
    let who = session.profile.displayName
    return Output.standard.inert(
      "\(session.id)  \(session.room.name)  \(begin) – \(end)  \(who)  \(messages)")
  }

  private func json(_ session: LoggedSession) -> String {
    let texts = [
      ("room", session.room.name), ("address", session.room.address),
      ("profileID", session.profile.id), ("profileName", session.profile.name),
      ("startedAt", session.startedAt.rfc3339),
    ]
    var members = ["\"session\":\(session.id)"]
    members += texts.map { "\"\($0.0)\":\(JSONText.encode($0.1))" }
    if let end = session.endedAt { members.append("\"endedAt\":\(JSONText.encode(end.rfc3339))") }
    members.append("\"messages\":\(session.messageCount)")
    return "{\(members.joined(separator: ","))}"
  }
}
