package import ChatModel

/// What the far side says to the host: answers, and what it tells by itself.
package enum Answer: Sendable {
  case welcome(Welcome)
  /// A step of logging in; `mechanisms` in the first one, base64 in the others.
  case auth(mechanisms: [String], data: String?)
  case joined(ref: String, Joined)
  /// The replay is over; the room had been read up to there.
  case live(room: String, cursor: Cursor)
  case event(room: String, RoomEvent)
  case left(ref: String)
  case page(ref: String, Page)
  case ack(ref: String, Acknowledgement)
  case done(ref: String, notice: String?)
  case rooms(ref: String, [RoomItem], next: String?)
  case members(ref: String, [Profile], next: String?)
  case profile(ref: String, Profile)
  /// How much of a file is there already.
  case ready(ref: String, offset: Int64)
  case stored(ref: String, path: String)
  /// A part of a file that was asked for; `data` is base64.
  case chunk(ref: String, data: String, isLast: Bool)
  case ping(ref: String?)
  case pong(ref: String?)
  case bye
  case state(ConnectionState)
  /// Something may be missing between two places.
  case gap(room: String, after: Cursor?, before: Cursor?)
  /// The room's cursors are void; what is there now follows.
  case reset(room: String)
  /// Somebody speaks to the user in a room that he has not joined.
  case offer(room: String)
  /// `user` is whose it is, or what it opens, where that is not the user's own
  /// account.
  case need(ref: String, name: String, isSecret: Bool, user: String? = nil)
  case progress(ref: String, done: Int64, total: Int64)
  case log(level: String, message: String)
  case error(ref: String?, ProtocolError)
  /// A type that is not known here.
  case unknown(type: String, ref: String?)
}

/// The far side's greeting.
package struct Welcome: Sendable {
  package var version: Int64
  /// Its name and version, for people.
  package var server: String
  /// Who the host is there.
  package var profile: Profile
  package var capabilities: Capabilities
  package var commands: [RoomCommand]
  /// Capabilities without which a host makes no sense of it.
  package var requires: [String]
  /// The last word of the log-in, base64.
  package var data: String?
  package var maximumLineBytes: Int

  package init(
    server: String, profile: Profile, capabilities: Capabilities, commands: [RoomCommand] = [],
    requires: [String] = [], data: String? = nil,
    maximumLineBytes: Int = LineProtocol.maximumLineBytes,
    version: Int64 = LineProtocol.version
  ) {
    self.version = version
    self.server = server
    self.profile = profile
    self.capabilities = capabilities
    self.commands = commands
    self.requires = requires
    self.data = data
    self.maximumLineBytes = maximumLineBytes
  }
}

/// A command that the far side understands.
package struct RoomCommand: Hashable, Sendable {
  package var name: String
  package var arguments: String
  package var help: String

  package init(name: String, arguments: String, help: String) {
    self.name = name
    self.arguments = arguments
    self.help = help
  }
}

/// The room that was entered.
package struct Joined: Sendable {
  package var room: String
  package var title: String?
  /// What can be done in this room, where that is not as in the others.
  package var capabilities: Capabilities?
  /// Where the room ends.
  package var newest: Cursor?

  package init(
    room: String, title: String? = nil, capabilities: Capabilities? = nil, newest: Cursor? = nil
  ) {
    self.room = room
    self.title = title
    self.capabilities = capabilities
    self.newest = newest
  }
}

/// A part of a room's past, oldest first.
package struct Page: Sendable {
  package var events: [RoomEvent]
  package var more: Bool
  /// Where to go on.
  package var next: Cursor?

  package init(events: [RoomEvent], more: Bool, next: Cursor?) {
    self.events = events
    self.more = more
    self.next = next
  }
}

/// The room has an event durably.
package struct Acknowledgement: Sendable {
  package var room: String
  package var id: String
  /// The ids that the far side's network gave it, several where it became
  /// several messages there, in their order.
  package var roomIDs: [String]
  package var cursor: Cursor?
  package var isDuplicate: Bool

  /// As many parts as a message can become.
  package static let maximumRoomIDs = 1_000

  package init(
    room: String, id: String, roomIDs: [String] = [], cursor: Cursor?, isDuplicate: Bool
  ) {
    self.room = room
    self.id = id
    self.roomIDs = roomIDs
    self.cursor = cursor
    self.isDuplicate = isDuplicate
  }
}

extension Acknowledgement {
  /// The same for a network that has one id for it, or none.
  package init(
    room: String, id: String, roomID: String?, cursor: Cursor?, isDuplicate: Bool
  ) {
    self.init(
      room: room, id: id, roomIDs: roomID.map { [$0] } ?? [], cursor: cursor,
      isDuplicate: isDuplicate)
  }

  /// The id that the far side's network gave it, or its first part.
  package var roomID: String? { roomIDs.first }
}

/// A room that can be joined.
package struct RoomItem: Hashable, Sendable {
  package var room: String
  package var title: String?
  /// How many are there now, where that is known.
  package var members: Int?

  package init(room: String, title: String? = nil, members: Int? = nil) {
    self.room = room
    self.title = title
    self.members = members
  }
}
