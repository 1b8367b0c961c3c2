import CPosix
import ChatModel
import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import Transport

/// One who calls at a hub: writes lines, and reads what comes, in its order.
///
/// Its calls wait on queues of their own, so that they hold up no other test.
final class Caller: Sendable {
  /// Nothing came in time, or the end.
  struct Silence: Error, CustomStringConvertible {
    var description: String
  }

  private let descriptor: Int32
  private let saying = DispatchQueue(label: "caller.saying")
  private let hearing = DispatchQueue(label: "caller.hearing")
  private let arrived = Mutex(LineSplitterState())

  private struct LineSplitterState {
    var lines: ArraySlice<[UInt8]> = []
    var rest: [UInt8] = []
    var hasEnded = false
  }

  /// Takes over a connected socket.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    signal(SIGPIPE, SIG_IGN)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  convenience init(unix path: String) throws {
    let socket = posix_stream_socket(AF_UNIX)
    while posix_connect_unix(socket, path) != 0 {
      // Nobody has been let in for a moment.
      guard errno == EAGAIN else { throw Silence(description: String(cString: strerror(errno))) }
      usleep(1000)
    }
    self.init(socket)
  }

  /// - Parameter authority: `host:port`.
  convenience init(tcp authority: String) throws {
    let parts = authority.split(separator: ":")
    var found: UnsafeMutablePointer<addrinfo>?
    guard posix_resolve(String(parts[0]), String(parts[1]), false, &found) == 0,
      let address = found?.pointee
    else { throw Silence(description: "no such host") }
    defer { freeaddrinfo(found) }
    let socket = posix_stream_socket(address.ai_family)
    _ = connect(socket, address.ai_addr, address.ai_addrlen)
    guard posix_await_connection(socket, 5000) == 0 else {
      throw Silence(description: String(cString: strerror(errno)))
    }
    self.init(socket)
  }

  deinit { close(descriptor) }

  // MARK: - Saying

  func say(_ bytes: [UInt8], within time: Duration = .seconds(20)) async throws {
    try await on(saying) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(self.descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          try self.wait(POLLOUT, within: time)
        } else {
          throw Silence(description: "cannot write: " + String(cString: strerror(errno)))
        }
      }
    }
  }

  func say(_ line: String) async throws { try await say(Array((line + "\n").utf8)) }

  func say(_ requests: Request...) async throws { try await say(requests) }

  func say(_ requests: [Request]) async throws {
    var bytes: [UInt8] = []
    for request in requests { request.encode(into: &bytes) }
    try await say(bytes)
  }

  /// Says no more, and listens on.
  func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Breaks the connection off, without a word.
  /// Lets go with a reset when this ends (socket(7), SO_LINGER).
  func resetAtEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, UInt32(MemoryLayout.size(ofValue: linger)))
  }

  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  // MARK: - Hearing

  /// The next line; nil at the end.
  func line(within time: Duration = .seconds(20)) async throws -> String? {
    try await on(hearing) {
      while true {
        if let line = self.arrived.withLock({ $0.lines.popFirst() }) {
          return String(decoding: line, as: UTF8.self)
        }
        if self.arrived.withLock(\.hasEnded) { return nil }
        try self.wait(POLLIN, within: time)
        self.read()
      }
    }
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      arrived.withLock { state in
        if count <= 0 { return state.hasEnded = count == 0 || errno != EAGAIN }
        var bytes = buffer[..<count]
        while let newline = bytes.firstIndex(of: 0x0a) {
          state.lines.append(state.rest + bytes[..<newline])
          state.rest = []
          bytes = bytes[(newline + 1)...]
        }
        state.rest += bytes
      }
    }
  }

  /// The next answer; an end is an error.
  func next(within time: Duration = .seconds(20)) async throws -> Answer {
    guard let line = try await line(within: time) else { throw Silence(description: "the end") }
    return try decode(line)
  }

  private func decode(_ line: String) throws -> Answer {
    let bytes = Array(line.utf8)
    return try bytes.withUnsafeBytes { try Answer.decode($0) }
  }

  /// The first answer that `pick` makes something of; those before it are
  /// passed over, and given to `others`.
  func first<Result>(
    within time: Duration = .seconds(20), others: (Answer) -> Void = { _ in },
    _ pick: (Answer) -> Result?
  ) async throws -> Result {
    while true {
      let answer = try await next(within: time)
      if let found = pick(answer) { return found }
      others(answer)
    }
  }

  /// Everything up to the end.
  func rest(within time: Duration = .seconds(20)) async throws -> [Answer] {
    var answers: [Answer] = []
    while let line = try await line(within: time) { answers.append(try decode(line)) }
    return answers
  }

  // MARK: - Waiting

  private func wait(_ events: Int32, within time: Duration) throws {
    var state = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    let milliseconds = Int32(time / .milliseconds(1))
    guard poll(&state, 1, milliseconds) != 0 else {
      throw Silence(description: "nothing within \(time)")
    }
  }

  private func on<Result: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}

