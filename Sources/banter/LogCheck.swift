internal import Glibc
internal import Transport

/// `banter log check FILE`: tells each line of a room file that is no event.
struct LogCheck {
  private let path: String

  init(_ invocation: Invocation) throws {
    guard invocation.words.count == 2, invocation.words[0] == "check" else {
      throw UsageError("log wants: check FILE")
    }
    path = invocation.words[1]
  }

  func run() throws -> Int32 {
    var events = 0
    var problems = 0
    let file = try RoomFileReader(path: path)
    try file.forEachEvent { item in
      switch item {
      case .event: events += 1
      case .problem(let problem):
        problems += 1
        Output.standard.write(Output.standard.inert("\(problem)") + "\n")
      }
    }
    Output.standard.write("\(events) events, \(problems) lines that are none\n")
    return problems == 0 ? EX_OK : EX_DATAERR
  }
}
