package import ChatModel
package import SessionLog
package import Transport

/// How a session comes to rooms other than its first one.
package struct RoomSource {
  /// What the log calls a room: the same however it is written.
  package var loggedRoom: @MainActor (RoomAddress) throws(CommandError) -> LoggedRoom
  /// What carries a room, in which one is called so; it is not joined yet.
  package var transport: @MainActor (RoomAddress, Profile) throws(CommandError) -> any Transport

  package init(
    loggedRoom: @escaping @MainActor (RoomAddress) throws(CommandError) -> LoggedRoom,
    transport: @escaping @MainActor (RoomAddress, Profile) throws(CommandError) -> any Transport
  ) {
    (self.loggedRoom, self.transport) = (loggedRoom, transport)
  }
}
