internal import ChatModel
internal import ChatSession
internal import Glibc
internal import Transport

/// `banter log copy ROOM ADDRESS`: brings what is in a room file to another
/// room.
///
/// Nothing is kept of how far it came: the target tells. What is sent is there
/// in its order, so that everything up to the last event that both have is
/// there already.
@MainActor
final class LogCopy {
  private let invocation: Invocation
  private let source: RoomFileReader
  private let address: RoomAddress
  private let target: any Transport
  private let files: CopiedFiles
  private var copiedCount = 0
  private var refusals: [TransportError] = []

  init(_ invocation: Invocation) throws {
    guard invocation.words.count == 2 else {
      throw UsageError(
        "log copy wants a room and where to copy it to", "방과 복사할 곳을 쓰세요")
    }
    self.invocation = invocation
    let path = try invocation.path(of: try Invocation.room(invocation.words[0]))
    source = try RoomFileReader(path: path)
    address = try Invocation.room(invocation.words[1])
    target = try invocation.transport(to: address, patience: .firstAttempt)
    files = CopiedFiles(from: RoomFiles(room: path), to: target.files)
  }

  /// How much of the file is sent at once.
  private static let partBytes: Int64 = 256 << 10
  /// How many events of the target are looked at first.
  private static let windowCount = 1_000

  func run() async throws -> Int32 {
    let known = try await knownIDs()
    try refuseVouchedAuthors()
    let listening = Task { [target] in while await target.next() != nil {} }
    defer { listening.cancel() }
    let passedCount = try placeInSource(behind: known)
    try await copy(passingOver: passedCount)
    await target.close()
    return try tell(passedCount)
  }

  // MARK: - Where to go on

  /// The ids of what the target has: of the end of it, where that meets the
  /// source, else of all of it.
  private func knownIDs() async throws -> Set<String> {
    var known: Set<String> = []
    try await target.join(tail: Self.windowCount)
    joining: while let updates = await target.next() {
      for update in updates {
        switch update {
        case .replay(let events): known.formUnion(events.map(\.event.id))
        case .state(.fatal(let reason)), .state(.reconnecting(_, let reason)): throw reason
        case .live: break joining
        default: break
        }
      }
    }
    guard !known.isEmpty, try placeInSource(behind: known) == 0 else { return known }
    var page = try await target.history(before: nil, limit: Self.windowCount)
    while page.more {
      known.formUnion(page.events.map(\.event.id))
      page = try await target.history(before: page.start, limit: Self.windowCount)
    }
    return known.union(page.events.map(\.event.id))
  }

  /// How many events of the source are there, counted up to the last one.
  private func placeInSource(behind known: Set<String>) throws -> Int {
    guard !known.isEmpty else { return 0 }
    var (count, place) = (0, 0)
    try forEachPart { part in
      for event in part.events {
        count += 1
        if known.contains(event.id) { place = count }
      }
    }
    return place
  }

  private func forEachPart(_ body: (RoomFileReader.Part) throws -> Void) throws {
    var part = try source.part(after: nil, limit: Self.partBytes)
    try body(part)
    while !part.isLast {
      part = try source.part(after: part.end, limit: Self.partBytes)
      try body(part)
    }
  }

  /// Where the far side says who has written something, all would be one's own.
  private func refuseVouchedAuthors() throws(ExitError) {
    guard target.capabilities.authenticatesAuthors else { return }
    throw ExitError(
      status: EX_UNAVAILABLE,
      text: LocalizedText(
        "\(address.text): it vouches for who wrote what, so others' messages cannot be copied there; put the file into the hub's folder instead",
        "\(address.text): 글쓴이를 보증하는 곳이라 남의 메시지를 복사할 수 없습니다. 허브의 폴더에 파일을 넣으세요"))
  }

  // MARK: - Copying

  private func copy(passingOver passedCount: Int) async throws {
    var progress = Progress(total: source.sizeInBytes, language: invocation.language)
    defer { progress.finish() }
    var left = passedCount
    var part = try source.part(after: nil, limit: Self.partBytes)
    while true {
      let events = part.events.dropFirst(left)
      left = max(0, left - part.events.count)
      try await send(events)
      progress.advance(to: part.endInBytes)
      if part.isLast { return }
      part = try source.part(after: part.end, limit: Self.partBytes)
    }
  }

  private func send(_ events: ArraySlice<Event>) async throws {
    var outgoing: [OutgoingEvent] = []
    for event in events {
      outgoing.append(OutgoingEvent(event: try await files.bringing(event), isOwn: false))
    }
    guard !outgoing.isEmpty else { return }
    for receipt in await target.send(outgoing) {
      switch receipt {
      case .sent: copiedCount += 1
      case .failed(let error) where error.code == .tooLarge || error.code == .invalid:
        refusals.append(error)
      case .failed(let error): throw interrupted(by: error)
      }
    }
  }

  private func interrupted(by error: TransportError) -> ExitError {
    let text = error.text
    return ExitError(
      status: error.code.isTransient ? EX_TEMPFAIL : error.code.exitStatus,
      text: LocalizedText(
        "\(text.english); \(counted(copiedCount, "event")) copied, run it again to go on",
        "\(text.korean); \(copiedCount)개를 복사했습니다. 다시 실행하면 이어집니다"))
  }

  /// - Returns: the exit status.
  private func tell(_ passedCount: Int) throws -> Int32 {
    let text = invocation.language(
      "\(counted(copiedCount, "event")) copied to \(address.text), \(passedCount) were there already",
      "\(address.text)에 \(copiedCount)개를 복사했습니다. \(passedCount)개는 이미 있었습니다")
    try Output.standard.write(Output.standard.inert(text) + "\n")
    if let path = files.missing.first {
      Banter.complain(
        invocation.language(
          "\(counted(files.missing.count, "file")) could not be copied, such as \(path)",
          "파일 \(files.missing.count)개를 복사하지 못했습니다. 예: \(path)"))
    }
    if let refusal = refusals.first {
      Banter.complain(
        invocation.language(
          "\(counted(refusals.count, "event")) not taken: \(refusal.text.english)",
          "\(refusals.count)개는 받지 않았습니다: \(refusal.text.korean)"))
    }
    return refusals.isEmpty && files.missing.isEmpty ? EX_OK : EX_DATAERR
  }
}
