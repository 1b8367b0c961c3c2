internal import ChatModel
internal import ChatSession
internal import Glibc
internal import SessionLog
internal import Sockets
internal import Transport

/// Rooms: where they are, and what carries them.
extension Invocation {
  /// The file in which a room is kept.
  func path(of room: RoomAddress) throws -> String {
    if let path = filePath(of: room) { return path }
    throw ExitError(
      status: EX_UNAVAILABLE,
      text: LocalizedText(
        "\(room.text): this needs a room file on this machine; name a room or a file",
        "\(room.text): 이 기기의 방 파일이 필요합니다. 방 이름이나 파일을 쓰세요"))
  }

  private func filePath(of room: RoomAddress) -> String? {
    switch room.place {
    case .named(let name): "\(folders.rooms)/\(name).jsonl"
    case .file(let path): path
    case .socket, .remote: nil
    }
  }

  /// What carries a room. A file's folders are made where its name is Banter's
  /// own; those of a path are the user's, and a slip of the pen if they are
  /// missing.
  func transport(
    to room: RoomAddress, patience: LinkRoom.Patience
  ) throws -> any Transport {
    if let path = filePath(of: room) {
      let isTyped = if case .file = room.place { true } else { false }
      return FileRoom(path: path, isOwn: !isTyped)
    }
    let (dialer, name) = try dialer(to: room)
    let hello = Hello(
      client: "banter \(Banter.version)", address: room.text, profile: settings.profile)
    return LinkRoom(dialer, room: name, hello: hello, patience: patience)
  }

  /// Who calls the far side, and what the room is called there.
  private func dialer(to room: RoomAddress) throws -> (any Dialer, room: String) {
    switch room.place {
    case .socket(let path, let name): return (SocketDialer(SocketAddress(.path(path))), name)
    case .remote("tcp", let authority, let name):
      return (SocketDialer(try socketAddress(authority, of: room, isSecure: false)), name)
    default:
      throw ExitError(
        status: EX_UNAVAILABLE,
        text: LocalizedText(
          "\(room.text): this Banter knows no way there; it opens files, tcp:// and unix://",
          "\(room.text): 이 Banter가 모르는 주소입니다. 파일, tcp://, unix://를 엽니다"))
    }
  }

  private func socketAddress(
    _ authority: String, of room: RoomAddress, isSecure: Bool
  ) throws(UsageError) -> SocketAddress {
    guard let address = SocketAddress(authority: authority, isSecure: isSecure) else {
      throw UsageError(
        "\(room.text): \(authority) is no host with a port from 1 to 65535",
        "\(room.text): \(authority)에서 포트를 읽을 수 없습니다 (1-65535)")
    }
    return address
  }

  /// What the log calls a room: the same however it was written.
  func loggedRoom(_ room: RoomAddress) throws -> LoggedRoom {
    let address =
      if let path = filePath(of: room) {
        "file://" + Path.absolute(path)
      } else if case .remote("tcp", let authority, let name) = room.place {
        "\(try socketAddress(authority, of: room, isSecure: false))/\(name)"
      } else {
        room.text
      }
    return LoggedRoom(address: address, name: room.displayName)
  }
}
