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
    guard let first = invocation.words.first else { throw UsageError("tail wants a room") }
    guard invocation.words.count == 1 else {
      throw UsageError("one room at a time; \(invocation.words[1]) is too much")
    }
    let wanted = invocation.options.count ?? invocation.options.tail ?? "50"
    guard let count = Int(wanted), count >= 0 else {
      throw UsageError("-n wants a whole number, not \(wanted)")
    }
    self.invocation = invocation
    self.count = count
    path = try invocation.path(of: try Invocation.room(first))
    let view = TerminalView(invocation, output: .standard)
    printer = RoomPrinter(
      form: invocation.options.isJSON ? .json : .transcript(view.transcript),
      ignored: invocation.settings.ignored)
    if let problem = invocation.settingsProblem { Banter.complain("\(problem)") }
  }

  mutating func run() async throws -> Int32 {
    invocation.options.follows ? try await follow() : try printOnce()
  }

  private mutating func printOnce() throws -> Int32 {
    let file = try RoomFileReader(path: path)
    var isRead = true
    try file.forEachEvent(last: count) { item in
      guard isRead else { return }
      take(item)
      if buffer.count >= 65_536 { isRead = flush() }
    }
    return isRead && flush() ? EX_OK : try brokenOff()
  }

  private mutating func take(_ item: borrowing RoomFileItem) {
    switch item {
    case .event(let event, _):
      printer.append(event, .replay, now: .now, to: &buffer)
    case .problem(let problem):
      Banter.complain("\(problem)")
    }
  }

  private mutating func follow() async throws -> Int32 {
    endWhenNobodyReads()
    let room = FileRoom(path: path)
    try await room.join(tail: count)
    while let updates = await room.next() {
      for update in updates { take(update) }
      guard flush() else { return try brokenOff() }
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
    case .problem(let problem): Banter.complain("\(problem)")
    case .reset: Banter.complain("\(path): was truncated or replaced; what is new follows")
    case .live, .state: break
    }
  }

  /// - Returns: false when the output takes nothing any more.
  private mutating func flush() -> Bool {
    defer { buffer.removeAll(keepingCapacity: true) }
    return buffer.withUnsafeBytes { Output.standard.write($0) }
  }

  /// A reader that has had enough, such as `head`, is no failure.
  private func brokenOff() throws -> Int32 {
    guard errno != EPIPE else { return EX_OK }
    throw ExitError(
      status: EX_IOERR, description: "standard output: \(String(cString: strerror(errno)))")
  }
}
