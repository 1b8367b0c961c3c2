internal import Transport

/// Channels that are entered with a key (mode k).
extension IRCSession {
  /// ERR_BADCHANNELKEY: asks for the key, again where it was wrong.
  func askForKey(of room: Room) {
    room.standing = .outside
    if room.key != nil { tellUser(wording.wrongKey(of: room.name)) }
    room.key = nil
    ask(
      .key(of: room), wording.keyOf(room.name, host: settings.address.host), of: room.target)
  }

  func enter(_ room: Room, withKey key: String) {
    guard room.isWanted, room.standing == .outside else { return }
    let isPossible = !key.isEmpty && !key.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    guard isPossible else {
      return refuseEntry(room, ProtocolError(.denied, wording.wrongKey(of: room.name)))
    }
    room.key = key
    room.keyAttempts += 1
    if case .online = stage { enter([room]) }
  }

  /// Why nobody is asked again.
  func noKey(of room: Room, _ failure: ProtocolError) -> ProtocolError {
    room.key = nil
    room.keyAttempts = 0
    var failure = failure
    failure.message = wording.wrongKey(of: room.name)
    return failure
  }
}
