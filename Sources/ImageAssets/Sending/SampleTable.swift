/// Where the samples of a track are (ISO/IEC 14496-12, 8.5 to 8.7).
struct SampleTable {
  private let file: [UInt8]
  private let track: Box

  /// More of them, or more runs of them, no film has that is small enough to be
  /// looked at.
  static let limit = 1 << 20

  init(_ file: [UInt8], _ track: Box) {
    (self.file, self.track) = (file, track)
  }

  /// Such as `vide`, `soun`, or `meta` for what goes with them.
  func handler() throws(PlaceFailure) -> String {
    var cursor = try contents("mdia", "hdlr")
    try cursor.skip(4)
    return try cursor.name()
  }

  /// Where samples follow each other, in the order of the table.
  func chunks() throws(PlaceFailure) -> [Range<Int>] {
    let runs = try runs()
    var sizes = try contents("mdia", "minf", "stbl", "stsz")
    let commonSize = try sizes.big(4)
    try sizes.skip(4)
    let packet = commonSize == 0 ? nil : try packet(commonSize)
    var chunks: [Range<Int>] = []
    var run = runs.startIndex
    for start in try starts() {
      while run + 1 < runs.endIndex, runs[run + 1].firstChunk <= chunks.count + 1 { run += 1 }
      guard run < runs.endIndex, start <= file.count else { throw .unreadable }
      let count = runs[run].sampleCount
      var size = 0
      if let packet {
        guard count / packet.frames <= file.count else { throw .unreadable }
        size = (count + packet.frames - 1) / packet.frames * packet.bytes
      } else {
        for _ in 0..<count { size += try sizes.big(4) }
      }
      guard size <= file.count - start else { throw .unreadable }
      chunks.append(start..<start + size)
    }
    return chunks
  }

  /// How many samples that are all of a size take how many bytes: QuickTime's sound
  /// is not as large as its table says.
  private func packet(_ size: Int) throws(PlaceFailure) -> (frames: Int, bytes: Int) {
    guard try handler() == "soun" else { return (1, size) }
    let box = try find(["mdia", "minf", "stbl", "stsd"])
    let entries = try Box.all(in: file, box.contents.dropFirst(8))
    guard entries.count == 1 else { throw .unknownKind }
    let entry = try SoundEntry(file, entries[0], isStandard: file[box.contents.lowerBound] == 1)
    if let packet = entry.packet { return packet }
    guard size > 1 else { throw .unknownKind }
    return (1, size)
  }

  /// Chunks with as many samples each, from a number on.
  private func runs() throws(PlaceFailure) -> [(firstChunk: Int, sampleCount: Int)] {
    var cursor = try contents("mdia", "minf", "stbl", "stsc")
    var runs: [(firstChunk: Int, sampleCount: Int)] = []
    for _ in 0..<(try count(&cursor)) {
      runs.append((try cursor.big(4), try cursor.big(4)))
      try cursor.skip(4)
    }
    return runs
  }

  private func starts() throws(PlaceFailure) -> [Int] {
    let table = try find(["mdia", "minf", "stbl"])
    let isLong = try Box.all(in: file, table.contents).contains { $0.type == "co64" }
    var cursor = try contents("mdia", "minf", "stbl", isLong ? "co64" : "stco")
    var starts: [Int] = []
    for _ in 0..<(try count(&cursor)) { starts.append(try cursor.big(isLong ? 8 : 4)) }
    return starts
  }

  private func count(_ cursor: inout ByteCursor) throws(PlaceFailure) -> Int {
    let count = try cursor.big(4)
    guard count <= Self.limit else { throw .unreadable }
    return count
  }

  /// What stands in a box behind its version and flags.
  private func contents(_ path: String...) throws(PlaceFailure) -> ByteCursor {
    ByteCursor(file[try find(path).contents.dropFirst(4)])
  }

  private func find(_ path: [String]) throws(PlaceFailure) -> Box {
    var box = track
    for type in path {
      let next = try Box.all(in: file, box.contents).first { $0.type == type }
      guard let next else { throw .unreadable }
      box = next
    }
    return box
  }
}
