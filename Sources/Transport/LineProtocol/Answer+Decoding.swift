internal import ChatModel

extension Answer {
  /// Reads one line.
  /// - Throws: what is wrong with it.
  package static func decode(
    _ line: UnsafeRawBufferPointer
  ) throws(ProtocolError) -> Answer {
    do throws(EventCodingError) {
      let object = try JSONObject(line)
      return try decode(object, try object.requiredString("type"))
    } catch {
      throw ProtocolError(.invalid, error.description)
    }
  }

  private static func decode(
    _ object: borrowing JSONObject, _ type: String
  ) throws(EventCodingError) -> Answer {
    let ref = try object.id("ref")
    switch type {
    case "event": return try event(object)
    case "live":
      return .live(
        room: try object.requiredString("room"),
        cursor: Cursor(value: try object.requiredString("cursor")))
    case "offer": return .offer(room: try object.requiredString("room"))
    case "reset": return .reset(room: try object.requiredString("room"))
    case "gap":
      return .gap(
        room: try object.requiredString("room"), after: try object.cursor("after"),
        before: try object.cursor("before"))
    case "welcome": return .welcome(try Welcome(object))
    case "auth":
      return .auth(
        mechanisms: try object.strings("mechanisms"), data: try object.string("data"))
    case "ping": return .ping(ref: ref)
    case "pong": return .pong(ref: ref)
    case "bye": return .bye
    case "state": return .state(try ConnectionState(object))
    case "log":
      return .log(
        level: try object.string("level") ?? "info",
        message: try object.string("message") ?? "")
    case "error": return .error(ref: ref, try ProtocolError(object))
    default:
      guard let ref else { return .unknown(type: type, ref: nil) }
      return try answer(object, type, ref)
    }
  }

  /// What answers a request, and therefore has its `ref`.
  private static func answer(
    _ object: borrowing JSONObject, _ type: String, _ ref: String
  ) throws(EventCodingError) -> Answer {
    switch type {
    case "ack": return .ack(ref: ref, try Acknowledgement(object))
    case "joined": return .joined(ref: ref, try Joined(object))
    case "left": return .left(ref: ref)
    case "page": return .page(ref: ref, try Page(object))
    case "done": return .done(ref: ref, notice: try object.string("notice"))
    case "rooms":
      let items = try object.list("items") { bytes throws(EventCodingError) in
        try RoomItem(JSONObject(bytes))
      }
      return .rooms(ref: ref, items, next: try object.string("next"))
    case "members":
      let profiles = try object.list("items") { bytes throws(EventCodingError) in
        try Profile(JSONObject(bytes))
      }
      return .members(ref: ref, profiles, next: try object.string("next"))
    case "profile":
      guard let bytes = try object.object("profile") else { return .unknown(type: type, ref: ref) }
      return .profile(ref: ref, try Profile(JSONObject(bytes)))
    case "ready": return .ready(ref: ref, offset: try object.integer("offset") ?? 0)
    case "stored": return .stored(ref: ref, path: try object.requiredString("path"))
    case "chunk":
      return .chunk(
        ref: ref, data: try object.requiredString("data"), isLast: try object.flag("last"))
    case "need":
      return .need(
        ref: ref, name: try object.string("name") ?? "", isSecret: try object.flag("secret"),
        user: try object.string("user"))
    case "progress":
      return .progress(
        ref: ref, done: max(0, try object.integer("done") ?? 0),
        total: max(0, try object.integer("total") ?? 0))
    default: return .unknown(type: type, ref: ref)
    }
  }

  private static func event(_ object: borrowing JSONObject) throws(EventCodingError) -> Answer {
    let room = try object.requiredString("room")
    guard let event = try RoomEvent(object) else { return .unknown(type: "event", ref: nil) }
    return .event(room: room, event)
  }
}

extension RoomEvent {
  /// Nil for an event of a type that is not known here.
  fileprivate init?(_ object: borrowing JSONObject) throws(EventCodingError) {
    guard let bytes = try object.object("event") else {
      throw EventCodingError(reason: "event is missing", byteOffset: 0)
    }
    guard let event = try EventCodec.decode(bytes) else { return nil }
    self.init(event: event, cursor: try object.cursor("cursor") ?? Cursor(value: ""))
  }
}

extension Acknowledgement {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let parts = try object.strings("roomIDs").prefix(Self.maximumRoomIDs).filter {
      !$0.isEmpty && $0.utf8.count <= EventCodec.maximumIDBytes
    }
    let whole = try object.id("roomID").map { [$0] } ?? []
    self.init(
      room: try object.string("room") ?? "", id: try object.id("id") ?? "",
      roomIDs: parts.isEmpty ? whole : Array(parts), cursor: try object.cursor("cursor"),
      isDuplicate: try object.flag("duplicate"))
  }
}

extension Welcome {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let profile = try object.object("self").map { bytes throws(EventCodingError) in
      try Profile(JSONObject(bytes))
    }
    let capabilities = try object.object("capabilities").map {
      bytes throws(EventCodingError) in try Capabilities(JSONObject(bytes))
    }
    let commands = try object.list("commands") { bytes throws(EventCodingError) in
      try RoomCommand(JSONObject(bytes))
    }
    self.init(
      server: try object.string("server") ?? "",
      profile: profile ?? Profile(id: "", name: ""),
      capabilities: capabilities
        ?? Capabilities(
          history: .none, order: .none, removesDuplicates: false,
          maximumEventBytes: EventCodec.maximumEventBytes),
      commands: commands, requires: try object.strings("requires"),
      data: try object.string("data"),
      maximumLineBytes: try object.count("maxLine") ?? LineProtocol.maximumLineBytes,
      version: try object.integer("version") ?? 0)
  }
}

extension RoomCommand {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      name: try object.requiredString("name"), arguments: try object.string("args") ?? "",
      help: try object.string("help") ?? "")
  }
}

extension Joined {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      room: try object.string("room") ?? "", title: try object.string("title"),
      capabilities: try object.object("capabilities").map { bytes throws(EventCodingError) in
        try Capabilities(JSONObject(bytes))
      }, newest: try object.cursor("newest"))
  }
}

extension Page {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let events = try object.list("events") { bytes throws(EventCodingError) in
      try RoomEvent(JSONObject(bytes))
    }
    self.init(
      events: events.compactMap(\.self), more: try object.flag("more"),
      next: try object.cursor("next"))
  }
}

extension RoomItem {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      room: try object.requiredString("room"), title: try object.string("title"),
      members: try object.count("members"))
  }
}

/// One who is told to come back later than in an hour looks in before.
private let maximumPauseInSeconds: Int64 = 3_600

extension ProtocolError {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      Class(rawValue: try object.string("class") ?? "") ?? .fatal,
      try object.string("message") ?? "", code: try object.string("code"),
      isCertain: try object.bool("certain") ?? true,
      retryAfter: try object.integer("retryAfter").map {
        .seconds(min(max($0, 0), maximumPauseInSeconds))
      })
  }
}

extension ConnectionState {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let reason = TransportError(
      .unreachable, reason: try object.string("error") ?? "the far side did not say why")
    switch try object.string("state") {
    case "online": self = .online
    case "reconnecting":
      self = .reconnecting(
        in: .seconds(min(max(0, try object.integer("in") ?? 0), 86_400)), reason: reason)
    case "offline": self = .offline(reason: reason)
    case "fatal": self = .fatal(reason: reason)
    default: self = .connecting
    }
  }
}
