/// WebP (RFC 9649) with nothing but the picture, its colours and its
/// orientation; also where it moves.
enum BareWebP {
  private static let pictureChunks: Set<String> = ["ALPH", "VP8 ", "VP8L"]
  private static let chunks = pictureChunks.union(["VP8X", "ICCP", "ANIM", "ANMF"])

  /// The same picture to the bit.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var cursor = ByteCursor(file[...])
    try cursor.skip(4)
    var contents = ByteCursor(try cursor.take(cursor.little(4)))
    try contents.skip(4)
    var kept: [UInt8] = []
    kept.reserveCapacity(file.count)
    var orientation: Orientation?
    while let (name, data) = try next(&contents) {
      switch name {
      case "EXIF": orientation = orientation ?? Orientation(exif: data)
      case "ANMF": kept += chunk(name, try frame(data))
      case _ where chunks.contains(name): kept += chunk(name, Array(data))
      default: break
      }
    }
    // Which chunks there are (2.7.1): Exif and XMP are among them.
    if kept.starts(with: "VP8X".utf8), kept.count >= 18 {
      kept[8] &= ~0x0c
      if let orientation {
        kept[8] |= 0x08
        kept += chunk("EXIF", orientation.exif)
      }
    }
    return chunk("RIFF", Array("WEBP".utf8) + kept)
  }

  /// A picture of those that it moves by; what its chunk holds beside is gone.
  private static func frame(_ data: ArraySlice<UInt8>) throws(PlaceFailure) -> [UInt8] {
    var cursor = ByteCursor(data)
    var kept = Array(try cursor.take(16))
    while let (name, data) = try next(&cursor) {
      if pictureChunks.contains(name) { kept += chunk(name, Array(data)) }
    }
    return kept
  }

  /// Nil at the end.
  private static func next(
    _ cursor: inout ByteCursor
  ) throws(PlaceFailure) -> (name: String, data: ArraySlice<UInt8>)? {
    guard !cursor.isAtEnd else { return nil }
    let name = try cursor.name()
    let data = try cursor.take(cursor.little(4))
    if data.count % 2 == 1, !cursor.isAtEnd { try cursor.skip(1) }
    return (name, data)
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: data.count >> $0) }
    return Array(name.utf8) + size + data + (data.count % 2 == 1 ? [0] : [])
  }
}
