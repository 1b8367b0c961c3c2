import ChatModel
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import Transport

/// `banter-irc` as a host runs it.
final class PluginProcess: Sendable {
  struct Silence: Error, CustomStringConvertible {
    var description: String
  }

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private let reading = DispatchQueue(label: "plugin.reading")
  private let heard = Mutex<[Answer]>([])

  init(environment: [String: String] = ["LANG": "C.UTF-8"]) throws {
    signal(SIGPIPE, SIG_IGN)
    var (inEnds, outEnds): ([Int32], [Int32]) = ([0, 0], [0, 0])
    try #require(pipe(&inEnds) == 0 && pipe(&outEnds) == 0)
    for end in [inEnds[1], outEnds[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inEnds[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, outEnds[1], STDOUT_FILENO)
    posix_spawn_file_actions_addclose(&actions, inEnds[0])
    posix_spawn_file_actions_addclose(&actions, outEnds[1])
    let path = Program.products + "/banter-irc"
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let arguments = [strdup(path), nil]
    defer { for text in variables + arguments { free(text) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, path, &actions, nil, arguments, variables)
    close(inEnds[0])
    close(outEnds[1])
    (self.process, input, output) = (process, inEnds[1], outEnds[0])
    try #require(error == 0)
    reading.async { [self] in read() }
  }

  private func read() {
    var rest: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = Glibc.read(output, &chunk, chunk.count), count > 0 {
      rest += chunk[..<count]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(rest[..<end])
        rest.removeFirst(end + 1)
        let answer = line.withUnsafeBytes { try? Answer.decode($0) }
        heard.withLock { $0.append(answer ?? .unknown(type: "junk", ref: nil)) }
      }
    }
  }

  func say(_ request: Request) {
    var bytes: [UInt8] = []
    request.encode(into: &bytes)
    say(bytes: bytes)
  }

  func say(bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
  }

  func hello(_ address: String, settings: [String: String] = [:]) {
    say(
      .hello(
        Hello(
          client: "test", address: address, profile: Profile(id: "minsu", name: "minsu"),
          settings: settings)))
  }

  var answers: [Answer] { heard.withLock { $0 } }

  /// Waits until the answers are as wanted.
  @discardableResult
  func wait<Found>(
    _ what: String, within time: Duration = .seconds(30), _ find: ([Answer]) -> Found?
  ) async throws -> Found {
    var found: Found?
    let isThere = await eventually(within: time) {
      found = find(answers)
      return found != nil
    }
    guard isThere, let found else { throw Silence(description: "no \(what) in \(answers)") }
    return found
  }

  func waitForWelcome() async throws -> Welcome {
    try await wait("welcome") { answers in
      answers.compactMap { if case .welcome(let welcome) = $0 { welcome } else { nil } }.first
    }
  }

  func join(_ room: String, after: Cursor? = nil, tail: Int? = nil) async throws {
    say(.join(ref: "join \(room)", JoinRequest(room: room, after: after, tail: tail)))
    try await wait("live \(room)") { answers in
      answers.first { if case .live(room, _) = $0 { true } else { false } }
    }
  }

  func say(_ text: String, id: String, in room: String) {
    let message = Message(id: id, profileID: "", content: text)
    say(.send(ref: id, SendRequest(room: room, event: .message(message))))
  }

  /// Closes the plugin's input.
  func endInput() { close(input) }

  /// - Returns: its exit status, when it has ended by itself.
  func waitForEnd() async throws -> Int32 {
    var status: Int32 = 0
    let hasEnded = await eventually { waitpid(process, &status, WNOHANG) == process }
    guard hasEnded else { throw Silence(description: "it does not end") }
    return status
  }

  deinit {
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }
}
