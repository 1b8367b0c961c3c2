internal import ChatModel
internal import ChatSession
internal import Glibc
internal import Transport

/// `banter send`: one message from the command line, or each line of standard
/// input, acknowledged in groups.
@MainActor
struct Send {
  let invocation: Invocation
  let room: any Transport
  let text: String?
  /// The paths of what goes with the text.
  let paths: [String]
  private var ids = UUIDv7Generator()
  private let outbox: SendOutbox?

  /// `send ROOM [--attach PATH]... [TEXT...]`.
  init(_ invocation: Invocation) throws {
    guard let first = invocation.words.first else {
      throw UsageError("send wants a room", "보낼 방을 쓰세요")
    }
    let words = invocation.words.dropFirst()
    try self.init(
      invocation, to: try Invocation.room(first),
      text: words.isEmpty ? nil : words.joined(separator: " "))
  }

  /// - Parameter text: nil for the lines of standard input, where no files are
  ///   sent.
  init(_ invocation: Invocation, to address: RoomAddress, text: String?) throws {
    self.invocation = invocation
    self.text = text
    paths = invocation.options.attachments
    room = try invocation.transport(to: address, patience: .firstAttempt)
    outbox = try SendOutbox(invocation, address, room)
    invocation.tellSettingsProblem()
  }

  mutating func run() async throws -> Int32 {
    if text?.isEmpty == true, paths.isEmpty {
      throw UsageError("the message is empty", "메시지가 비어 있습니다")
    }
    let files = try await preparedFiles()
    let notices = tellNotices()
    defer { notices?.cancel() }
    await outbox?.begin()
    if !files.isEmpty {
      var message = makeMessage(text?.isEmpty == true ? nil : text)
      for file in try await store(files) { message.attach(file) }
      try await send(group: [message])
    } else if let text {
      try await send([text])
    } else {
      try await sendLines()
    }
    await room.close()
    return try await outbox?.end() ?? EX_OK
  }

  /// Tells what the way to a room far away has to say, such as a certificate
  /// that is new.
  private func tellNotices() -> Task<Void, Never>? {
    guard let room = room as? LinkRoom else { return nil }
    return Task {
      while let updates = await room.next() {
        for case .notice(let text) in updates { Banter.complain(text) }
      }
    }
  }

  /// Sends what is there as soon as it is there: the lines of one read(2) are
  /// one group.
  private mutating func sendLines() async throws {
    var lines = InputLines(descriptor: STDIN_FILENO)
    while let group = try lines.next() {
      try await send(group.filter { !$0.isEmpty })
    }
  }

  /// Sends in order, and nothing more after the first one that fails.
  private mutating func send(_ contents: [String]) async throws {
    var rest = contents[...]
    while let first = rest.first {
      // What a room may refuse for its size goes alone: in one group with it,
      // those behind it would be sent all the same.
      let count = Self.isLong(first) ? 1 : rest.prefix { !Self.isLong($0) }.count
      try await send(group: rest.prefix(count).map { makeMessage($0) })
      rest = rest.dropFirst(count)
    }
  }

  /// Whether a message may be too large once its characters are escaped and
  /// its sender is named.
  private static func isLong(_ content: String) -> Bool {
    content.utf8.count > EventCodec.maximumEventBytes / 8
  }

  /// A message of one's own, said now.
  private mutating func makeMessage(_ content: String?) -> Message {
    let (profile, moment) = (invocation.settings.profile, Timestamp.now)
    return Message(
      id: ids.next(at: moment), profileID: profile.id, profileName: profile.name,
      profileImage: profile.image, content: content, createdAt: moment)
  }

  private func send(group messages: [Message]) async throws {
    let events = messages.map(Event.message)
    // What is said later goes out later.
    if let reason = outbox?.reason { return try await keep(events[...], because: reason) }
    let receipts = await room.send(events.map { OutgoingEvent(event: $0) })
    // One in doubt does not keep those behind it from being sent.
    let failures = zip(events, receipts).compactMap { event, receipt in
      if case .failed(let error) = receipt { (event, error) } else { nil }
    }
    guard let (first, reason) = failures.first else { return }
    // Whether all of its end is missing, or some in the midst.
    let isEnd = events.suffix(failures.count).first?.id == first.id
    try await keep(failures.map(\.0)[...], because: reason, areAllBehind: isEnd)
  }

  /// Keeps events for later, if they may have success then.
  /// - Throws: what kept the first of them from being sent, if not.
  /// - Parameter areAllBehind: whether nothing behind the first was sent.
  private func keep(
    _ events: ArraySlice<Event>, because error: TransportError, areAllBehind: Bool = true
  ) async throws {
    var reason = error.text
    if let outbox, error.code.isTransient {
      guard let failure = await outbox.keep(Array(events), because: error) else { return }
      reason.english += "; nor kept for later: \(failure.text.english)"
      reason.korean += "; 남겨 두지도 못함: \(failure.text.korean)"
    }
    guard case .message(let message)? = events.first else { return }
    let beginning = (message.content ?? message.files.first?.name ?? "").prefix(60)
    throw ExitError(
      status: error.code.exitStatus,
      text: LocalizedText(
        "\(reason.english); not sent\(areAllBehind ? " from here on" : ""): \(beginning)",
        "\(reason.korean); \(areAllBehind ? "여기부터 " : "")보내지 못함: \(beginning)"))
  }
}
