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
  /// has left it. Where the pager cannot be run, `body` runs once more, on
  /// standard output.
  func run(_ body: ((String) throws -> Void) async throws -> Int32) async throws -> Int32 {
    guard let pipe = Pipe() else {
      return try await body { try Output.standard.write($0) }
    }
    let child = try ChildProcess(
      program.argv(), environment: program.environmentForRun, input: .descriptor(pipe.readEnd))
    pipe.closeReadEnd()
    // Ctrl-C is the pager's while it runs.
    signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, SIG_DFL) }
    let output = Output(descriptor: pipe.writeEnd)
    let outcome: Result<Int32, any Error>
    do {
      outcome = .success(try await body { try output.write($0) })
    } catch let failure as OutputFailure where failure.isEndOfReader {
      // The user has left the pager before the end.
      outcome = .success(EX_OK)
    } catch {
      outcome = .failure(error)
    }
    pipe.closeWriteEnd()
    guard UserProgram.isNotRun(await child.waitUntilExit()) else { return try outcome.get() }
    return try await body { try Output.standard.write($0) }
  }
}
