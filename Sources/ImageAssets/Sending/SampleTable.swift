/// Where the samples of a track are (ISO/IEC 14496-12, 8.5 to 8.7).
struct SampleTable {
  private let file: [UInt8]
  private let track: Box

  /// Samples that follow each other.
  struct Chunk {
    var start: Int
    /// Nil for sound whose samples are all of a size: QuickTime's are not as large
    /// as they say (QTFF, Sound Sample Descriptions).
    var sizeInBytes: Int?
  }

  init(_ file: [UInt8], _ track: Box) {
    (self.file, self.track) = (file, track)
  }

  /// Such as `vide`, `soun`, or `meta` for what goes with them.
  func handler() throws(PlaceFailure) -> String {
    var cursor = try contents("mdia", "hdlr")
    try cursor.skip(4)
    return try cursor.name()
  }

  /// In the order of the table.
  func chunks() throws(PlaceFailure) -> [Chunk] {
    let runs = try runs()
    var sizes = try contents("mdia", "minf", "stbl", "stsz")
    let commonSize = try sizes.big(4)
    try sizes.skip(4)
    var chunks: [Chunk] = []
    var run = runs.startIndex
    for start in try starts() {
      while run + 1 < runs.endIndex, runs[run + 1].firstChunk <= chunks.count + 1 { run += 1 }
      guard run < runs.endIndex else { throw .unreadable }
      var size = 0
      if commonSize == 0 {
        for _ in 0..<runs[run].sampleCount { size += try sizes.big(4) }
        guard start <= file.count, size <= file.count - start else { throw .unreadable }
      }
      chunks.append(Chunk(start: start, sizeInBytes: commonSize == 0 ? size : nil))
    }
    return chunks
  }

  /// Chunks with as many samples each, from a number on.
  private func runs() throws(PlaceFailure) -> [(firstChunk: Int, sampleCount: Int)] {
    var cursor = try contents("mdia", "minf", "stbl", "stsc")
    var runs: [(firstChunk: Int, sampleCount: Int)] = []
    for _ in 0..<(try cursor.big(4)) {
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
    for _ in 0..<(try cursor.big(4)) { starts.append(try cursor.big(isLong ? 8 : 4)) }
    return starts
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
