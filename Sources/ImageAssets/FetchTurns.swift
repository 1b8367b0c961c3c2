/// Whose turn it is to fetch an image, among all rooms.
package actor FetchTurns {
  private var turns: PictureTurns<UInt64>
  private var lastTicket: UInt64 = 0

  /// - Parameter count: how many fetches may run at once, one at least.
  package init(count: Int) { turns = PictureTurns(count: count) }

  /// Something that waits for its turn, and is told apart by that.
  func ticket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Returns when it is its turn, or when the task is cancelled.
  /// - Returns: what ``end(isAsked:)`` is to be told.
  func wait(_ ticket: UInt64, isAsked: Bool) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { turns.wait(ticket, isAsked: isAsked, $0) }
    } onCancel: {
      Task { await self.letGo(ticket) }
    }
  }

  private func letGo(_ ticket: UInt64) { turns.letGo(ticket) }

  /// Somebody asks for what came by itself.
  func prefer(_ ticket: UInt64) { turns.prefer(ticket) }

  /// One has ended.
  func end(isAsked: Bool) { turns.end(isAsked: isAsked) }
}
