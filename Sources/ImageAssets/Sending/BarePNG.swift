/// PNG (Third Edition) with nothing but the picture, its colours and its
/// orientation; also where it moves.
enum BarePNG {
  private static let chunks: Set<String> = [
    "IHDR", "PLTE", "IDAT", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI",
    "bKGD", "hIST", "pHYs", "acTL", "fcTL", "fdAT",
  ]

  /// The same picture to the bit.
  static func bytes(of file: [UInt8]) throws(PlaceFailure) -> [UInt8] {
    var cursor = ByteCursor(file[...])
    var start = Array(try cursor.take(8))
    var picture: [UInt8] = []
    picture.reserveCapacity(file.count)
    var orientation: Orientation?
    while true {
      let chunk = cursor.offset
      let length = try cursor.big(4)
      let name = try cursor.name()
      let contents = try cursor.take(length)
      try cursor.skip(4)
      let whole = file[chunk..<cursor.offset]
      switch name {
      case "IEND":
        guard length == 0 else { throw .unreadable }
        let held = orientation.map { Self.chunk("eXIf", $0.exif) } ?? []
        return start + held + picture + whole
      case "IHDR": start += whole
      case "eXIf": orientation = orientation ?? Orientation(exif: contents)
      case _ where chunks.contains(name): picture += whole
      // Without it there is no picture (5.4).
      case _ where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(name.utf8.first ?? 0):
        throw .unknownKind
      default: break
      }
    }
  }

  private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + contents
    return number(UInt32(contents.count)) + checked + number(checksum(checked))
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// CRC-32, of a few bytes (Annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
  }
}
