/// An event that one has sent and that waits until is known whether the room
/// has it already, or for such a one before it.
struct RepeatedSend {
  let room: HubRoom
  var event: HubRoom.Incoming
}
