internal import ChatSession
internal import Glibc
internal import TerminalText
internal import Transport

/// `banter log check FILE`: tells each line of a room file that is no event.
struct LogCheck {
  private let path: String
  private let language: Language

  init(_ invocation: Invocation) throws {
    guard invocation.words.count == 2, invocation.words[0] == "check" else {
      throw UsageError("log wants: check FILE", "이렇게 쓰세요: banter log check FILE")
    }
    path = invocation.words[1]
    language = invocation.language
  }

  func run() throws -> Int32 {
    var events = 0
    var problems = 0
    let file = try RoomFileReader(path: path)
    do {
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
          "\(events) events, \(problems) lines that are none",
          "이벤트 \(events)개, 이벤트가 아닌 줄 \(problems)개"))
    } catch is OutputBroken {
      return try Output.standard.brokenOff()
    }
    return problems == 0 ? EX_OK : EX_DATAERR
  }

  private func tell(_ line: String) throws(OutputBroken) {
    guard Output.standard.write(line + "\n") else { throw OutputBroken() }
  }
}

/// Standard output takes nothing any more; errno(3) says why.
private struct OutputBroken: Error {}
