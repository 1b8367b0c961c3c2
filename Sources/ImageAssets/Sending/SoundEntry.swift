/// How the samples of a sound track are coded (ISO/IEC 14496-12, 12.2.3; QTFF, Sound
/// Sample Descriptions).
struct SoundEntry {
  /// Where the boxes in it are.
  let parts: Range<Int>
  /// How many frames take how many bytes; nil where they are not all of a size.
  let packet: (frames: Int, bytes: Int)?

  /// - Parameter isStandard: whether it is of MP4 where the two differ, by the
  ///   version of the box that it is in.
  init(_ file: [UInt8], _ entry: Box, isStandard: Bool) throws(PlaceFailure) {
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 << 8 | Int(file[entry.contents.lowerBound + offset + $1]) }
    }
    guard entry.contents.count >= 28 else { throw .unreadable }
    let version = isStandard ? 0 : number(8, 2)
    let header = [28, 44, 64]
    guard header.indices.contains(version) else { throw .unknownKind }
    guard entry.contents.count >= header[version] else { throw .unreadable }
    parts = entry.contents.dropFirst(header[version])
    let told: (frames: Int, bytes: Int) =
      switch version {
      case 1: (number(28, 4), number(36, 4))
      case 2: (number(60, 4), number(56, 4))
      default: (1, (Self.widths[entry.type] ?? 0) * number(16, 2))
      }
    packet = told.frames > 0 && told.bytes > 0 ? told : nil
  }

  /// The bytes of a sample that is not compressed, or by itself, in older entries.
  private static let widths: [String: Int] = [
    "raw ": 1, "ulaw": 1, "alaw": 1, "twos": 2, "sowt": 2, "in24": 3, "in32": 4, "fl32": 4,
    "fl64": 8,
  ]
}
