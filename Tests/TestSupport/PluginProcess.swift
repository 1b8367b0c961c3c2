internal import CPosix
internal import ChatModel
internal import Executors
internal import Glibc
internal import Synchronization
package import Transport

/// A plugin as a host runs it.
package final class PluginProcess: Sendable {
  package struct Silence: Error, CustomStringConvertible {
    package var description: String
  }

  /// Nil once it has been waited for: the number may be another's then.
  private let process: Mutex<pid_t?>
  private let input: Int32
  private let hasInput = Mutex(true)
  private let hearing = Hearing()

  /// - Parameter name: of the program, such as `banter-irc`.
  package init(
    _ name: String, environment: [String: String] = ["LANG": "C.UTF-8"]
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    var (inEnds, outEnds): ([Int32], [Int32]) = ([0, 0], [0, 0])
    // Another plugin that is started meanwhile would keep them open.
    guard posix_pipe_cloexec(&inEnds) == 0, posix_pipe_cloexec(&outEnds) == 0 else {
      throw Silence(description: "no pipes are left")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inEnds[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, outEnds[1], STDOUT_FILENO)
    let path = Program.products + "/\(name)"
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let arguments = [strdup(path), nil]
    defer { for text in variables + arguments { free(text) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, path, &actions, nil, arguments, variables)
    close(inEnds[0])
    close(outEnds[1])
    self.process = Mutex(process)
    input = inEnds[1]
    guard error == 0 else { throw Silence(description: "\(name) cannot be started") }
    runOnOwnThread { [hearing, outEnds] in hearing.read(from: outEnds[0]) }
  }

  /// What it says. Holds nothing that ends the plugin, so that whoever lets go
  /// of the plugin ends it.
  private final class Hearing: Sendable {
    let answers = Mutex<[Answer]>([])

    /// Reads to the end, and closes.
    func read(from output: Int32) {
      var rest: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while case let count = Glibc.read(output, &chunk, chunk.count), count > 0 {
        rest += chunk[..<count]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Array(rest[..<end])
          rest.removeFirst(end + 1)
          let answer = line.withUnsafeBytes { try? Answer.decode($0) }
          answers.withLock { $0.append(answer ?? .unknown(type: "junk", ref: nil)) }
        }
      }
      close(output)
    }
  }

  package func say(_ request: Request) {
    var bytes: [UInt8] = []
    request.encode(into: &bytes)
    say(bytes: bytes)
  }

  package func say(bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
  }

  package func hello(_ address: String, settings: [String: String] = [:]) {
    say(
      .hello(
        Hello(
          client: "test", address: address, profile: Profile(id: "minsu", name: "minsu"),
          settings: settings)))
  }

  package var answers: [Answer] { hearing.answers.withLock { $0 } }

  /// Waits until the answers are as wanted.
  @discardableResult
  package func wait<Found>(
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

  package func waitForWelcome() async throws -> Welcome {
    try await wait("welcome") { answers in
      answers.compactMap { if case .welcome(let welcome) = $0 { welcome } else { nil } }.first
    }
  }

  package func join(_ room: String, after: Cursor? = nil, tail: Int? = nil) async throws {
    say(.join(ref: "join \(room)", JoinRequest(room: room, after: after, tail: tail)))
    try await wait("live \(room)") { answers in
      answers.first { if case .live(room, _) = $0 { true } else { false } }
    }
  }

  package func say(_ text: String, id: String, in room: String) {
    let message = Message(id: id, profileID: "", content: text)
    say(.send(ref: id, SendRequest(room: room, event: .message(message))))
  }

  /// Ends it as if its machine had lost power.
  package func kill() { process.withLock { if let id = $0 { Glibc.kill(id, SIGKILL) } } }

  /// Closes the plugin's input.
  package func endInput() {
    hasInput.withLock {
      if $0 { close(input) }; $0 = false
    }
  }

  /// - Returns: its exit status, when it has ended by itself.
  package func waitForEnd() async throws -> Int32 {
    var status: Int32 = 0
    let hasEnded = await eventually {
      process.withLock { process in
        guard let id = process, waitpid(id, &status, WNOHANG) == id else { return false }
        process = nil
        return true
      }
    }
    guard hasEnded else { throw Silence(description: "it does not end") }
    return status
  }

  deinit {
    endInput()
    guard let id = process.withLock(\.self) else { return }
    Glibc.kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }
}
