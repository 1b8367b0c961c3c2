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
  private let room: RoomAddress
  private let count: Int
  private var printer: RoomPrinter
  private var buffer: [UInt8] = []
  private var isCutOff = false

  init(_ invocation: Invocation) throws {
    guard !invocation.words.isEmpty else {
      throw UsageError("tail wants a room", "출력할 방을 쓰세요")
    }
    let room = try invocation.room()
    count = try invocation.count(otherwise: 50)
    self.invocation = invocation
    self.room = room
    let view = TerminalView(invocation, output: .standard)
    printer = RoomPrinter(
      form: invocation.options.isJSON ? .json : .transcript(view.transcript),
      ignored: invocation.settings.ignored)
    invocation.tellSettingsProblem()
  }

  mutating func run() async throws -> Int32 {
    if invocation.options.follows { return try await follow() }
    switch room.place {
    case .named, .file: return try printFile()
    case .socket, .remote: return try await printOnce()
    }
  }

  private mutating func printFile() throws -> Int32 {
    let file = try RoomFileReader(path: try invocation.path(of: room))
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
    let transport = try transport(.unlimited)
    try await transport.join(tail: count)
    while let updates = await transport.next() {
      for update in updates {
        if case .state(.fatal(let reason)) = update { throw reason }
        take(update)
      }
      try flush()
    }
    return EX_OK
  }

  /// What was there when it was joined, from a room that is no file.
  private mutating func printOnce() async throws -> Int32 {
    let transport = try transport(.firstAttempt)
    try await transport.join(tail: count)
    while let updates = await transport.next() {
      for update in updates {
        switch update {
        case .state(.fatal(let reason)), .state(.reconnecting(_, let reason)): throw reason
        case .live:
          try flush()
          await transport.close()
          return EX_OK
        default: take(update)
        }
      }
      try flush()
    }
    return EX_OK
  }

  private func transport(_ patience: LinkRoom.Patience) throws -> any Transport {
    switch room.place {
    case .socket, .remote: return try invocation.transport(to: room, patience: patience)
    case .named, .file:
      let path = try invocation.path(of: room)
      if access(path, F_OK) != 0 && errno == ENOENT {
        Banter.complain(
          invocation.language(
            "\(path): is not there yet; waiting for it", "\(path): 아직 없습니다. 생길 때까지 기다립니다"))
      }
      return FileRoom(path: path)
    }
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
          "\(room.text): was truncated or replaced; what is new follows",
          "\(room.text): 파일이 잘리거나 바뀌었습니다. 새로운 내용이 이어집니다"))
    case .state(.reconnecting(_, let reason)):
      if !isCutOff { Banter.complain(invocation.language(reason.text)) }
      isCutOff = true
    case .state(.online): isCutOff = false
    case .notice(let text):
      Banter.complain(invocation.language(LocalizedText(notice: text)))
    case .live, .state, .identity, .commands, .title, .newTitle, .offer: break
    }
  }

  private mutating func flush() throws(OutputFailure) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try Output.standard.write(buffer)
  }
}
