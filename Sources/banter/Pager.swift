internal import ChatSession
internal import Glibc
internal import Processes

/// `$PAGER` behind standard output.
@MainActor
struct Pager {
  private let program: UserProgram

  /// Nil where there is none.
  init?(environment: [String: String]) {
    guard let program = UserProgram.pager(environment) else { return nil }
    self.program = program
  }

  /// Runs `body`, which writes what the pager shows, and waits until its user
  /// has left it.
  func run(_ body: ((String) -> Bool) async throws -> Int32) async throws -> Int32 {
    guard let pipe = Pipe() else {
      return try await body { Output.standard.write($0) }
    }
    let child = try ChildProcess(
      program.argv(), environment: program.environmentForRun, input: .descriptor(pipe.readEnd))
    pipe.closeReadEnd()
    // Ctrl-C is the pager's while it runs.
    signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, SIG_DFL) }
    let output = Output(descriptor: pipe.writeEnd)
    let status = try await body { output.write($0) }
    pipe.closeWriteEnd()
    _ = await child.waitUntilExit()
    return status
  }
}
