import Glibc
import Processes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RunTests {
  private let environment = ["PATH": "/usr/bin:/bin"]

  private func collect(
    _ script: String, within time: Duration? = nil, limit: Int = 1 << 20
  ) async throws -> (status: Int32, text: String) {
    let run = try await ChildProcess.collect(
      ["sh", "-c", script], environment: environment, within: time, limit: limit)
    return (run.status, String(decoding: run.output, as: UTF8.self))
  }

  @Test func `collects what is printed, and tells the status`() async throws {
    let run = try await collect("cat; echo hi; echo no >&2; exit 3", within: .seconds(60))
    #expect(run == (3, "hi\n"))
    #expect(try await collect("seq 100000 | tail -n 1") == (0, "100000\n"))
  }

  @Test func `a program that is not there is named`() async {
    let error = await #expect(throws: ChildProcessError.self) {
      try await ChildProcess.collect(["/nowhere"], environment: environment, limit: 1)
    }
    #expect(error?.program == "/nowhere" && error?.errorNumber == ENOENT)
  }

  @Test(arguments: ["exec yes", "trap '' TERM PIPE; while :; do echo yes; done 2>&1"])
  func `what prints without end is ended`(script: String) async throws {
    let run = try await collect(script, limit: 1_000)
    #expect(run.status > 128 && (1_000...100_000).contains(run.text.utf8.count))
  }

  /// Each prints the id of what it leaves behind, which would run on.
  @Test(arguments: [
    ("echo $$; exec sleep 600", true), ("sleep 600 & echo $!; exec sleep 600", true),
    ("sleep 600 & echo $!; exit 0", true),
    ("sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.1; done' & exec sleep 600", true),
    ("exec 3>&1; sleep 600 >&3 & echo $!; exec >&-; exec sleep 600", true),
    ("setsid sleep 600 & echo $!; exec sleep 600", false),
    ("setsid sleep 600 & echo $!; exit 0", false),
    ("echo $$; exec >&-; exec sleep 600", true),
  ])
  func `nothing is waited for longer than it may take`(script: String, isInGroup: Bool)
    async throws
  {
    let run = try await collect(script, within: .seconds(1))
    #expect(run.status == ChildProcess.timedOutStatus)
    let id = try #require(pid_t(run.text.filter(\.isNumber)))
    if isInGroup {
      #expect(await eventually { kill(id, 0) != 0 })
    } else {
      #expect(kill(id, SIGKILL) == 0)
    }
  }

  @Test func `ends with its task, which is not being late`() async throws {
    let begun = TemporaryFolder()
    let running = Task {
      try await collect("echo >\(begun.path)/it; exec sleep 600", within: .seconds(300))
    }
    #expect(await eventually { begun.read("it") != nil })
    running.cancel()
    #expect(try await running.value.status == 128 + SIGTERM)
  }
}
