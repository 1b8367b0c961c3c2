internal import ChatModel

extension Request {
  /// Reads one line.
  /// - Parameter author: who the sender is known to be; see
  ///   ``EventCodec/decode(_:by:)``.
  /// - Throws: ``RequestFault``, with the `ref` to answer to where it has one.
  package static func decode(
    _ line: UnsafeRawBufferPointer, by author: String? = nil
  ) throws(RequestFault) -> Request {
    var ref: String?
    do throws(EventCodingError) {
      let object = try JSONObject(line)
      ref = try object.id("ref")
      return try decode(object, try object.requiredString("type"), ref, by: author)
    } catch {
      throw RequestFault(ref: ref, reason: error.description)
    }
  }

  private static func decode(
    _ object: borrowing JSONObject, _ type: String, _ ref: String?, by author: String?
  ) throws(EventCodingError) -> Request {
    let needed = { () throws(EventCodingError) -> String in
      guard let ref else { throw EventCodingError(reason: "ref is missing", byteOffset: 0) }
      return ref
    }
    switch type {
    case "send": return .send(ref: try needed(), try SendRequest(object, by: author))
    case "hello": return .hello(try Hello(object))
    case "auth":
      return .auth(
        mechanism: try object.string("mechanism"), data: try object.string("data") ?? "")
    case "join": return .join(ref: try needed(), try JoinRequest(object))
    case "leave": return .leave(ref: try needed(), room: try object.requiredString("room"))
    case "history": return .history(ref: try needed(), try HistoryRequest(object))
    case "command":
      return .command(
        ref: try needed(), room: try object.string("room") ?? "",
        name: try object.requiredString("name"), arguments: try object.string("args") ?? "")
    case "rooms": return .rooms(ref: try needed(), after: try object.string("after"))
    case "members":
      return .members(
        ref: try needed(), room: try object.requiredString("room"),
        after: try object.string("after"))
    case "profile":
      return .profile(ref: try needed(), profileID: try object.requiredString("profileID"))
    case "put": return .put(ref: try needed(), try PutRequest(object))
    case "chunk":
      return .chunk(
        ref: try needed(), data: try object.requiredString("data"),
        isLast: try object.flag("last"))
    case "get":
      return .get(
        ref: try needed(), room: try object.requiredString("room"),
        path: try object.requiredString("path"), offset: try object.integer("offset") ?? 0)
    case "cancel": return .cancel(ref: try needed())
    case "ping": return .ping(ref: ref)
    case "pong": return .pong
    case "given": return .given(ref: try needed(), value: try object.requiredString("value"))
    case "bye": return .bye
    default: return .unknown(type: type, ref: ref)
    }
  }
}

/// A line that is no request.
package struct RequestFault: Error {
  package var ref: String?
  package var reason: String
}

extension Hello {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    let versions = try object.strings("versions").compactMap { Int64($0) }
    self.init(
      versions: versions, client: try object.string("client") ?? "",
      address: try object.string("address"),
      profile: try object.object("profile").map { bytes throws(EventCodingError) in
        try Profile(JSONObject(bytes))
      },
      settings: try object.object("settings").map { bytes throws(EventCodingError) in
        try JSONObject(bytes).texts()
      } ?? [:])
  }
}

extension JoinRequest {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      room: try object.string("room") ?? "", after: try object.cursor("after"),
      tail: try object.count("tail"), key: try object.string("key"))
  }
}

extension HistoryRequest {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      room: try object.string("room") ?? "", before: try object.cursor("before"),
      after: try object.cursor("after"), limit: try object.count("limit") ?? 50)
  }
}

extension SendRequest {
  fileprivate init(
    _ object: borrowing JSONObject, by author: String?
  ) throws(EventCodingError) {
    guard let bytes = try object.object("event") else {
      throw EventCodingError(reason: "event is missing", byteOffset: 0)
    }
    guard let event = try EventCodec.decode(bytes, by: author) else {
      throw EventCodingError(reason: "events of this type are not known here", byteOffset: 0)
    }
    self.init(
      room: try object.string("room") ?? "", event: event, since: try object.cursor("since"))
  }
}

extension PutRequest {
  fileprivate init(_ object: borrowing JSONObject) throws(EventCodingError) {
    self.init(
      room: try object.string("room") ?? "", name: try object.requiredString("name"),
      mediaType: try object.string("mediaType"), sizeInBytes: try object.integer("size") ?? -1,
      sha256: try object.requiredString("sha256"))
  }
}

extension JSONObject {
  func cursor(_ name: StaticString) throws(EventCodingError) -> Cursor? {
    try string(name).map(Cursor.init(value:))
  }

  /// A number of things, 0 and more.
  func count(_ name: StaticString) throws(EventCodingError) -> Int? {
    guard let number = try integer(name) else { return nil }
    guard let count = Int(exactly: number), count >= 0 else {
      throw EventCodingError(reason: "\(name) is not 0 or more", byteOffset: 0)
    }
    return count
  }
}
