/// How samples are coded.
extension BareBaseMedia {
  /// Of others nobody knows what is in the samples.
  private static let codecs: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp08", "vp09", "mp4v", "ap4h", "ap4x",
    "apch", "apcn", "apcs", "apco",
  ]
  private static let codecBoxes: Set<String> = [
    "avcC", "hvcC", "av1C", "vpcC", "esds", "dvcC", "dvvC", "dvwC", "lhvC", "colr", "pasp", "clap",
    "fiel", "gama", "btrt", "clli", "mdcv", "SmDm", "CoLL", "ccst", "auxi", "amve",
  ]

  private static let soundBoxes: Set<String> = [
    "esds", "wave", "chan", "chnl", "btrt", "alac", "dac3", "dec3", "dac4", "dOps", "dfLa", "dmlp",
    "damr", "ddts", "srat", "pcmC",
  ]
  /// QuickTime's (QTFF, siDecompressionParam), with its end.
  private static let waveBoxes: Set<String> = [
    "frma", "esds", "chan", "alac", "enda", "mp4a", "\0\0\0\0",
  ]

  mutating func cleanSampleEntries(_ box: Box) throws(PlaceFailure) {
    // MP4's own has a version where the two differ.
    let isStandard = box.contents.first.map { file[$0] == 1 } ?? false
    for entry in try Box.all(in: file, box.contents.dropFirst(8)) {
      if isSound {
        try cleanSoundEntry(try SoundEntry(file, entry, isStandard: isStandard))
        continue
      }
      guard Self.codecs.contains(entry.type), entry.contents.count >= 78 else { throw .unknownKind }
      // The name of a program (14496-12, 12.1.3).
      zero(entry.contents.dropFirst(42).prefix(32))
      let parts = try keep(Self.codecBoxes, in: entry.contents.dropFirst(78))
      codings.insert(try CodedVideo(entry.type, parts, in: file))
      for part in parts {
        switch part.type {
        case "hvcC": try CodedVideo.cleanHEVCParameters(&file, part.contents)
        case "av1C": try AV1Units.clean(&file, part.contents.dropFirst(4))
        default: break
        }
      }
    }
  }

  private mutating func cleanSoundEntry(_ entry: SoundEntry) throws(PlaceFailure) {
    for part in try keep(Self.soundBoxes, in: entry.parts) {
      switch part.type {
      case "wave": _ = try keep(Self.waveBoxes, in: part.contents)
      case "dfLa": try cleanFLAC(part.contents.dropFirst(4))
      default: break
      }
    }
  }

  /// The numbers of a FLAC stream, without titles and pictures (RFC 9639, 8).
  private mutating func cleanFLAC(_ blocks: Range<Int>) throws(PlaceFailure) {
    var cursor = RangeCursor(blocks)
    while !cursor.isAtEnd {
      let type = try cursor.take(1).lowerBound
      let contents = try cursor.take(try cursor.big(3, of: file))
      guard file[type] & 0x7f != 0 else { continue }
      // Padding.
      file[type] = file[type] & 0x80 | 1
      zero(contents)
    }
  }
}
