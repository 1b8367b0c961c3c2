internal import ChatModel
internal import Transport

/// The past of a room, page by page.
extension NATSSession {
  func history(_ ref: String, _ request: HistoryRequest) {
    guard let room = rooms[request.room], let stream = room.stream else {
      return refuse(ref, ProtocolError(.notFound, "\(request.room) has not been joined"))
    }
    for cursor in [request.before, request.after].compactMap(\.self) {
      guard LogCursor(cursor)?.stream == stream else {
        return refuse(
          ref, ProtocolError(.gone, "the room's stream was made anew; join it again"))
      }
    }
    let limit = min(max(request.limit, 1), Self.pageCount)
    Task {
      do throws(ClusterFault) {
        let page =
          if let after = request.after.flatMap(LogCursor.init) {
            try await self.page(limit, after: after.sequence, in: room)
          } else {
            try await self.page(
              limit, through: request.before.flatMap(LogCursor.init)?.sequence, in: room)
          }
        say(.page(ref: ref, page))
      } catch {
        refuse(ref, ProtocolError(.retry, error.reason, retryAfter: .seconds(1)))
      }
    }
  }

  private func page(
    _ limit: Int, after sequence: UInt64, in room: Room
  ) async throws(ClusterFault) -> Page {
    let reader = try await room.log.reader(from: sequence + 1)
    let count = min(limit, Int(clamping: reader.pendingCount))
    guard count > 0 else { return Page(events: [], more: false, next: nil) }
    let messages = try await room.log.read(count, by: reader)
    let fitting = fitting(messages)
    return Page(
      events: events(of: fitting, room),
      more: fitting.count < messages.count || Int(clamping: reader.pendingCount) > count,
      next: fitting.last.map { room.cursor($0.sequence) })
  }

  private func page(
    _ limit: Int, through end: UInt64?, in room: Room
  ) async throws(ClusterFault) -> Page {
    let last = try await room.log.lastSequence()
    let end = min(end ?? last, last)
    let start = try await room.log.start(ofLast: limit, before: end + 1)
    let reader = try await room.log.reader(from: start)
    var messages: [LogMessage] = []
    var left = Int(clamping: reader.pendingCount)
    while left > 0, messages.last.map({ $0.sequence < end }) ?? true {
      let part = try await room.log.read(min(left, Self.pageCount), by: reader)
      guard !part.isEmpty else { break }
      left -= part.count
      messages += part
    }
    let wanted = messages.filter { $0.sequence <= end }.suffix(limit)
    let fitting = Array(fitting(wanted.reversed()).reversed())
    guard let first = fitting.first else { return Page(events: [], more: false, next: nil) }
    let all = try await room.log.reader(from: 1).pendingCount
    let rest = try await room.log.reader(from: first.sequence).pendingCount
    return Page(
      events: events(of: fitting, room), more: all > rest, next: room.cursor(first.sequence - 1))
  }

  /// As many of them as one page holds, one at least.
  private func fitting(_ messages: some Sequence<LogMessage>) -> [LogMessage] {
    var bytes = 0
    var fitting: [LogMessage] = []
    for message in messages {
      bytes += message.bytes.count
      if bytes > LineProtocol.pageBytes, !fitting.isEmpty { break }
      fitting.append(message)
    }
    return fitting
  }

  private func events(of messages: [LogMessage], _ room: Room) -> [RoomEvent] {
    messages.compactMap { message in
      let event = message.bytes.withUnsafeBytes { try? EventCodec.decode($0) }
      return event.flatMap { $0 }.map {
        RoomEvent(event: $0, cursor: room.cursor(message.sequence))
      }
    }
  }
}
