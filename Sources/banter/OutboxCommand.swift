internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import TerminalText
internal import Transport

/// `banter outbox`: messages that wait to be sent.
@MainActor
struct OutboxCommand {
  private let invocation: Invocation
  private let log: LogStore

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    log = invocation.log
  }

  func list() async throws -> Int32 {
    try refuseWords()
    let transcript = Transcript(options: TerminalView(invocation, output: .standard).transcript)
    for item in try await waiting() {
      let line =
        invocation.options.isJSON
        ? EventCodec.encode(item.event, inRoom: item.room.name, at: item.room.address)
        : row(item, transcript)
      try Output.standard.write(line + "\n")
    }
    return EX_OK
  }

  /// All that waits; nothing where nothing was ever kept.
  private func waiting() async throws(LogError) -> [WaitingEvent] {
    guard access(log.path, F_OK) == 0 || errno != ENOENT else { return [] }
    return try await log.waitingEvents()
  }

  private func row(_ item: WaitingEvent, _ transcript: Transcript) -> String {
    let time = item.event.createdAt.map { transcript.dateAndTime(of: $0) } ?? ""
    var what = EventCodec.encode(item.event)
    if case .message(let message) = item.event, let content = message.content { what = content }
    let failure = item.failure.map { " (\($0))" } ?? ""
    return Output.standard.inert(
      "\(item.id)  \(item.room.address)  \(time)  \(what.prefix(200))\(failure)")
  }

  func flush() async throws -> Int32 {
    try refuseWords()
    var flushed: Set<LoggedRoom> = []
    for room in try await waiting().map(\.room) where flushed.insert(room).inserted {
      guard let address = try? RoomAddress(room.address) else { continue }
      let transport = try transport(to: address)
      let failure = try await OutboxFlush(log, room, transport).run()
      await transport.close()
      if let failure { Banter.complain(invocation.language(failure.text)) }
    }
    let count = try await waiting().count
    guard count > 0 else { return EX_OK }
    Banter.complain(
      invocation.language(
        "\(counted(count, "message")) not sent yet; banter outbox list shows what waits",
        "아직 \(count)개를 보내지 못했습니다. banter outbox list로 볼 수 있습니다"))
    return EX_TEMPFAIL
  }

  /// What carries a room that the log names.
  private func transport(to address: RoomAddress) throws -> any Transport {
    if case .file(let path) = address.place {
      return FileRoom(path: path, isOwn: path.hasPrefix(invocation.folders.rooms + "/"))
    }
    return try invocation.transport(to: address, patience: .firstAttempt)
  }

  func discard() async throws -> Int32 {
    let waiting = try await waiting().map(\.id)
    let numbers = try invocation.words.map { word throws(UsageError) in
      guard let number = Int64(word), waiting.contains(number) else {
        throw UsageError(
          "there is no \(word) in the outbox; banter outbox list shows the numbers",
          "\(word)번은 없습니다. banter outbox list로 번호를 볼 수 있습니다")
      }
      return number
    }
    let count = waiting.isEmpty ? 0 : try await log.discard(numbers.isEmpty ? waiting : numbers)
    let text = invocation.language("\(count) given up", "\(count)개를 버렸습니다")
    try Output.standard.write(text + "\n")
    return EX_OK
  }

  private func refuseWords() throws(UsageError) {
    guard invocation.words.isEmpty else {
      throw UsageError("outbox takes no more words", "뒤에 더 쓸 말이 없습니다")
    }
  }
}
