internal import ChatModel
internal import Transport

/// A message of the host's on its way.
final class PendingSend {
  let room: Room
  let request: SendRequest
  var id: String { request.event.id }
  /// What others will see: all of it, and a line each, in order; those behind
  /// `echoed` have not come back.
  let whole: String
  let texts: [String]
  var echoed = 0
  /// What the server has made of it, where others see something else.
  private(set) var altered: String?
  /// What the network calls it, or its parts.
  var networkIDs: [String] = []
  /// Where its last part came in the room, if the server has told.
  var place: RoomCursor?
  /// Between which times it was said, by the server's clock.
  let begunAt: Timestamp
  var endedAt: Timestamp?

  init(room: Room, request: SendRequest, whole: String, texts: [String], at time: Timestamp) {
    (self.room, self.request, self.whole, self.texts) = (room, request, whole, texts)
    begunAt = time
  }

  var isComplete: Bool { echoed >= texts.count }

  /// Whether that is what comes back next: its next line, or all of it.
  func isNext(_ text: String) -> Bool {
    guard !isComplete else { return false }
    let plain = FormattedText(text).plain
    return FormattedText(texts[echoed]).plain == plain || echoed == 0 && whole == text
  }

  /// Takes what has come back.
  func take(_ text: String) {
    if echoed == 0, whole == text {
      echoed = texts.count
    } else {
      if texts.count == 1, echoed == 0, texts[0] != text, ClientToClient(text) == nil {
        altered = FormattedText(text).plain
      }
      echoed += 1
    }
  }
}
