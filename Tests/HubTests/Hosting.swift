import CPosix
import ChatModel
import Glibc
@_exported import Hub
import Sockets
import Synchronization
@_exported import TestSupport
import Testing
import Transport

/// A hub that serves a folder of its own, over a Unix socket and TCP.
final class Hosting: Sendable {
  let folder = TemporaryFolder()
  let hub: Hub
  private let tcpName = Mutex("")

  /// - Parameters:
  ///   - file: the one room's file; a folder of rooms where it is nil.
  ///   - change: changes the configuration, before the hub begins.
  init(
    file: String? = nil, access: HubConfiguration.Access = .open,
    _ change: (inout HubConfiguration) -> Void = { _ in }
  ) async throws {
    signal(SIGPIPE, SIG_IGN)
    let path = folder.path
    mkdir("\(path)/rooms", 0o700)
    var configuration = HubConfiguration(
      place: file.map { .file("\(path)/\($0)") } ?? .folder("\(path)/rooms"), server: "test")
    configuration.endpoints = [
      .init(SocketAddress(.path("\(path)/socket")), access: access),
      .init(SocketAddress(.host("127.0.0.1", port: "0")), access: access),
    ]
    // Where tests run side by side, hello may take its time.
    configuration.limits.greeting = .seconds(120)
    change(&configuration)
    let entries = LogEntries()
    self.entries = entries
    hub = Hub(configuration) { entries.add($0) }
    let names = try await hub.start()
    tcpName.withLock { $0 = String(names.last?.dropFirst("tcp://".count) ?? "") }
  }

  private let entries: LogEntries

  /// What the operator was told.
  var told: [HubLogEntry] { entries.all }

  func caller() throws -> Caller { try Caller(unix: "\(folder.path)/socket") }

  func tcpCaller() throws -> Caller { try Caller(tcp: tcpName.withLock(\.self)) }

  /// One who has been welcomed, and is in a room.
  func guest(_ id: String, in room: String = "lobby") async throws -> Caller {
    let caller = try caller()
    try await caller.greet(as: id)
    try await caller.join(room)
    return caller
  }

  /// The file of a room.
  func path(of room: String = "lobby") -> String { "\(folder.path)/rooms/\(room).jsonl" }

  /// Appends to a room's file as another program does.
  func append(_ text: String, to room: String = "lobby") {
    folder.write("rooms/\(room).jsonl", text, appending: true)
  }

  /// Lets another program say something in the file.
  func say(_ content: String, by author: String = "jane", in room: String = "lobby") {
    append(fileLine(content, by: author), to: room)
  }

  /// The contents of the messages in a room's file.
  func contents(of room: String = "lobby") -> [String] {
    lines(of: room).compactMap { line in
      if case .message(let message)? = try? EventCodec.decode(line) { message.content } else { nil }
    }
  }

  func lines(of room: String = "lobby") -> [String] {
    String(decoding: folder.read("rooms/\(room).jsonl") ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }
}

private final class LogEntries: Sendable {
  private let entries = Mutex<[HubLogEntry]>([])
  var all: [HubLogEntry] { entries.withLock(\.self) }
  func add(_ entry: HubLogEntry) { entries.withLock { $0.append(entry) } }
}

/// A line of a room file.
func fileLine(_ content: String, by author: String = "jane") -> String {
  var bytes: [UInt8] = []
  EventCodec.encode(
    .message(Message(id: String(content.prefix(100)), profileID: author, content: content)),
    into: &bytes)
  return String(decoding: bytes, as: UTF8.self) + "\n"
}
