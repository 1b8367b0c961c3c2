import ChatModel
import SessionLog
import Transport

@testable import ChatSession

/// The rooms to which a session can be led: each is in memory, and is there
/// when it is asked for. Those with a scheme have a far side.
@MainActor
final class OtherRooms {
  private var rooms: [String: InMemoryRoom] = [:]
  private(set) var farSide = FarSide()
  /// What rooms with a far side can do; nil for what those in memory can.
  var farCapabilities: Capabilities?
  /// How often a room was opened, by its address.
  private(set) var openings: [String: Int] = [:]

  /// The room at an address.
  subscript(address: String) -> InMemoryRoom {
    let room = rooms[address] ?? InMemoryRoom()
    rooms[address] = room
    return room
  }

  func logged(_ room: RoomAddress) -> LoggedRoom {
    switch room.place {
    case .named(let name): LoggedRoom(address: "file:///rooms/\(name).jsonl", name: name)
    default: LoggedRoom(address: room.text, name: room.displayName)
    }
  }

  var source: RoomSource {
    RoomSource { [weak self] room throws(CommandError) in
      guard let self else { throw CommandError("the test is over") }
      return logged(room)
    } transport: { [weak self] room, _ throws(CommandError) in
      guard let self, room.text != "forbidden" else { throw CommandError("not for you") }
      openings[room.text, default: 0] += 1
      let endpoint = self[room.text].endpoint()
      if case .remote(_, _, let name) = room.place {
        return FarRoom(endpoint, name, farSide, farCapabilities)
      }
      return endpoint
    }
  }
}

/// What the far side of several rooms has to say.
actor FarSide {
  var commands: [RoomCommand] = [
    RoomCommand(name: "topic", arguments: "[text]", help: "set the topic"),
    RoomCommand(name: "quit", arguments: "", help: "not ours"),
    RoomCommand(name: "bad name", arguments: "", help: "cannot be typed"),
  ]
  var items: [RoomItem] = []
  var profiles: [String: Profile] = [:]
  var facts: ConnectionFacts?
  var identity: Profile?
  /// What rooms tell on being entered, by name, and what they were unlocked with.
  private(set) var openings: [String: [RoomUpdate]] = [:]
  private(set) var keys: [String: String] = [:]
  /// What was to be carried out: room, command, arguments.
  private(set) var performed: [[String]] = []
  private var answers: [String: Result<String?, TransportError>] = [:]

  func tell(_ updates: [RoomUpdate], in room: String) { openings[room] = updates }
  func unlock(_ room: String, with key: String) { keys[room] = key }
  func set(items: [RoomItem]) { self.items = items }
  func set(profile: Profile) { profiles[profile.id] = profile }
  func set(facts: ConnectionFacts) { self.facts = facts }
  func set(identity: Profile) { self.identity = identity }
  /// What becomes of commands with those arguments.
  func answer(_ arguments: String, _ answer: Result<String?, TransportError>) {
    answers[arguments] = answer
  }

  func perform(
    _ room: String, _ command: String, _ arguments: String
  ) throws(TransportError) -> String? {
    performed.append([room, command, arguments])
    return try answers[arguments]?.get() ?? nil
  }
}

/// A room in memory that has a far side.
actor FarRoom: Transport {
  nonisolated let capabilities: Capabilities
  private let room: any Transport
  private let name: String
  private let far: FarSide
  private var hasBegun = false

  init(
    _ room: any Transport, _ name: String, _ far: FarSide, _ capabilities: Capabilities? = nil
  ) {
    (self.room, self.name, self.far) = (room, name, far)
    self.capabilities = capabilities ?? room.capabilities
  }

  func next() async -> [RoomUpdate]? {
    guard !hasBegun else { return await room.next() }
    hasBegun = true
    var updates = [RoomUpdate.commands(await far.commands)]
    if let identity = await far.identity { updates.append(.identity(identity)) }
    updates.append(.notice("welcome to \(name)"))
    return updates + (await far.openings[name] ?? [])
  }

  func join(tail: Int) async throws(TransportError) { try await room.join(tail: tail) }
  func send(_ events: [OutgoingEvent]) async -> [Receipt] { await room.send(events) }
  func history(before: Cursor?, limit: Int) async throws(TransportError) -> HistoryPage {
    try await room.history(before: before, limit: limit)
  }
  func unlock(with key: String) async { await far.unlock(name, with: key) }
  func rooms() async throws(TransportError) -> [RoomItem]? { await far.items }
  func profile(_ id: String) async throws(TransportError) -> Profile? { await far.profiles[id] }
  func connectionFacts() async -> ConnectionFacts? { await far.facts }
  func perform(
    _ command: String, _ arguments: String
  ) async throws(TransportError) -> String? {
    try await far.perform(name, command, arguments)
  }
  func close() async { await room.close() }
}
