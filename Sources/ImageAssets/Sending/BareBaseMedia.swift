/// HEIF, AVIF, MP4, M4A and QuickTime (ISO/IEC 14496-12 and 23008-12) with nothing but
/// pictures, sound, and how they are shown.
///
/// Many tables name places in such a file, so each byte stays where it is: boxes
/// that are not known become free space, and what no picture or sound is made of
/// becomes zeros.
struct BareBaseMedia {
  var file: [UInt8]
  /// Where coded pictures are.
  private var pictures: [Range<Int>] = []
  /// The samples of tracks that stay.
  private var chunks: [(range: Range<Int>, coding: CodedVideo?)] = []
  /// Boxes of which only that stays.
  private var stores: [Box] = []
  private var hasMedia = false
  /// Of the track that is being looked at: whether it is one of sound, and how its
  /// pictures are coded.
  var isSound = false
  var codings: Set<CodedVideo?> = []

  /// The same pictures and sound to the bit.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var bare = BareBaseMedia(file: file)
    try bare.clean("", 0..<file.count)
    guard bare.hasMedia else { throw .unknownKind }
    try bare.eraseBesidesMedia()
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
      case "hvcC": try CodedVideo.cleanHEVCParameters(&file, box.contents)
      // Elsewhere than in this file it would name a file.
      case "dref" where box.contents.count != 20: throw .unknownKind
      case _ where Self.parts[box.type] != nil: try clean(box.type, box.contents)
      default: break
      }
    }
  }

  private mutating func cleanTrack(_ track: Box) throws(PlaceFailure) {
    let table = SampleTable(file, track)
    let handler = try table.handler()
    guard ["vide", "soun", "pict"].contains(handler) else { return erase(track) }
    let chunks = try table.chunks()
    (isSound, codings, hasMedia) = (handler == "soun", [], true)
    try clean("trak", track.contents)
    guard codings.count <= 1, self.chunks.count + chunks.count <= SampleTable.limit else {
      throw .unknownKind
    }
    let coding = codings.first ?? nil
    self.chunks += chunks.map { ($0, coding) }
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

  // MARK: - Taking away

  /// Erases all boxes but some.
  /// - Returns: those that stay.
  mutating func keep(
    _ known: Set<String>, in range: Range<Int>
  ) throws(PlaceFailure) -> [Box] {
    let boxes = try Box.all(in: file, range)
    zero((boxes.last?.contents.upperBound ?? range.lowerBound)..<range.upperBound)
    for box in boxes where !known.contains(box.type) { erase(box) }
    return boxes.filter { known.contains($0.type) }
  }

  mutating func erase(_ box: Box) {
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

  mutating func zero(_ range: some Collection<Int>) {
    for index in range { file[index] = 0 }
  }

  /// - Throws: also where samples are where nothing stays, or overlap.
  private mutating func eraseBesidesMedia() throws(PlaceFailure) {
    let samples = chunks.lazy.map(\.range).filter { !$0.isEmpty }
    var media = (pictures.map { ($0, true) } + samples.map { ($0, false) }).sorted {
      $0.0.lowerBound < $1.0.lowerBound
    }[...]
    for store in stores.map(\.contents).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      try skip(&media, before: store.lowerBound)
      var (position, isPicture) = (store.lowerBound, true)
      while let part = media.first, part.0.lowerBound < store.upperBound {
        media.removeFirst()
        // Pictures may share what they are made of.
        let isShared = part.1 && isPicture
        guard part.0.lowerBound >= position || isShared,
          part.0.upperBound <= store.upperBound || part.1
        else { throw .unreadable }
        zero(position..<max(position, part.0.lowerBound))
        (position, isPicture) = (max(position, min(part.0.upperBound, store.upperBound)), part.1)
      }
      zero(position..<store.upperBound)
    }
    try skip(&media, before: .max)
    for chunk in chunks { try chunk.coding?.clean(&file, chunk.range) }
  }

  private func skip(
    _ media: inout ArraySlice<(Range<Int>, Bool)>, before position: Int
  ) throws(PlaceFailure) {
    while let part = media.first, part.0.lowerBound < position {
      guard part.1 else { throw .unreadable }
      media.removeFirst()
    }
  }
}
