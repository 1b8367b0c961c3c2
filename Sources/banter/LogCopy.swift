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
    try refuseOtherAuthors(isHub: address.isHub)
    let place = try await place()
    try refuseOtherAuthors(isHub: target.capabilities.authenticatesAuthors)
    let listening = Task { [target] in while await target.next() != nil {} }
    defer { listening.cancel() }
    try await copy(from: place)
    await target.close()
    return try tell(place.count)
  }

  // MARK: - Where to go on

  /// A place in the source.
  private struct Place {
    /// How many events are before it.
    var count = 0
    /// Where its part begins, and how many events of that are before it.
    var part: Cursor?
    var countInPart = 0
  }

  /// Behind the last event of the source that the target has: at its end, where
  /// that meets the source, else anywhere in it.
  private func place() async throws -> Place {
    var known = try await lastIDs()
    guard !known.isEmpty else { return Place() }
    let place = try place(behind: known)
    guard place.count == 0 else { return place }
    var page = try await target.history(before: nil, limit: Self.windowCount)
    while page.more {
      known.formUnion(page.events.map(\.event.id))
      page = try await target.history(before: page.start, limit: Self.windowCount)
    }
    return try self.place(behind: known.union(page.events.map(\.event.id)))
  }

  private func lastIDs() async throws -> Set<String> {
    var known: Set<String> = []
    try await target.join(tail: Self.windowCount)
    while let updates = await target.next() {
      for update in updates {
        switch update {
        case .replay(let events): known.formUnion(events.map(\.event.id))
        case .state(.fatal(let reason)), .state(.reconnecting(_, let reason)): throw reason
        case .live: return known
        default: break
        }
      }
    }
    return known
  }

  private func place(behind known: Set<String>) throws -> Place {
    var (count, found, start) = (0, Place(), Cursor?.none)
    while true {
      let part = try source.part(after: start, limit: Self.partBytes)
      for (index, event) in part.events.enumerated() where known.contains(event.id) {
        found = Place(count: count + index + 1, part: start, countInPart: index + 1)
      }
      if part.isLast { return found }
      count += part.events.count
      start = part.end
    }
  }

  /// A far side that says by itself who has written something would make all of
  /// it one's own; a hub does, even one that anyone may enter.
  private func refuseOtherAuthors(isHub: Bool) throws(ExitError) {
    guard isHub else { return }
    throw ExitError(
      status: EX_UNAVAILABLE,
      text: LocalizedText(
        "\(address.text): there everything would be your own, and others' messages are not; put the file into the hub's folder instead",
        "\(address.text): 그곳에서는 모두 내가 쓴 것이 되므로 남의 메시지를 복사할 수 없습니다. 허브의 폴더에 파일을 넣으세요"))
  }

  // MARK: - Copying

  private func copy(from place: Place) async throws {
    var progress = Progress(total: source.sizeInBytes, language: invocation.language)
    defer { progress.finish() }
    var part = try source.part(after: place.part, limit: Self.partBytes)
    try await send(part.events.dropFirst(place.countInPart))
    while !part.isLast {
      progress.advance(to: part.endInBytes)
      part = try source.part(after: part.end, limit: Self.partBytes)
      try await send(part.events[...])
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

extension RoomAddress {
  /// Whether a hub is there, by its address.
  fileprivate var isHub: Bool {
    switch place {
    case .socket: true
    case .remote(let scheme, _, _): ["tcp", "tls", "ssh"].contains(scheme)
    case .named, .file: false
    }
  }
}
