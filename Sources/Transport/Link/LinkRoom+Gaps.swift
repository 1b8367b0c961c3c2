internal import ChatModel

/// What may be missing between two places, which is fetched and told.
///
/// It comes after what is newer. Readers put it in its place by its time, and
/// know by its id what they have already.
extension LinkRoom {
  /// Two places between which something may be missing.
  struct Gap {
    /// Nil for the beginning, or where nobody knows.
    var after: Cursor?
    /// Nil for the end.
    var before: Cursor?
  }

  /// How many gaps wait to be filled, how many messages are asked for at once,
  /// and how often for one gap.
  private static let gapLimit = 16
  private static let pageMessages = 200
  private static let pageLimit = 50

  func take(_ gap: Gap) {
    guard capabilities.history == .full, gaps.count < Self.gapLimit else {
      return tell(.notice("\(dialer.name): some messages may be missing here"))
    }
    gaps.append(gap)
    guard gaps.count == 1 else { return }
    Task { await fillGaps() }
  }

  private func fillGaps() async {
    while let gap = gaps.first {
      do throws(TransportError) {
        try await fill(gap)
      } catch {
        tell(
          .notice(
            "\(dialer.name): some messages may be missing, and could not be fetched: "
              + error.reason))
      }
      gaps.removeFirst()
    }
    toldMeanwhile = []
  }

  private func fill(_ gap: Gap) async throws(TransportError) {
    // Where nobody knows where it begins, it is no later than what was read.
    guard var place = gap.after ?? (gap.before == nil ? cursor : nil) else {
      return tellMissing(try await page(before: gap.before).events)
    }
    for _ in 0..<Self.pageLimit {
      let page = try await page(after: place)
      let end = page.events.firstIndex { $0.cursor == gap.before }
      tellMissing(page.events.prefix(end.map { $0 + 1 } ?? page.events.count))
      guard end == nil, page.more, let next = page.next ?? page.events.last?.cursor,
        next != place, next != gap.before
      else { return }
      place = next
    }
    tell(.notice("\(dialer.name): more is missing than is fetched; /history reads back"))
  }

  private func tellMissing(_ events: some Sequence<RoomEvent>) {
    // How far the room has been read is no earlier for it.
    let missing = events.filter { !toldMeanwhile.contains($0.event.id) }.map { event in
      RoomEvent(event: event.event, cursor: cursor ?? event.cursor)
    }
    if !missing.isEmpty { tell(missing) }
  }

  /// Remembers what is told while a gap is being filled, which may be in a page
  /// as well.
  func noteTold(_ event: Event) {
    guard !gaps.isEmpty, toldMeanwhile.count < Self.pageMessages * Self.pageLimit else { return }
    toldMeanwhile.insert(event.id)
  }

  private func page(
    before: Cursor? = nil, after: Cursor? = nil
  ) async throws(TransportError) -> Page {
    let answer = try await question { ref, room in
      .history(
        ref: ref,
        HistoryRequest(room: room, before: before, after: after, limit: Self.pageMessages))
    }
    guard case .page(_, let page) = answer else { throw unexpected }
    return page
  }
}
