/// How the samples of a video track are coded, as far as they hold more than
/// pictures: cameras write places and times between them.
///
/// Nothing moves: what no picture is made of becomes filler of the same length.
enum CodedVideo: Hashable {
  /// Units behind their lengths, of so many bytes each (ISO/IEC 14496-15).
  case h264(lengthBytes: Int)
  case hevc(lengthBytes: Int)
  /// Units that tell their own length (AV1, 5.3.1).
  case av1

  /// - Parameters:
  ///   - entry: such as `avc1`.
  ///   - boxes: what is in it; what tells how it is coded among them.
  /// - Returns: nil where samples are pictures and nothing else.
  init?(_ entry: String, _ boxes: [Box], in file: [UInt8]) throws(PlaceFailure) {
    func lengthBytes(_ type: String, at offset: Int) throws(PlaceFailure) -> Int {
      let box = boxes.first { $0.type == type }
      guard let box, box.contents.count > offset else { throw .unknownKind }
      return Int(file[box.contents.lowerBound + offset] & 3) + 1
    }
    switch entry {
    case "avc1", "avc3": self = .h264(lengthBytes: try lengthBytes("avcC", at: 4))
    case "hvc1", "hev1", "dvh1", "dvhe": self = .hevc(lengthBytes: try lengthBytes("hvcC", at: 21))
    case "av01": self = .av1
    default: return nil
    }
  }

  /// Leaves what pictures are made of in samples that follow each other.
  func clean(_ file: inout [UInt8], _ range: Range<Int>) throws(PlaceFailure) {
    switch self {
    case .h264(let count), .hevc(let count):
      var cursor = RangeCursor(range)
      while !cursor.isAtEnd {
        let unit = try cursor.take(try cursor.big(count, of: file))
        cleanUnit(&file, unit)
      }
    case .av1: try AV1Units.clean(&file, range)
    }
  }

  /// The parameters that are kept beside the samples (14496-15, 8.3.3.1).
  static func cleanHEVCParameters(_ file: inout [UInt8], _ box: Range<Int>) throws(PlaceFailure) {
    var cursor = RangeCursor(box)
    _ = try cursor.take(22)
    for _ in 0..<(try cursor.big(1, of: file)) {
      let kind = try cursor.take(1).lowerBound
      for _ in 0..<(try cursor.big(2, of: file)) {
        let unit = try cursor.take(try cursor.big(2, of: file))
        CodedVideo.hevc(lengthBytes: 4).cleanUnit(&file, unit)
        if let first = unit.first { file[kind] = file[kind] & 0xc0 | file[first] >> 1 & 0x3f }
      }
    }
    for index in cursor.rest { file[index] = 0 }
  }

  // MARK: - Units

  private var isHEVC: Bool { if case .hevc = self { true } else { false } }

  /// Pictures, parameters and what parts them (H.264, table 7-1; H.265, table 7-1);
  /// of HEVC also what Dolby Vision needs.
  private var kept: [ClosedRange<UInt8>] {
    isHEVC ? [0...9, 16...21, 32...37, 62...63] : [1...5, 7...11, 13...15, 19...20]
  }

  /// How pictures are shown: buffering, where decoding may begin, sides of stereo,
  /// orientation, brightness (H.264 and H.265, D.2); of HEVC also times within the
  /// film, parameter sets, checksums and transparency.
  private var keptMessages: Set<Int> {
    let both: Set = [0, 6, 45, 47, 137, 144, 147]
    return isHEVC ? both.union([1, 129, 130, 132, 148, 165]) : both
  }

  private func cleanUnit(_ file: inout [UInt8], _ unit: Range<Int>) {
    guard let first = unit.first else { return }
    let type = isHEVC ? file[first] >> 1 & 0x3f : file[first] & 0x1f
    if kept.contains(where: { $0.contains(type) }) { return }
    if isHEVC ? type == 39 || type == 40 : type == 6, isHarmless(file[unit]) { return }
    // Filler (H.264, 7.3.2.7; H.265, 7.3.2.8).
    let header: [UInt8] = isHEVC ? [0x4c, 1] : [0x0c]
    for (offset, index) in unit.enumerated() {
      file[index] = offset < header.count ? header[offset] : 0xff
    }
    if unit.count > header.count { file[unit.upperBound - 1] = 0x80 }
  }

  /// More than this no message that is kept takes.
  private static let messageBytes = 64

  /// Whether supplemental information (7.3.2.3) is nothing but what is kept.
  private func isHarmless(_ unit: ArraySlice<UInt8>) -> Bool {
    guard unit.count <= 16 * Self.messageBytes else { return false }
    var rest = Self.withoutPrevention(unit.dropFirst(isHEVC ? 2 : 1))[...]
    func number() -> Int? {
      var sum = 0
      while let byte = rest.popFirst() {
        sum += Int(byte)
        if byte != 0xff { return sum }
      }
      return nil
    }
    while rest.count > 1 {
      guard let type = number(), let size = number(), keptMessages.contains(type),
        size <= Self.messageBytes, size < rest.count
      else { return false }
      rest = rest.dropFirst(size)
    }
    return rest.first == 0x80
  }

  /// Without the bytes that keep beginnings of units from standing in them (7.4.1).
  private static func withoutPrevention(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (plain, zeros) = ([UInt8](), 0)
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    return plain
  }
}
