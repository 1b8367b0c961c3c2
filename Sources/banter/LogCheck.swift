internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// `banter log check`: checks the session log, or tells each line of a room
/// file that is no event.
@MainActor
struct LogCheck {
  private let path: String?
  private let log: LogStore
  private let language: Language

  init(_ invocation: Invocation) throws {
    guard invocation.words.count <= 1 else {
      throw UsageError("log check wants one FILE", "FILE은 하나만 쓰세요")
    }
    path = try invocation.words.first.map { word in
      // A file of that name, or else a room.
      access(word, F_OK) == 0 ? word : try invocation.path(of: Invocation.room(word))
    }
    log = invocation.log
    language = invocation.language
  }

  func run() async throws -> Int32 {
    guard let path else { return try await checkLog() }
    return try checkRoom(path)
  }

  private func checkLog() async throws -> Int32 {
    let report = try await log.check()
    for problem in report.problems { try tell(Output.standard.inert(problem)) }
    while try await log.advanceIndex(by: 10_000) {}
    try tell(
      language(
        "\(counted(report.messageCount, "message")), \(counted(report.roomCount, "room")), "
          + "\(counted(report.sessionCount, "session")), \(report.waitingCount) waiting to be sent; "
          + "the search index was made anew",
        "메시지 \(report.messageCount)개, 방 \(report.roomCount)개, 세션 \(report.sessionCount)개, 보낼 것 \(report.waitingCount)개. 검색 색인을 다시 만들었습니다"
      ))
    return report.problems.isEmpty ? EX_OK : EX_DATAERR
  }

  private func checkRoom(_ path: String) throws -> Int32 {
    var events = 0
    var problems = 0
    let file = try RoomFileReader(path: path)
    try file.forEachEvent { item in
      switch item {
      case .event: events += 1
      case .problem(let problem):
        problems += 1
        try tell(Output.standard.inert(language(problem.text)))
      }
    }
    try tell(
      language(
        "\(counted(events, "event")), \(counted(problems, "line")) without one",
        "이벤트 \(events)개, 이벤트가 아닌 줄 \(problems)개"))
    return problems == 0 ? EX_OK : EX_DATAERR
  }

  private func tell(_ line: String) throws(OutputFailure) {
    try Output.standard.write(line + "\n")
  }
}
