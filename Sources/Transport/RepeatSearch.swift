internal import ChatModel
internal import CPosix
internal import Glibc

/// Finds events in a room file that somebody is about to append once more.
struct RepeatSearch {
  /// Above this number every line is decoded, rather than searched for each.
  private static let fewIDs = 8

  private var wanted: Set<String>
  /// The ids as they stand in a line; empty when lines have to be decoded in
  /// order to know.
  private let needles: [[UInt8]]

  /// The places just after the events of those lines that carry a `since` and
  /// are in the file from there on. Call it with the file locked.
  ///
  /// Where a cursor is not of this file, the last ``voidBytes`` are searched:
  /// what was sent before the file was replaced is hardly further back, and
  /// everybody waits meanwhile.
  static func places(
    of lines: [OutgoingLine], in file: borrowing Descriptor
  ) throws(TransportError) -> [String: FileCursor] {
    var start: Int64?
    var ids: Set<String> = []
    for line in lines {
      guard let since = line.since else { continue }
      ids.insert(line.id)
      let offset = try offset(of: since, in: file)
      start = min(start ?? offset, offset)
    }
    guard let start else { return [:] }
    var search = RepeatSearch(for: ids)
    return try search.run(from: start, in: file).places
  }

  /// Where an event is that was first sent at `since`, and the place up to which
  /// it was looked for. Needs no lock.
  static func place(
    of id: String, since: Cursor, in file: borrowing Descriptor
  ) throws(TransportError) -> (place: FileCursor?, end: FileCursor) {
    var search = RepeatSearch(for: [id])
    let (places, end) = try search.run(from: offset(of: since, in: file), in: file)
    guard let end = try FileCursor(at: end, in: file) else {
      // It was cut off meanwhile.
      throw .busy(file.path)
    }
    return (places[id], end)
  }

  private static let voidBytes: Int64 = 64 << 20

  /// Where to search from: the beginning of a line, or the middle of one that
  /// is not read then.
  private static func offset(
    of since: Cursor, in file: borrowing Descriptor
  ) throws(TransportError) -> Int64 {
    if let place = FileCursor(since), try place.matches(file) { return place.offset }
    return max(0, try FileStatus(of: file).sizeInBytes - voidBytes)
  }

  private init(for ids: Set<String>) {
    wanted = ids
    // Any other character may be written in more than one way.
    let isPlain = ids.allSatisfy { id in
      id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""\/<>&'"#.utf8.contains($0) }
    }
    needles = isPlain && ids.count <= Self.fewIDs ? ids.map { Array($0.utf8) } : []
  }

  private mutating func run(
    from start: Int64, in file: borrowing Descriptor
  ) throws(TransportError) -> (places: [String: FileCursor], end: Int64) {
    var found: [String: FileCursor] = [:]
    var scanner = LineScanner(at: start)
    while !wanted.isEmpty {
      guard let line = scanner.next() else {
        if try scanner.fill(from: file) == 0 { break }
        continue
      }
      guard mayHoldWanted(line), case .event(let event) = line.content,
        wanted.remove(event.id) != nil
      else { continue }
      found[event.id] = try FileCursor(at: line.end, in: file)
    }
    return (found, scanner.lineOffset)
  }

  private func mayHoldWanted(_ line: FileLine) -> Bool {
    guard !needles.isEmpty else { return true }
    return needles.contains { needle in
      posix_contains(line.raw.baseAddress, line.raw.count, needle, needle.count)
    }
  }
}
