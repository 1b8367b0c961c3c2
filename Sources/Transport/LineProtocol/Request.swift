package import ChatModel

/// What the host says to the far side.
package enum Request: Sendable {
  case hello(Hello)
  /// A step of logging in (SASL, RFC 4422); `data` is base64.
  case auth(mechanism: String?, data: String)
  case join(ref: String, JoinRequest)
  case leave(ref: String, room: String)
  case history(ref: String, HistoryRequest)
  case send(ref: String, SendRequest)
  case command(ref: String, room: String, name: String, arguments: String)
  /// A list that does not fit into one answer goes on behind what that called
  /// `next`.
  case rooms(ref: String, after: String? = nil)
  case members(ref: String, room: String, after: String? = nil)
  case profile(ref: String, profileID: String)
  case put(ref: String, PutRequest)
  /// A part of the file that `put` announced; `data` is base64.
  case chunk(ref: String, data: String, isLast: Bool)
  case get(ref: String, room: String, path: String, offset: Int64)
  case cancel(ref: String)
  case ping(ref: String?)
  case pong
  /// What ``Answer/need(name:ref:isSecret:)`` asked for.
  case given(ref: String, value: String)
  case bye
  /// A type that is not known here.
  case unknown(type: String, ref: String?)
}

/// Who the host is and what it wants to talk.
package struct Hello: Sendable {
  /// The versions that it knows.
  package var versions: [Int64]
  /// Its name and version, for people.
  package var client: String
  /// The address that the user typed, for a plugin.
  package var address: String?
  package var profile: Profile?
  /// A plugin's settings.
  package var settings: [String: String]

  package init(
    versions: [Int64] = [LineProtocol.version], client: String, address: String? = nil,
    profile: Profile?, settings: [String: String] = [:]
  ) {
    self.versions = versions
    self.client = client
    self.address = address
    self.profile = profile
    self.settings = settings
  }
}

/// Into which room, and from where on to tell what is in it.
package struct JoinRequest: Sendable {
  package var room: String
  /// How far it was read before.
  package var after: Cursor?
  /// How many messages to tell otherwise.
  package var tail: Int?
  /// What opens a room that is locked; a secret.
  package var key: String?

  package init(
    room: String, after: Cursor? = nil, tail: Int? = nil, key: String? = nil
  ) {
    self.room = room
    self.after = after
    self.tail = tail
    self.key = key
  }
}

/// Which part of a room's past: before or after a place, nil being the end.
package struct HistoryRequest: Sendable {
  package var room: String
  package var before: Cursor?
  package var after: Cursor?
  /// How many messages, at most.
  package var limit: Int

  package init(room: String, before: Cursor? = nil, after: Cursor? = nil, limit: Int) {
    self.room = room
    self.before = before
    self.after = after
    self.limit = limit
  }
}

/// An event for a room.
package struct SendRequest: Sendable {
  package var room: String
  package var event: Event
  /// The cursor at the first attempt, when this is a repeat.
  package var since: Cursor?

  package init(room: String, event: Event, since: Cursor? = nil) {
    self.room = room
    self.event = event
    self.since = since
  }
}

/// A file for a room.
package struct PutRequest: Sendable {
  package var room: String
  package var name: String
  package var mediaType: String?
  package var sizeInBytes: Int64
  /// 64 hexadecimal digits.
  package var sha256: String

  package init(
    room: String, name: String, mediaType: String?, sizeInBytes: Int64, sha256: String
  ) {
    self.room = room
    self.name = name
    self.mediaType = mediaType
    self.sizeInBytes = sizeInBytes
    self.sha256 = sha256
  }
}
