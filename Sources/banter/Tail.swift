internal import ChatModel
internal import ChatSession
internal import Dispatch
internal import Glibc
internal import TerminalText
internal import Transport

/// `banter tail`: prints a room's messages, and with `-f` what arrives.
@MainActor
struct Tail {
  private let invocation: Invocation
  private let path: String
  private let count: Int
  private var printer: RoomPrinter
  private var buffer: [UInt8] = []

  init(_ invocation: Invocation) throws {
    guard !invocation.words.isEmpty else {
      throw UsageError("tail wants a room", "출력할 방을 쓰세요")
    }
    let room = try invocation.room()
    count = try invocation.count(otherwise: 50)
    self.invocation = invocation
    path = try invocation.path(of: room)
    let view = TerminalView(invocation, output: .standard)
    printer = RoomPrinter(
      form: invocation.options.isJSON ? .json : .transcript(view.transcript),
      ignored: invocation.settings.ignored)
    invocation.tellSettingsProblem()
  }

  mutating func run() async throws -> Int32 {
    invocation.options.follows ? try await follow() : try printOnce()
  }

  private mutating func printOnce() throws -> Int32 {
    let file = try RoomFileReader(path: path)
    try file.forEachEvent(last: count) { item in
      take(item)
      if buffer.count >= 65_536 { try flush() }
    }
    try flush()
    return EX_OK
  }

  private mutating func take(_ item: borrowing RoomFileItem) {
    switch item {
    case .event(let event, _):
      printer.append(event, .replay, now: .now, to: &buffer)
    case .problem(let problem):
      Banter.complain(invocation.language(problem.text))
    }
  }

  private mutating func follow() async throws -> Int32 {
    endWhenNobodyReads()
    let room = FileRoom(path: path)
    if access(path, F_OK) != 0 && errno == ENOENT {
      Banter.complain(
        invocation.language(
          "\(path): is not there yet; waiting for it", "\(path): 아직 없습니다. 생길 때까지 기다립니다"))
    }
    try await room.join(tail: count)
    while let updates = await room.next() {
      for update in updates { take(update) }
      try flush()
    }
    return EX_OK
  }

  /// A quiet room would keep `tail -f | head` alive until the next message.
  /// poll(2) tells on a pipe that has lost its reader, whatever is asked for.
  private func endWhenNobodyReads() {
    DispatchQueue.global().async {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0 && errno == EINTR {}
      exit(EX_OK)
    }
  }

  private mutating func take(_ update: RoomUpdate) {
    switch update {
    case .replay(let events):
      for event in events { printer.append(event.event, .replay, now: .now, to: &buffer) }
    case .events(let events):
      for event in events { printer.append(event.event, .live, now: .now, to: &buffer) }
    case .problem(let problem): Banter.complain(invocation.language(problem.text))
    case .reset:
      Banter.complain(
        invocation.language(
          "\(path): was truncated or replaced; what is new follows",
          "\(path): 파일이 잘리거나 바뀌었습니다. 새로운 내용이 이어집니다"))
    case .live, .state: break
    }
  }

  private mutating func flush() throws(OutputFailure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try Output.standard.write(buffer)
  }
}
