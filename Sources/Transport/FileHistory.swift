internal import Glibc

/// Pages of a room file's past.
enum FileHistory {
  /// How much of the file one page spans, about: less than `limit` messages
  /// are on it when they are large.
  static let maximumBytes: Int64 = 4 * 1024 * 1024
  private static let maximumMessages = 1000

  /// See ``Transport/history(before:limit:)``.
  /// - Parameter maximumBytes: how much of the file is looked at, about.
  static func page(
    of path: String, before cursor: Cursor?, limit: Int, maximumBytes: Int64 = maximumBytes
  ) throws(TransportError) -> HistoryPage {
    guard try FileStatus(ofPath: path) != nil else {
      guard cursor == nil || cursor == FileCursor.start.cursor else { throw gone(path) }
      return HistoryPage(events: [], more: false, start: FileCursor.start.cursor)
    }
    let file = try Descriptor.openFile(path, O_RDONLY)
    let end = try end(of: file, before: cursor)
    let count = min(max(limit, 1), maximumMessages)
    let start = try BackwardScan.startOfLast(
      count, before: end, in: file,
      within: BackwardScan.Bounds(lines: count * 64, bytes: maximumBytes))
    let origin = try FileCursor(at: start, in: file) ?? .start
    var page = HistoryPage(events: [], more: start > 0, start: origin.cursor)
    try read(from: start, to: end, of: file, into: &page)
    return page
  }

  private static func end(
    of file: borrowing Descriptor, before cursor: Cursor?
  ) throws(TransportError) -> Int64 {
    guard let cursor else { return try FileStatus(of: file).sizeInBytes }
    guard let place = FileCursor(cursor), try place.matches(file) else { throw gone(file.path) }
    return place.offset
  }

  private static func read(
    from start: Int64, to end: Int64, of file: borrowing Descriptor, into page: inout HistoryPage
  ) throws(TransportError) {
    var scanner = LineScanner(at: start)
    while true {
      guard let line = scanner.next() else {
        if try scanner.fill(from: file) == 0 { return }
        continue
      }
      guard line.end <= end else { return }
      switch line.content {
      case .event(let event):
        let place = try FileCursor(at: line.end, in: file) ?? .start
        page.events.append(RoomEvent(event: event, cursor: place.cursor))
      case .nothing: break
      case .bad(let reason):
        page.problems.append(
          RoomProblem(source: file.path, byteOffset: line.offset, reason: reason))
      }
    }
  }

  private static func gone(_ path: String) -> TransportError {
    TransportError(
      .gone, path: path,
      reason: "the file was truncated or replaced since; read it again from its end")
  }
}
