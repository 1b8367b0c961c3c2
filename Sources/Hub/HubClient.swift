internal import ChatModel
internal import Sockets
internal import Transport
internal import TransportSecurity

/// One connection to a hub, and who is at its other end.
///
/// Not Sendable: it stays on the hub's queue.
final class HubClient {
  /// How far somebody has come.
  enum Stage {
    /// Has not said who he is.
    case greeting
    /// Has said who he is, and is to prove it.
    case login(Hello, ScramServer?)
    case welcome(Profile)
    /// What is left to say is being said.
    case closing
  }

  let number: Int
  let connection: LineConnection
  let access: HubConfiguration.Access
  /// Where he calls from, for the log.
  let peer: String
  var stage = Stage.greeting
  /// Who he is, for the log, also when he is being let go of.
  var profileID: String?
  /// What his account allows; nil where there is none.
  var account: Account?
  var loginCount = 0
  var subscriptions: [String: Subscription] = [:]
  /// On which of the hub's ticks he came, and was heard last.
  let startTick: Int
  var heardTick: Int
  /// Whether the end of a tick finds that nothing could be sent since.
  var isStuck = false
  /// How many events he may send before the next tick.
  var allowance = Int.max

  init(
    _ number: Int, _ connection: LineConnection, access: HubConfiguration.Access, peer: String,
    tick: Int
  ) {
    (self.number, self.connection, self.access, self.peer) = (number, connection, access, peer)
    startTick = tick
    heardTick = tick
  }

  var profile: Profile? {
    guard case .welcome(let profile) = stage else { return nil }
    return profile
  }

  var isClosing: Bool {
    guard case .closing = stage else { return false }
    return true
  }

  func tell(_ answer: Answer) {
    connection.append { answer.encode(into: &$0) }
  }
}

/// Somebody's presence in a room.
final class Subscription {
  unowned let client: HubClient
  let room: HubRoom
  /// Reads what is behind the others; nil for one who hears everything at once.
  var reader: RoomReader?
  /// Whether ``Answer/live(room:cursor:)`` is still to be told.
  var isReplaying = true

  init(_ client: HubClient, in room: HubRoom, from reader: RoomReader?) {
    self.client = client
    self.room = room
    self.reader = reader
  }

  var isLive: Bool { reader == nil }
}
