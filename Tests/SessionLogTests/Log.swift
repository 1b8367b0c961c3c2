import ChatModel
import TestSupport

@testable import SessionLog

/// A log in a folder of its own, which goes with it.
final class Log {
  private let temporary = TemporaryFolder()
  let store: LogStore

  init() {
    store = LogStore(path: "\(temporary.path)/log.db")
  }

  var folder: String { temporary.path }

  /// Another process's view of the same file.
  func another() -> LogStore { LogStore(path: store.path) }

  func begin(in room: LoggedRoom = .lobby, at time: Timestamp = .noon) async throws -> Int64 {
    try await store.beginSession(
      in: room, transport: "memory", as: Profile(id: "me", name: "Kim"), at: time
    ).session
  }

  /// The contents of the messages that a search finds, newest first.
  func find(_ text: String, limit: Int = 100) async throws -> [String] {
    let query = SearchQuery(text) { _ in .noon }
    return try await store.search(query, limit: limit).messages.map {
      $0.entry.message.content ?? ""
    }
  }
}

extension LoggedRoom {
  static let lobby = LoggedRoom(address: "file:///rooms/lobby.jsonl", name: "lobby")
}

extension Timestamp {
  static let noon = Timestamp(milliseconds: 1_796_000_000_000)
}

extension Event {
  static func said(
    _ text: String, id: String, by profileID: String = "jane", name: String = "Jane",
    at time: Int64 = 0
  ) -> Event {
    .message(
      Message(
        id: id, profileID: profileID, profileName: name, content: text,
        createdAt: Timestamp(milliseconds: 1_795_000_000_000 + time)))
  }
}
