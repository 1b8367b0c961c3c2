internal import ChatModel

extension Answer {
  /// Appends the answer as one line, with its newline.
  package func encode(into buffer: inout [UInt8]) {
    JSONObjectWriter.append(to: &buffer) { write(&$0) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private func write(_ object: inout JSONObjectWriter) {
    switch self {
    case .event(let room, let event):
      object.begin("event", nil, room)
      event.write(&object)
    case .ack(let ref, let acknowledgement): acknowledgement.write(&object, ref)
    case .welcome(let welcome): welcome.write(&object)
    case .joined(let ref, let joined): joined.write(&object, ref)
    case .page(let ref, let page): page.write(&object, ref)
    case .error(let ref, let error): error.write(&object, ref)
    case .auth(let mechanisms, let data):
      object.begin("auth", nil)
      if !mechanisms.isEmpty {
        object.list("mechanisms", mechanisms) { JSONText.append($0, to: &$1) }
      }
      object.string("data", data)
    case .live(let room, let cursor):
      object.begin("live", nil, room)
      object.string("cursor", cursor.value)
    case .left(let ref): object.begin("left", ref)
    case .done(let ref, let notice):
      object.begin("done", ref)
      object.string("notice", notice)
    case .rooms(let ref, let items, let next):
      object.begin("rooms", ref)
      object.list("items", items) { item, buffer in
        JSONObjectWriter.append(to: &buffer) { item.write(&$0) }
      }
      object.string("next", next)
    case .members(let ref, let profiles, let next):
      object.begin("members", ref)
      object.list("items", profiles) { profile, buffer in
        JSONObjectWriter.append(to: &buffer) { profile.write(&$0) }
      }
      object.string("next", next)
    case .profile(let ref, let profile):
      object.begin("profile", ref)
      object.object("profile") { profile.write(&$0) }
    default: writeRest(&object)
    }
  }

  private func writeRest(_ object: inout JSONObjectWriter) {
    switch self {
    case .ready(let ref, let offset):
      object.begin("ready", ref)
      object.integer("offset", offset)
    case .stored(let ref, let path):
      object.begin("stored", ref)
      object.string("path", path)
    case .chunk(let ref, let data, let isLast):
      object.begin("chunk", ref)
      object.string("data", data)
      object.bool("last", isLast)
    case .ping(let ref): object.begin("ping", ref)
    case .pong(let ref): object.begin("pong", ref)
    case .bye: object.begin("bye", nil)
    case .state(let state): state.write(&object)
    case .gap(let room, let after, let before):
      object.begin("gap", nil, room)
      object.string("after", after?.value)
      object.string("before", before?.value)
    case .reset(let room): object.begin("reset", nil, room)
    case .offer(let room): object.begin("offer", nil, room)
    case .need(let ref, let name, let isSecret, let user):
      object.begin("need", ref)
      object.string("name", name)
      object.bool("secret", isSecret)
      object.string("user", user)
    case .progress(let ref, let done, let total):
      object.begin("progress", ref)
      object.integer("done", done)
      object.integer("total", total)
    case .log(let level, let message):
      object.begin("log", nil)
      object.string("level", level)
      object.string("message", message)
    case .unknown(let type, let ref): object.begin(type, ref)
    default: preconditionFailure("written above")
    }
  }
}

extension RoomEvent {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.string("cursor", cursor.value)
    object.member("event") { EventCodec.encode(event, into: &$0) }
  }
}

extension Acknowledgement {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("ack", ref, room)
    object.string("id", id)
    if roomIDs.count > 1 {
      object.list("roomIDs", roomIDs) { JSONText.append($0, to: &$1) }
    } else {
      object.string("roomID", roomID)
    }
    object.string("cursor", cursor?.value)
    object.flag("duplicate", isDuplicate)
  }
}

extension Welcome {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.begin("welcome", nil)
    object.integer("version", version)
    object.string("server", server)
    object.object("self") { profile.write(&$0) }
    object.object("capabilities") { capabilities.write(&$0) }
    if !commands.isEmpty {
      object.list("commands", commands) { command, buffer in
        JSONObjectWriter.append(to: &buffer) { command.write(&$0) }
      }
    }
    object.list("requires", requires) { JSONText.append($0, to: &$1) }
    object.string("data", data)
    object.integer("maxLine", maximumLineBytes)
  }
}

extension RoomCommand {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.string("name", name)
    object.string("args", arguments)
    object.string("help", help)
  }
}

extension Joined {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("joined", ref, room)
    object.string("title", title)
    if let capabilities { object.object("capabilities") { capabilities.write(&$0) } }
    object.string("newest", newest?.value)
  }
}

extension Page {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("page", ref)
    object.list("events", events) { event, buffer in
      JSONObjectWriter.append(to: &buffer) { event.write(&$0) }
    }
    object.bool("more", more)
    object.string("next", next?.value)
  }
}

extension RoomItem {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.string("room", room)
    object.string("title", title)
    object.integer("members", members)
  }
}

extension ProtocolError {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String?) {
    object.begin("error", ref)
    object.string("class", errorClass.rawValue)
    object.string("code", code)
    object.string("message", message)
    object.bool("certain", isCertain)
    object.integer("retryAfter", retryAfter?.components.seconds)
  }
}

extension ConnectionState {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.begin("state", nil)
    switch self {
    case .connecting: object.string("state", "connecting")
    case .online: object.string("state", "online")
    case .reconnecting(let delay, let reason):
      object.string("state", "reconnecting")
      object.integer("in", delay.components.seconds)
      object.string("error", reason.reason)
    case .offline(let reason):
      object.string("state", "offline")
      object.string("error", reason.reason)
    case .fatal(let reason):
      object.string("state", "fatal")
      object.string("error", reason.reason)
    }
  }
}
