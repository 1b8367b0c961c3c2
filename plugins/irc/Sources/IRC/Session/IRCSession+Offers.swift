internal import ChatModel
internal import Transport

/// Conversations that others begin.
extension IRCSession {
  /// How long the host may take to open one before its user is told.
  private static let offerPatience = Duration.seconds(3)

  /// Offers a conversation that nobody has opened, in which something was said.
  func offer(_ room: Room) {
    guard room.offerDeadline == nil, !room.hasBeenOffered else { return }
    room.offerDeadline = now.uptime + Self.offerPatience
    tellHost(.offer(room: room.name))
  }

  /// Tells the user of those that the host has not opened, once each: what was
  /// said waits there.
  func offerAgain() {
    for room in rooms.values {
      guard let deadline = room.offerDeadline, deadline <= now.uptime else { continue }
      (room.offerDeadline, room.hasBeenOffered) = (nil, true)
      if !room.isOpen { tellUser(wording.whispers(room.name)) }
    }
  }
}
