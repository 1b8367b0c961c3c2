internal import ChatModel

extension Request {
  /// Appends the request as one line, with its newline.
  package func encode(into buffer: inout [UInt8]) {
    JSONObjectWriter.append(to: &buffer) { write(&$0) }
    buffer.append(UInt8(ascii: "\n"))
  }

  private func write(_ object: inout JSONObjectWriter) {
    switch self {
    case .hello(let hello): hello.write(&object)
    case .auth(let mechanism, let data):
      object.string("type", "auth")
      object.string("mechanism", mechanism)
      object.string("data", data)
    case .join(let ref, let join): join.write(&object, ref)
    case .leave(let ref, let room): object.begin("leave", ref, room)
    case .history(let ref, let history): history.write(&object, ref)
    case .send(let ref, let send): send.write(&object, ref)
    case .command(let ref, let room, let name, let arguments):
      object.begin("command", ref, room)
      object.string("name", name)
      object.string("args", arguments)
    case .rooms(let ref, let after):
      object.begin("rooms", ref)
      object.string("after", after)
    case .members(let ref, let room, let after):
      object.begin("members", ref, room)
      object.string("after", after)
    case .profile(let ref, let profileID):
      object.begin("profile", ref)
      object.string("profileID", profileID)
    case .put(let ref, let put): put.write(&object, ref)
    case .chunk(let ref, let data, let isLast):
      object.begin("chunk", ref)
      object.string("data", data)
      object.bool("last", isLast)
    case .get(let ref, let room, let path, let offset):
      object.begin("get", ref, room)
      object.string("path", path)
      object.integer("offset", offset)
    case .cancel(let ref): object.begin("cancel", ref)
    case .ping(let ref): object.begin("ping", ref)
    case .pong: object.begin("pong", nil)
    case .given(let ref, let value):
      object.begin("given", ref)
      object.string("value", value)
    case .bye: object.begin("bye", nil)
    case .unknown(let type, let ref): object.begin(type, ref)
    }
  }
}

extension Hello {
  fileprivate func write(_ object: inout JSONObjectWriter) {
    object.string("type", "hello")
    object.list("versions", versions) { $1.append(contentsOf: String($0).utf8) }
    object.string("client", client)
    object.string("address", address)
    if let profile { object.object("profile") { profile.write(&$0) } }
    guard !settings.isEmpty else { return }
    object.object("settings") { object in
      for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
        object.text(named: name, value)
      }
    }
  }
}

extension JoinRequest {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("join", ref, room)
    object.string("after", after?.value)
    object.integer("tail", tail)
    object.string("key", key)
  }
}

extension HistoryRequest {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("history", ref, room)
    object.string("before", before?.value)
    object.string("after", after?.value)
    object.integer("limit", limit)
  }
}

extension SendRequest {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("send", ref, room)
    object.string("since", since?.value)
    object.member("event") { EventCodec.encode(event, into: &$0) }
  }
}

extension PutRequest {
  fileprivate func write(_ object: inout JSONObjectWriter, _ ref: String) {
    object.begin("put", ref, room)
    object.string("name", name)
    object.string("mediaType", mediaType)
    object.integer("size", sizeInBytes)
    object.string("sha256", sha256)
  }
}

extension JSONObjectWriter {
  /// The members that most lines begin with.
  mutating func begin(_ type: String, _ ref: String?, _ room: String? = nil) {
    string("type", type)
    string("ref", ref)
    string("room", room)
  }
}

extension Profile {
  init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      id: try object.id("profileID") ?? "", name: try object.string("profileName") ?? "",
      image: try object.string("profileImage"),
      fields: object.texts(besides: ["type", "ref", "profileID", "profileName", "profileImage"]))
  }

  func write(_ object: inout JSONObjectWriter) {
    object.string("profileID", id)
    object.string("profileName", name)
    object.string("profileImage", image)
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      object.text(named: name, value)
    }
  }
}
