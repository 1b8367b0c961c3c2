import ChatModel
import Glibc
@_exported public import TestSupport
import Testing

@testable import Transport

extension TemporaryFolder {
  /// The path of a room in this folder.
  func room(_ name: String = "room.jsonl") -> String { "\(path)/\(name)" }
}

extension [UInt8] {
  /// What is in a file now.
  init(contentsOf path: String) throws {
    let number = open(path, O_RDONLY)
    try #require(number >= 0, "cannot open \(path)")
    defer { close(number) }
    var status = stat()
    fstat(number, &status)
    let size = Int(status.st_size)
    self = Self(unsafeUninitializedCapacity: size) { buffer, count in
      count = Swift.max(0, read(number, buffer.baseAddress, size))
    }
  }

  /// Adds this to a file as somebody would who knows nothing of locks.
  func append(to path: String) throws {
    let number = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    try #require(number >= 0, "cannot open \(path)")
    defer { close(number) }
    var rest = self[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      try #require(written > 0)
      rest = rest.dropFirst(written)
    }
  }
}

extension String {
  func append(to path: String) throws {
    try Array(utf8).append(to: path)
  }
}

/// The lines of a file, the last one only when a newline ends it.
func lines(of path: String) throws -> [String] {
  let text = String(decoding: try [UInt8](contentsOf: path), as: UTF8.self)
  return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
}

func message(_ id: String, _ content: String = "hello") -> Event {
  .message(Message(id: id, profileID: "minsu", profileName: "민수", content: content))
}

/// A message as a line of a room file, with its newline.
func line(_ id: String, _ content: String = "hello") -> String {
  EventCodec.encode(message(id, content)) + "\n"
}

func outgoing(_ id: String, _ content: String = "hello", since: Cursor? = nil) -> OutgoingEvent {
  OutgoingEvent(event: message(id, content), since: since)
}

/// Everything that a room has told, in order, in words that are easy to compare:
/// `replay a`, `live`, `event b`, `problem 12`, `reset`, `offline denied`.
struct Told {
  var words: [String] = []
  var events: [RoomEvent] = []
  var problems: [RoomProblem] = []
  var live: Cursor?

  mutating func add(_ update: RoomUpdate) {
    switch update {
    case .replay(let replay): add(replay, as: "replay")
    case .events(let arrivals): add(arrivals, as: "event")
    case .live(let cursor):
      live = cursor
      words.append("live")
    case .problem(let problem):
      problems.append(problem)
      words.append("problem \(problem.byteOffset)")
    case .reset: words.append("reset")
    case .state(.offline(let reason)): words.append("offline \(reason.code.name)")
    case .state, .identity, .notice, .commands, .title, .newTitle, .offer: break
    }
  }

  private mutating func add(_ more: [RoomEvent], as word: String) {
    events += more
    words += more.map { "\(word) \($0.event.id)" }
  }
}

extension Transport {
  /// Takes updates until the last word is told, or the room is closed.
  func told(until word: String) async -> Told {
    await told { $0.words.contains(word) }
  }

  func told(until isEnough: (Told) -> Bool) async -> Told {
    var told = Told()
    while !isEnough(told), let updates = await next() {
      for update in updates { told.add(update) }
    }
    return told
  }
}

/// Asks again and again until something is so, or the test's time is over.
func waitUntil(_ condition: () async -> Bool) async throws {
  while await !condition() {
    // Not a mere yield, which would keep a core busy that others wait for.
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Sends one message and requires that the room has it.
@discardableResult
func sendOne(
  _ event: OutgoingEvent, to room: some Transport
) async throws -> (cursor: Cursor, isDuplicate: Bool) {
  let receipts = await room.send([event])
  guard case .sent(let cursor, let isDuplicate, _) = try #require(receipts.first) else {
    throw try #require(receipts.first?.error)
  }
  return (cursor, isDuplicate)
}

extension Receipt {
  var error: TransportError? {
    if case .failed(let error) = self { error } else { nil }
  }

  var isDuplicate: Bool? {
    if case .sent(_, let isDuplicate, _) = self { isDuplicate } else { nil }
  }
}

/// Whether tests may mount file systems and change who they are.
let isRoot = geteuid() == 0
