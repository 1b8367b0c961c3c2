import Glibc
import Processes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct OwnSessionTests {
  private let environment = ["PATH": "/usr/bin:/bin"]

  private func start(_ script: String, _ error: ChildProcess.Stream = .null) throws
    -> (ChildProcess, Pipe)
  {
    let sink = try #require(Pipe())
    let child = try ChildProcess(
      ["sh", "-c", script], environment: environment, input: .null,
      output: .descriptor(sink.writeEnd), error: error, session: .own)
    sink.closeWriteEnd()
    return (child, sink)
  }

  @Test func `has no terminal, and leads a session`() async throws {
    let (child, sink) = try start(
      "ps -o sid=,pgid=,tty= -p $$; (: </dev/tty) 2>/dev/null || echo none")
    let text = String(decoding: await sink.collect(limit: 1 << 16), as: UTF8.self)
    #expect(
      text.split(whereSeparator: \.isWhitespace) == ["\(child.id)", "\(child.id)", "?", "none"])
    #expect(await child.waitUntilExit() == 0)
  }

  @Test(arguments: ["wait", "exit 3"])
  func `what it has started ends with it`(end: String) async throws {
    let (child, sink) = try start("sh -c 'echo $$; exec sleep 600' & \(end)")
    let bytes = await sink.collect(limit: 1)
    let waiting = Task { await child.waitUntilExit() }
    if end == "wait" { child.end() }
    #expect(await waiting.value == (end == "wait" ? 128 + SIGTERM : 3))
    let text = String(decoding: bytes, as: UTF8.self)
    let started = try #require(pid_t(text.filter(\.isNumber)))
    #expect(await eventually { kill(started, 0) != 0 })
  }

  @Test func `one that heeds no request is killed`() async throws {
    let (child, sink) = try start("trap '' TERM; echo; while :; do sleep 0.1; done")
    #expect(await sink.collect(limit: 1) == [0x0A])
    child.end()
    #expect(await child.waitUntilExit() == 128 + SIGKILL)
  }

  @Test func `the last of what it complains about is kept, and it never waits`() async throws {
    let errors = try #require(ErrorOutput())
    let (child, _) = try start(
      "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done; echo the end >&2",
      .kept(errors))
    #expect(await child.waitUntilExit() == 0)
    let text = errors.text
    #expect(text.hasSuffix("line 19999\nthe end\n"))
    #expect(text.utf8.count == 8_192)
  }

  @Test func `what keeps standard error open is not waited for`() async throws {
    let errors = try #require(ErrorOutput())
    let (child, _) = try start("setsid sleep 600 & echo $! >&2", .kept(errors))
    #expect(await child.waitUntilExit() == 0)
    let started = try #require(pid_t(errors.text.filter(\.isNumber)))
    kill(started, SIGKILL)
  }
}
