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
    let limit = min(max(request.limit, 1), SubjectLog.pageCount)
    Task {
      do throws(ClusterFault) {
        let page =
          if let after = request.after.flatMap(LogCursor.init) {
            try await self.page(limit, after: after.point, in: room)
          } else {
            try await self.page(
              limit, before: request.before.flatMap(LogCursor.init)?.point, in: room)
          }
        say(.page(ref: ref, page))
      } catch {
        refuse(ref, ProtocolError(.retry, error.reason, retryAfter: .seconds(1)))
      }
    }
  }

  private func page(
    _ limit: Int, after start: LogPoint, in room: Room
  ) async throws(ClusterFault) -> Page {
    // One more, to know whether there is more.
    let lines = try await room.log.lines(from: start, atMost: limit + 1)
    let fitting = fitting(lines.prefix(limit))
    return Page(
      events: events(of: fitting, room), more: fitting.count < lines.count,
      next: fitting.last.map { room.cursor($0.end) })
  }

  private func page(
    _ limit: Int, before end: LogPoint?, in room: Room
  ) async throws(ClusterFault) -> Page {
    let last = LogPoint.behind(try await room.log.lastSequence())
    let end = min(end ?? last, last)
    let start = try await room.log.tail(limit + 1, before: end).start
    let lines = try await room.log.lines(from: start, atMost: limit + 1, before: end)
    let fitting = Array(fitting(lines.suffix(limit).reversed()).reversed())
    guard let first = fitting.first else { return Page(events: [], more: false, next: nil) }
    return Page(
      events: events(of: fitting, room), more: fitting.count < lines.count,
      next: room.cursor(first.start))
  }

  /// As many of them as one page holds, one at least.
  private func fitting(_ lines: some Sequence<LogLine>) -> [LogLine] {
    var bytes = 0
    var fitting: [LogLine] = []
    for line in lines {
      bytes += line.bytes.count
      if bytes > LineProtocol.pageBytes, !fitting.isEmpty { break }
      fitting.append(line)
    }
    return fitting
  }

  private func events(of lines: [LogLine], _ room: Room) -> [RoomEvent] {
    lines.compactMap { line in
      let event = line.bytes.withUnsafeBytes { try? EventCodec.decode($0) }
      return event.flatMap { $0 }.map { RoomEvent(event: $0, cursor: room.cursor(line.end)) }
    }
  }
}
