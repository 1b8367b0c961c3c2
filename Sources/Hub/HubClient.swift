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
    case welcome
    /// Is not listened to any more; what he has sent is still acknowledged.
    case leaving
    /// What is left to say is being said.
    case closing
  }

  let number: Int
  let connection: LineConnection
  let access: HubConfiguration.Access
  /// Where he calls from, for the log.
  let peer: String
  var stage = Stage.greeting
  /// Who it is, from the welcome on.
  var profile: Profile?
  /// What his account allows; nil where there is none.
  var account: Account?
  var loginCount = 0
  var subscriptions: [String: Subscription] = [:]
  var transfers = ClientTransfers()
  /// On which of the hub's ticks he came, and was heard last.
  let startTick: Int
  var heardTick: Int
  /// How many events he may send before the allowance is renewed.
  var allowance: Int
  /// The bytes of the events that he has sent and that are not answered yet.
  var unansweredBytes = 0
  /// Whether there may be more to read that nobody will tell of again.
  var hasMoreToRead = false
  /// Whether he says no more; he may still listen.
  var hasHungUp = false
  /// Whether something could not be sent to him, so that he is to be dropped.
  var isBroken = false
  /// Whether he has asked for what takes long, so that others have their turn.
  var hasAskedMuch = false
  /// What he sends again and is looked for, and what he has sent since.
  var repeats: [RepeatedSend] = []

  init(
    _ number: Int, _ connection: LineConnection, access: HubConfiguration.Access, peer: String,
    tick: Int, allowance: Int
  ) {
    (self.number, self.connection, self.access, self.peer) = (number, connection, access, peer)
    startTick = tick
    heardTick = tick
    self.allowance = allowance
  }

  /// Whether he is not listened to any more.
  var isGoing: Bool {
    switch stage {
    case .greeting, .login, .welcome: false
    case .leaving, .closing: true
    }
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
