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
    do {
      try file.forEachEvent { item in
        switch item {
        case .event: events += 1
        case .problem(let problem):
          problems += 1
          try tell(Output.standard.inert("\(problem)"))
        }
      }
      try tell("\(events) events, \(problems) lines that are none")
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
