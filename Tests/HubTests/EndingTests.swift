import ChatModel
import Dispatch
import Executors
import CPosix
import Glibc
import Sockets
import Testing
import Transport

/// The end of a hub.
@Suite(.timeLimit(.minutes(5))) struct EndingTests {
  @Test func `when it stops, what was sent is acknowledged and everyone gets a goodbye`()
    async throws
  {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let minsu = try await hosting.guest("minsu")
    let idle = try hosting.caller()
    try await jane.say((0..<200).map { sending("\($0)") })
    await hosting.hub.stop()
    await hosting.hub.stop()
    let answers = try await jane.rest()
    let acknowledged = answers.compactMap { answer -> String? in
      if case .ack(let ref, _) = answer { ref } else { nil }
    }
    #expect(acknowledged == (0..<200).map(String.init))
    #expect(hosting.contents() == acknowledged)
    guard case .bye? = answers.last, case .bye? = try await minsu.rest().last,
      case .bye? = try await idle.rest().last
    else {
      Issue.record("somebody got no goodbye")
      return
    }
    for caller in [jane, minsu, idle] { caller.hangUp() }
    await hosting.hub.waitUntilEmpty()
    #expect(access("\(hosting.folder.path)/socket", F_OK) != 0)
    #expect(throws: Caller.Silence.self) { try hosting.tcpCaller() }
    // Whoever was welcomed has left.
    let left = hosting.told.filter { $0.kind == .left }.compactMap(\.profileID)
    #expect(left.sorted() == ["jane", "minsu"])
  }

  @Test func `what has arrived when it stops, and was not looked at yet, is acknowledged`()
    async throws
  {
    let hosting = try await Hosting()
    let jane = try await hosting.guest("jane")
    let queue = hosting.hub.executor.queue
    queue.suspend()
    let stopping = Task { await hosting.hub.stop() }
    try await Task.sleep(for: .milliseconds(100))
    try await jane.send("in time")
    queue.resume()
    await stopping.value
    let answers = try await jane.rest()
    #expect(answers.contains { if case .ack("in time", _) = $0 { true } else { false } })
  }

  @Test func `it ends although somebody does not hang up`() async throws {
    let hosting = try await Hosting {
      $0.limits.tick = .milliseconds(20)
      $0.limits.farewell = .milliseconds(100)
    }
    let jane = try await hosting.guest("jane")
    await hosting.hub.stop()
    await hosting.hub.waitUntilEmpty()
    guard case .bye? = try await jane.rest().last else {
      Issue.record("no goodbye")
      return
    }
  }

  @Test func `it ends although the room's file is locked`() async throws {
    let hosting = try await Hosting { $0.limits.lockPatience = .milliseconds(300) }
    hosting.say("old")
    let jane = try await hosting.guest("jane")
    let lock = open(hosting.path(), O_RDWR | O_CLOEXEC)
    flock(lock, LOCK_EX)
    try await jane.send("never")
    await hosting.hub.stop()
    let answers = try await jane.rest()
    #expect(answers.contains { if case .error("never", _) = $0 { true } else { false } })
    jane.hangUp()
    await hosting.hub.waitUntilEmpty()
    close(lock)
  }

  @Test func `over two pipes it ends with the one who is there, answered`() async throws {
    let folder = TemporaryFolder()
    var configuration = HubConfiguration(place: .folder(folder.path), server: "test")
    configuration.limits.greeting = .seconds(120)
    let hub = Hub(configuration) { _ in }
    var input: [Int32] = [-1, -1]
    var output: [Int32] = [-1, -1]
    try #require(posix_pipe_cloexec(&input) == 0 && posix_pipe_cloexec(&output) == 0)
    await hub.serve(reading: input[0], writing: output[1], access: .open)
    var writer: Caller? = Caller(input[1])
    let reader = Caller(output[0])
    try await writer?.say(.hello(Hello(client: "test", profile: Profile(id: "jane", name: ""))))
    _ = try await reader.first { if case .welcome = $0 { true } else { nil } }
    try await writer?.say(.join(ref: "j", JoinRequest(room: "lobby")))
    _ = try await reader.hearJoining()
    try await writer?.say(sending("last words"))
    writer = nil
    let answers = try await reader.rest()
    #expect(answers.contains { if case .ack("last words", _) = $0 { true } else { false } })
    await hub.waitUntilEmpty()
  }

  @Test func `where nobody listens any more, another hub takes the socket over`() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/socket"
    let socket = posix_stream_socket(AF_UNIX)
    #expect(posix_bind_unix(socket, path) == 0 && posix_start_listening(socket) == 0)
    var configuration = HubConfiguration(place: .folder(folder.path), server: "test")
    configuration.endpoints = [.init(.init(.path(path)), access: .open)]
    let refused = Hub(configuration) { _ in }
    await #expect(throws: (any Error).self) { try await refused.start() }
    close(socket)
    let hub = Hub(configuration) { _ in }
    // A program that another test is starting has the socket for a moment.
    var names: [String]?
    #expect(
      await eventually {
        names = try? await hub.start()
        return names != nil
      })
    #expect(names == ["unix://\(path)"])
    try await Caller(unix: path).greet(as: "jane")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    await hub.stop()
  }
}
