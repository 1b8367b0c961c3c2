internal import ChatModel
internal import TerminalText
internal import Transport

/// What rooms are called, by Banter and by whoever types.
extension Session {
  /// Gives each room the name by which bubbles tell it apart, as far as the
  /// window has room for it.
  func nameRooms() {
    let columns = max(6, min(24, transcript.options.columns / 4))
    let counts = Dictionary(rooms.map { ($0.name, 1) }, uniquingKeysWith: +)
    for room in rooms {
      let name = counts[room.name] == 1 ? room.name : room.address.qualifiedName
      room.label = rooms.count > 1 ? fitted(name, columns: columns) : nil
    }
  }

  /// A room's name; of a path that is too long, its end.
  private func fitted(_ name: String, columns: Int) -> String {
    let isTooLong = transcript.options.measure.columns(neutralized(name)) > columns
    let end = name.split(separator: "/").last.map(String.init)
    return transcript.fitted(isTooLong ? end ?? name : name, columns: columns)
  }

  /// The open room that is shown under a name, or is at an address.
  func openRoom(named name: String) -> JoinedRoom? {
    let named = rooms.filter { $0.name == name }
    return rooms.first { $0.label == name || $0.address.text == name }
      ?? (named.count == 1 ? named[0] : nil)
  }

  /// `#tea sesame`: where rooms have keys, what is behind a blank opens the
  /// room; a secret.
  func roomAndKey(_ argument: String) -> (room: String, key: String?) {
    guard current.transport.capabilities.hasKeys, let blank = argument.firstIndex(of: " ") else {
      return (argument, nil)
    }
    return (String(argument[..<blank]), argument[blank...].trimmed)
  }

  /// Whether nobody has said anything in a room of this machine yet.
  func isNew(_ address: RoomAddress) -> Bool {
    guard case .named(let name) = address.place else { return false }
    return !localRooms.contains(name)
  }

  /// What `/join` means by a room: one that the far side of the current room
  /// has told of, an address or a path, one of that far side, or a bare name.
  func address(ofRoom argument: String) throws(CommandError) -> RoomAddress {
    let isTold = current.siblings.items.contains { $0.room == argument }
    do throws(RoomAddressError) {
      if isTold, let address = current.address.sibling(named: argument) { return address }
      let address = try RoomAddress(FileNames.expanded(argument))
      guard case .named(let name) = address.place else { return address }
      return current.address.sibling(named: name) ?? address
    } catch {
      throw CommandError(language("\(error)", "방 이름을 읽을 수 없습니다: \(error)"))
    }
  }
}
