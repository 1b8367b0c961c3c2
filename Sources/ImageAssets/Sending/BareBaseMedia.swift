/// HEIF, AVIF, MP4, M4A and QuickTime (ISO/IEC 14496-12 and 23008-12) with nothing but
/// pictures, sound, and how they are shown.
///
/// Many tables name places in such a file, so each byte stays where it is: boxes
/// that are not known become free space, and what no picture or sound is made of
/// becomes zeros.
struct BareBaseMedia {
  private(set) var file: [UInt8]
  /// Where coded pictures are.
  private var pictures: [Range<Int>] = []
  /// The samples of tracks, and where those begin that do not stay.
  private var chunks: [SampleTable.Chunk] = []
  private var foreignChunks: [Int] = []
  /// Boxes of which only that stays.
  private var stores: [Box] = []
  private var hasMedia = false
  /// Whether the track that is being looked at is one of sound.
  private var isSound = false

  /// The same pictures and sound to the bit.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var bare = BareBaseMedia(file: file)
    try bare.clean("", 0..<file.count)
    guard bare.hasMedia else { throw .unknownKind }
    bare.eraseBesidesMedia()
    return bare.file
  }

  private init(file: [UInt8]) { self.file = file }

  /// Which boxes stay within which. The names are in no box twice with another
  /// sense.
  private static let parts: [String: Set<String>] = [
    "": ["ftyp", "moov", "mdat", "meta"],
    "moov": ["mvhd", "trak"],
    "trak": ["tkhd", "tapt", "edts", "mdia"],
    "tapt": ["clef", "prof", "enof"],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf"],
    "minf": ["vmhd", "smhd", "nmhd", "hdlr", "dinf", "stbl"],
    "dinf": ["dref"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stss", "stps", "sdtp", "stsc", "stsz", "stco", "co64",
    ],
    "meta": ["hdlr", "pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl", "dinf"],
    "iprp": ["ipco", "ipma"],
    "ipco": [
      "ispe", "pixi", "irot", "imir", "clap", "pasp", "colr", "auxC", "hvcC", "av1C", "avcC",
      "lhvC", "clli", "mdcv", "cclv", "amve", "a1op", "a1lx", "lsel",
    ],
  ]

  private mutating func clean(_ parent: String, _ range: Range<Int>) throws(PlaceFailure) {
    let boxes = try Box.all(in: file, range)
    if let last = boxes.last?.contents.upperBound ?? range.first { zero(last..<range.upperBound) }
    for box in boxes {
      // Where a film comes in fragments, they say where its samples are.
      guard box.type != "moof" else { throw .unknownKind }
      guard Self.parts[parent]?.contains(box.type) == true else {
        erase(box)
        continue
      }
      switch box.type {
      case "trak": try cleanTrack(box)
      case "meta": try cleanItems(box)
      case "mdat", "idat": stores.append(box)
      case "hdlr": zero(box.contents.dropFirst(24))
      case "mvhd", "tkhd", "mdhd": try zeroTimes(box)
      case "stsd": try cleanSampleEntries(box)
      // Elsewhere than in this file it would name a file.
      case "dref" where box.contents.count != 20: throw .unknownKind
      case _ where Self.parts[box.type] != nil: try clean(box.type, box.contents)
      default: break
      }
    }
  }

  private mutating func cleanTrack(_ track: Box) throws(PlaceFailure) {
    let table = SampleTable(file, track)
    let (handler, chunks) = (try table.handler(), try table.chunks())
    guard ["vide", "soun", "pict"].contains(handler) else {
      foreignChunks += chunks.map(\.start)
      return erase(track)
    }
    self.chunks += chunks
    isSound = handler == "soun"
    hasMedia = true
    try clean("trak", track.contents)
  }

  private mutating func cleanItems(_ meta: Box) throws(PlaceFailure) {
    let table = try ItemTable(file, meta)
    guard try table.handler() == "pict" else { return erase(meta) }
    let items = try table.items()
    pictures += try table.pictures(of: items)
    hasMedia = true
    for item in items {
      zero(item.description.dropFirst(4))
      guard !item.isPicture else { continue }
      file.replaceSubrange(item.description.prefix(4), with: "free".utf8)
    }
    // Behind its version and flags.
    try clean("meta", meta.contents.dropFirst(4))
  }

  // MARK: - How samples are coded

  /// Of others nobody knows what is in the samples.
  private static let codecs: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp08", "vp09", "mp4v", "ap4h", "ap4x",
    "apch", "apcn", "apcs", "apco",
  ]
  private static let codecBoxes: Set<String> = [
    "avcC", "hvcC", "av1C", "vpcC", "esds", "dvcC", "dvvC", "dvwC", "lhvC", "colr", "pasp", "clap",
    "fiel", "gama", "btrt", "clli", "mdcv", "SmDm", "CoLL", "ccst", "auxi", "amve",
  ]

  private mutating func cleanSampleEntries(_ box: Box) throws(PlaceFailure) {
    for entry in try Box.all(in: file, box.contents.dropFirst(8)) {
      if isSound { continue }
      guard Self.codecs.contains(entry.type), entry.contents.count >= 78 else { throw .unknownKind }
      // The name of a program (14496-12, 12.1.3).
      zero(entry.contents.dropFirst(42).prefix(32))
      let parts = entry.contents.dropFirst(78)
      for part in try Box.all(in: file, parts) where !Self.codecBoxes.contains(part.type) {
        erase(part)
      }
    }
  }

  // MARK: - Taking away

  private mutating func erase(_ box: Box) {
    file.replaceSubrange(box.start + 4..<box.start + 8, with: "free".utf8)
    zero(box.contents)
  }

  /// When a film was made and changed (8.2.2, 8.3.2, 8.4.2): with the time of the
  /// message it would tell a time zone.
  private mutating func zeroTimes(_ header: Box) throws(PlaceFailure) {
    guard let version = header.contents.first.map({ file[$0] }), version < 2 else {
      throw .unknownKind
    }
    zero(header.contents.dropFirst(4).prefix(version == 0 ? 8 : 16))
  }

  private mutating func zero(_ range: some Collection<Int>) {
    for index in range { file[index] = 0 }
  }

  private mutating func eraseBesidesMedia() {
    let starts = (chunks.map(\.start) + foreignChunks).sorted()
    for store in stores {
      let range = store.contents
      var media = pictures.filter { range.contains($0.lowerBound) }
      for chunk in chunks where range.contains(chunk.start) {
        media.append(chunk.start..<end(of: chunk, in: range, starts))
      }
      var position = range.lowerBound
      for part in media.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        zero(position..<max(position, part.lowerBound))
        position = max(position, min(part.upperBound, range.upperBound))
      }
      zero(position..<range.upperBound)
    }
  }

  /// Where nobody knows, a chunk ends with the next one's beginning.
  private func end(of chunk: SampleTable.Chunk, in store: Range<Int>, _ starts: [Int]) -> Int {
    if let size = chunk.sizeInBytes { return chunk.start + size }
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] > chunk.start { high = middle } else { low = middle + 1 }
    }
    return min(low < starts.count ? starts[low] : store.upperBound, store.upperBound)
  }
}
