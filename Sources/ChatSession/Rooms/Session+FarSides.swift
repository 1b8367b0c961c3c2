internal import ChatModel
internal import SessionLog
internal import TerminalText
internal import Transport

/// What several rooms of one far side have in common.
extension Session {
  /// The other open rooms at the same far side.
  func siblings(of room: JoinedRoom) -> [JoinedRoom] {
    guard let side = room.address.farSide else { return [] }
    return rooms.filter { $0 !== room && $0.address.farSide == side }
  }

  /// How long the same is no news in another room of the same far side.
  private static let newsPeriod = Duration.seconds(10)

  /// Whether something was not just told in another of its rooms.
  func isNews(_ text: String, of room: JoinedRoom) -> Bool {
    guard let side = room.address.farSide else { return true }
    let now = ContinuousClock.now
    let isKnown = latestNews.contains {
      $0.text == text && $0.side == side && $0.room != room.number
        && now - $0.time < Self.newsPeriod
    }
    latestNews.append((side, room.number, text, now))
    if latestNews.count > 50 { latestNews.removeFirst(25) }
    return !isKnown
  }

  // MARK: - Rooms that others open

  /// More are for the user to open: strangers can begin as many as they like.
  private static let offerLimit = 20

  /// Opens a room beside the others, in which somebody speaks to the user.
  func open(offered name: String, by room: JoinedRoom, into batch: inout ArrivalBatch) {
    guard offerCount < Self.offerLimit, let address = room.address.sibling(named: name),
      let added = try? add(address)
    else { return }
    offerCount += 1
    added.newCount = 1
    batch.rows += noteRows(
      language(
        "\(added.name) writes to you: /join \(added.name), or Alt-a, goes there",
        "\(added.name) 님이 말을 걸었습니다. /join \(added.name) 또는 Alt-a로 갑니다"))
    if settings.bell != .off { batch.ringsBell = true }
    added.reception = Task { await stay(inOffered: added) }
  }

  private func stay(inOffered room: JoinedRoom) async {
    await closings[room.logged.address]?.value
    do throws(TransportError) {
      if let beginning = try await enter(room), isOpen(room) { take(beginning, in: room) }
    } catch {
      guard isOpen(room) else { return }
      forget(room)
      return say(language(error.text))
    }
    await receiveAll(in: room)
  }
}
