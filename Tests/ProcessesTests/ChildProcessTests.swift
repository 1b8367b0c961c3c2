import Glibc
import Processes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChildProcessTests {
  private let environment = ["PATH": "/usr/bin:/bin", "GREETING": "hi there"]

  private func shell(_ script: String) async throws -> Int32 {
    let child = try ChildProcess(
      ["sh", "-c", script], environment: environment, input: .null, error: .null)
    return await child.waitUntilExit()
  }

  /// What a program writes, and its status.
  private func output(of arguments: [String], input: [UInt8] = []) async throws -> (String, Int32) {
    signal(SIGPIPE, SIG_IGN)
    let (source, sink) = (try #require(Pipe()), try #require(Pipe()))
    let child = try ChildProcess(
      arguments, environment: environment, input: .descriptor(source.readEnd),
      output: .descriptor(sink.writeEnd))
    source.closeReadEnd()
    sink.closeWriteEnd()
    async let fed: Void = source.feed(input)
    let bytes = await sink.collect(limit: 1 << 20)
    await fed
    return (String(decoding: bytes, as: UTF8.self), await child.waitUntilExit())
  }

  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("exit 127", 127)] as [(String, Int32)])
  func `tells the exit status`(_ script: String, _ status: Int32) async throws {
    #expect(try await shell(script) == status)
  }

  @Test(arguments: [SIGTERM, SIGKILL, SIGINT])
  func `tells the signal that ended it, as a shell does`(_ number: Int32) async throws {
    #expect(try await shell("kill -\(number) $$; sleep 60") == 128 + number)
  }

  @Test(arguments: [
    ("echo", SIGTERM), ("echo; kill -STOP $$", SIGTERM), ("trap '' TERM; echo", SIGKILL),
  ])
  func `ends with the task that waits for it`(script: String, number: Int32) async throws {
    let sink = try #require(Pipe())
    let child = try ChildProcess(
      ["sh", "-c", "\(script); while :; do sleep 0.1; done"], environment: environment,
      output: .descriptor(sink.writeEnd))
    sink.closeWriteEnd()
    // It has begun, and heeds its trap.
    #expect(await sink.collect(limit: 1) == [0x0A])
    let waiting = Task { await child.waitUntilExit() }
    waiting.cancel()
    #expect(await waiting.value == 128 + number)
  }

  @Test(arguments: ["sleep 60", "trap '' TERM; while :; do sleep 0.1; done"])
  func `what it has started ends with it`(script: String) async throws {
    let sink = try #require(Pipe())
    let child = try ChildProcess(
      ["sh", "-c", "sh -c 'echo $$; '\"$0\"; true", script], environment: environment,
      output: .descriptor(sink.writeEnd))
    sink.closeWriteEnd()
    let id = await pid_t(String(decoding: sink.collect(limit: 1), as: UTF8.self).dropLast())
    let waiting = Task { await child.waitUntilExit() }
    waiting.cancel()
    _ = await waiting.value
    #expect(hasEnded(try #require(id)))
  }

  /// Whether a process is gone, or waits for its parent (proc_pid_stat(5)).
  private func hasEnded(_ id: pid_t) -> Bool {
    let file = open("/proc/\(id)/stat", O_RDONLY)
    guard file >= 0 else { return true }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(file, &buffer, buffer.count)
    return count <= 0 || String(decoding: buffer[..<count], as: UTF8.self).contains(") Z")
  }

  @Test func `feeding ends with its task, though nobody reads`() async throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = try #require(Pipe())
    let feeding = Task { await pipe.feed([UInt8](repeating: 0x78, count: 300_000)) }
    feeding.cancel()
    await feeding.value
    pipe.closeReadEnd()
  }

  @Test func `collecting ends with its task, though nobody writes`() async throws {
    let pipe = try #require(Pipe())
    let collecting = Task { await pipe.collect(limit: 1) }
    collecting.cancel()
    #expect(await collecting.value.isEmpty)
    pipe.closeWriteEnd()
  }

  @Test(arguments: ["banter-no-such-program", "/nowhere/at/all"])
  func `names a program that is not there`(_ program: String) {
    let error = #expect(throws: ChildProcessError.self) {
      try ChildProcess([program], environment: environment)
    }
    #expect(error?.errorNumber == ENOENT)
    #expect(error?.description == "\(program) cannot be started: No such file or directory")
  }

  @Test func `starts with no signal blocked or ignored, whatever is so here`() async throws {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    signal(SIGPIPE, SIG_IGN)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    let sink = try #require(Pipe())
    // Without an await in between, this is still the thread that blocks.
    let child = try ChildProcess(
      ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"], environment: environment,
      output: .descriptor(sink.writeEnd))
    sink.closeWriteEnd()
    let lines = String(decoding: await sink.collect(limit: 4_096), as: UTF8.self)
    let masks = lines.split(separator: "\n").compactMap {
      UInt64($0.drop { $0 != "\t" }.dropFirst(), radix: 16)
    }
    // glibc ignores signals 32 and 33, which are its own (nptl(7)).
    #expect(masks.map { $0 & ~(0b11 << 31) } == [0, 0], "\(lines)")
    #expect(await child.waitUntilExit() == 0)
  }

  @Test func `gets nothing of this process but what it is given`() async throws {
    let leak = open("/dev/null", O_RDONLY)
    defer { close(leak) }
    let (text, status) = try await output(of: ["sh", "-c", "echo $GREETING; ls /proc/$$/fd; env"])
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "hi there")
    #expect(lines.contains("2") && !lines.contains("\(leak)"))
    #expect(!lines.contains { $0.hasPrefix("HOME=") })
    #expect(status == 0)
  }

  @Test func `arguments are no shell's business`() async throws {
    let hostile = ["$(id)", "'; touch pwned; '", "-x", "a b\nc"]
    let (text, _) = try await output(of: ["printf", "%s|"] + hostile)
    #expect(text == hostile.map { $0 + "|" }.joined())
  }

  @Test func `feeds more than a pipe holds`() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
    let (text, status) = try await output(of: ["cat"], input: input)
    #expect(text.utf8.count == input.count)
    #expect(status == 0)
  }

  @Test func `gives up feeding a program that reads no more`() async throws {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
    let (text, status) = try await output(of: ["head", "-c", "3"], input: input)
    #expect(text == "xxx")
    #expect(status == 0)
  }

  @Test func `collects no more than its limit allows`() async throws {
    let sink = try #require(Pipe())
    let child = try ChildProcess(
      ["yes"], environment: environment, output: .descriptor(sink.writeEnd), error: .null)
    sink.closeWriteEnd()
    #expect(await sink.collect(limit: 1_000).count < 100_000)
    #expect(await child.waitUntilExit() == 128 + SIGPIPE)
  }
}
