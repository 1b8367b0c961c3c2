import ChatModel
import Glibc
import TestSupport

@testable import SessionLog

/// A log in a folder of its own, which goes with it.
final class Log: Sendable {
  private let temporary = TemporaryFolder()
  let store: LogStore

  init() {
    store = LogStore(path: "\(temporary.path)/log.db")
  }

  var folder: String { temporary.path }

  /// What is in the folder.
  var names: [String] { TestSupport.names(in: folder) }

  /// Another process's view of the same file.
  func another() -> LogStore { LogStore(path: store.path) }

  func begin(in room: LoggedRoom = .lobby, at time: Timestamp = .noon) async throws -> Int64 {
    try await store.begin(in: room, at: time).session
  }

  /// Takes events in, in a session of its own.
  func record(_ events: Event..., in room: LoggedRoom = .lobby) async throws {
    let session = try await begin(in: room)
    try await store.record(events, cursor: "c", in: session, at: .noon)
  }

  /// Brings the index to the newest message.
  func index() async throws {
    while try await store.advanceIndex(by: 1_000) {}
  }

  /// The contents of the messages that a search finds, newest first.
  func find(_ text: String, limit: Int = 100, recent: Int = 3) async throws -> [String] {
    let query = SearchQuery(text) { Timestamp(milliseconds: Int64($0.daysSince1970) * 86_400_000) }
    return try await store.search(query, limit: limit, recent: recent).messages.map {
      $0.entry.message.content ?? ""
    }
  }

  /// All messages, oldest first.
  func messages() async throws -> [LoggedMessage] {
    try await store.messages(in: LogRange(), limit: 1_000_000)
  }

  /// The first column of what a query gives.
  func ask(_ sql: String) throws -> [String] {
    let database = try Database(store.path, .writing)
    return try database.rows(sql) { $0.text(0) ?? "NULL" }
  }

  /// Changes the bytes of a file of the folder.
  func change(_ name: String = "log.db", _ change: (inout [UInt8]) -> Void) {
    let path = "\(folder)/\(name)"
    var bytes: [UInt8] = []
    let source = open(path, O_RDONLY)
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = read(source, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    close(source)
    change(&bytes)
    let target = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = write(target, bytes, bytes.count)
    close(target)
  }
}

extension LogStore {
  /// Keeps events that nobody has tried to send.
  func keep(_ events: [Event], in room: LoggedRoom, owner: Int64?) throws(LogError) {
    try keep(events.map { ($0, nil) }, in: room, owner: owner)
  }

  func begin(
    in room: LoggedRoom = .lobby, at time: Timestamp = .noon
  ) throws(LogError) -> SessionStart {
    try beginSession(
      in: room, transport: "memory", as: Profile(id: "me", name: "Kim"), at: time)
  }
}

extension LoggedRoom {
  static let lobby = LoggedRoom(address: "file:///rooms/lobby.jsonl", name: "lobby")
  static let team = LoggedRoom(address: "file:///rooms/team.jsonl", name: "team")
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
        createdAt: .morning(time)))
  }

  static func edit(
    _ id: String, of message: String, to text: String, by profileID: String = "jane",
    at time: Int64 = 1
  ) -> Event {
    .edit(
      Edit(
        eventID: id, messageID: message, profileID: profileID, content: text,
        createdAt: .morning(time)))
  }

  static func deletion(
    _ id: String, of message: String, by profileID: String = "jane", at time: Int64 = 2
  ) -> Event {
    .deletion(
      Deletion(
        eventID: id, messageID: message, profileID: profileID, createdAt: .morning(time)))
  }

  static func reaction(
    _ id: String, to message: String, _ reaction: String, by profileID: String,
    isRemoved: Bool = false, at time: Int64 = 1
  ) -> Event {
    .reaction(
      Reaction(
        eventID: id, messageID: message, profileID: profileID, reaction: reaction,
        isRemoved: isRemoved, createdAt: .morning(time)))
  }
}

extension Timestamp {
  /// So many milliseconds after a moment before noon.
  static func morning(_ time: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_795_000_000_000 + time)
  }
}
