import ChatModel
import TerminalText
import TestSupport
import Testing
import Transport

@testable import ChatSession

/// A session in a room that is nowhere but in memory, at a prompt that
/// records; one's own profile is `me`, called Kim.
@MainActor
struct Chat {
  let room: InMemoryRoom
  /// Further rooms, by name: `/join team` leads there.
  let others: OtherRooms
  let prompt = RecordingPrompt()
  let session: Session

  /// Runs `body` in a session, and ends it.
  /// - Returns: the exit status; 0 where `body` did not end the session.
  @discardableResult
  static func run(
    in events: [Event] = [], _ configure: (inout Session.Parts) -> Void = { _ in },
    body: (Chat) async throws -> Void
  ) async throws -> Int32 {
    let chat = Chat(InMemoryRoom(events: events), configure)
    let run = Task { try await chat.session.run() }
    await chat.prompt.wait { chat.prompt.isRunning && !chat.prompt.rows.isEmpty }
    do {
      try await body(chat)
    } catch {
      chat.session.end(0)
      throw error
    }
    chat.session.end(0)
    return try await run.value
  }

  private init(_ room: InMemoryRoom, _ configure: (inout Session.Parts) -> Void) {
    self.room = room
    let others = OtherRooms()
    self.others = others
    var settings = Settings()
    settings.profile = Profile(id: "me", name: "Kim")
    settings.style = .compact
    let folders = Folders(environment: [:], home: "/dev/null")
    var parts = Session.Parts(
      room: .lobby, loggedRoom: others.logged(.lobby), transport: room.endpoint(),
      source: others.source, surface: prompt, settings: settings,
      folders: folders,
      transcript: TranscriptOptions(
        style: .compact, columns: 80, zone: .fixed(secondsFromUTC: 0), ownProfileID: "me",
        mentionNames: ["Kim"]),
      now: { Timestamp(milliseconds: 1_796_000_000_000) })
    parts.patience = .seconds(3_600)
    configure(&parts)
    session = Session(parts)
  }

  /// A message by somebody else arrives.
  func arrives(
    _ text: String, from id: String = "jane", name: String = "Jane", id messageID: String? = nil
  )
    async
  {
    await room.append(.said(text, from: id, name: name, id: messageID ?? "id of \(text)"))
  }

  /// Returns when every room has what was said; of rooms that are not current
  /// the prompt does not tell.
  func waitUntilDelivered() async {
    #expect(await eventually { session.rooms.allSatisfy(\.outbox.isEmpty) })
  }

  /// The number that the row with `text` shows for commands.
  func number(of messageID: String) -> Int { session.numbers.number(of: messageID, in: 0) }

  /// The contents of the messages in the room.
  var said: [String] {
    get async {
      await room.contents.compactMap { event in
        if case .message(let message) = event { message.content } else { nil }
      }
    }
  }
}

extension RoomAddress {
  /// A room that exists in no folder.
  static var lobby: RoomAddress {
    do { return try RoomAddress("lobby") } catch { preconditionFailure("\(error)") }
  }
}

extension Event {
  static func said(
    _ text: String, from profileID: String = "jane", name: String = "Jane", id: String? = nil,
    images: [String] = [], at seconds: Int64 = 0
  ) -> Event {
    .message(
      Message(
        id: id ?? "id of \(text)", profileID: profileID, profileName: name, content: text,
        images: images, createdAt: Timestamp(milliseconds: 1_795_999_000_000 + seconds * 1_000)))
  }
}

extension TransportError {
  static let full = TransportError(.noSpace, path: "/room", reason: "no space")
}