// MARK: - What callers usually say

extension Caller {
  /// Says who he is, and hears the welcome.
  @discardableResult
  func greet(as id: String, name: String = "") async throws -> Welcome {
    try await say(.hello(Hello(client: "test", profile: Profile(id: id, name: name))))
    return try await first { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  }

  /// Enters a room, and hears what was before.
  @discardableResult
  func join(
    _ room: String = "lobby", after: Cursor? = nil, tail: Int? = nil
  ) async throws -> Joining {
    try await say(.join(ref: "join", JoinRequest(room: room, after: after, tail: tail)))
    return try await hearJoining()
  }

  func hearJoining() async throws -> Joining {
    var joining = Joining()
    joining.live = try await first(
      others: { answer in
        switch answer {
        case .joined(_, let joined): joining = Joining(joined: joined)
        case .reset: joining.isReset = true
        case .event(_, let event): joining.events.append(event)
        default: break
        }
      },
      { answer -> Result<Cursor, ProtocolError>? in
        switch answer {
        case .live(_, let cursor): .success(cursor)
        case .error(_, let error): .failure(error)
        default: nil
        }
      }
    ).get()
    return joining
  }

  struct Joining {
    var joined: Joined?
    var isReset = false
    var events: [RoomEvent] = []
    var live = Cursor(value: "")

    var contents: [String] { events.contents }
  }

  /// Sends a message, without waiting for anything.
  func send(
    _ content: String, id: String? = nil, by author: String = "whoever", to room: String = "lobby",
    since: Cursor? = nil, ref: String? = nil
  ) async throws {
    try await say(sending(content, id: id, by: author, to: room, since: since, ref: ref))
  }

  /// The answer to what was sent with that ref.
  func answer(
    to ref: String, within time: Duration = .seconds(20)
  ) async throws -> Result<Acknowledgement, ProtocolError> {
    try await first(within: time) { answer -> Result<Acknowledgement, ProtocolError>? in
      switch answer {
      case .ack(ref, let acknowledgement): .success(acknowledgement)
      case .error(ref, let error): .failure(error)
      default: nil
      }
    }
  }

  /// The next event, whatever else comes before it.
  func event(within time: Duration = .seconds(20)) async throws -> RoomEvent {
    try await first(within: time) { if case .event(_, let event) = $0 { event } else { nil } }
  }

  /// The content of the next message.
  func message(within time: Duration = .seconds(20)) async throws -> String {
    try await first(within: time) { answer in
      if case .event(_, let event) = answer, case .message(let message) = event.event {
        message.content
      } else {
        nil
      }
    }
  }

  /// The contents of so many messages.
  func messages(_ count: Int, within time: Duration = .seconds(20)) async throws -> [String] {
    var contents: [String] = []
    for _ in 0..<count { contents.append(try await message(within: time)) }
    return contents
  }

  /// The class of the next error.
  func errorClass(within time: Duration = .seconds(20)) async throws -> ProtocolError.Class {
    try await first(within: time) { answer in
      if case .error(_, let error) = answer { error.errorClass } else { nil }
    }
  }
}

/// A request that sends a message; its ref is its id.
func sending(
  _ content: String, id: String? = nil, by author: String = "whoever", to room: String = "lobby",
  since: Cursor? = nil, ref: String? = nil
) -> Request {
  let id = id ?? content
  let message = Message(id: id, profileID: author, content: content)
  return .send(
    ref: ref ?? id, SendRequest(room: room, event: .message(message), since: since))
}

extension [RoomEvent] {
  var contents: [String] {
    compactMap { event in
      if case .message(let message) = event.event { message.content } else { nil }
    }
  }
}
