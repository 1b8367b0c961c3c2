/// JPEG (ITU-T T.81, B), and how the camera was held (Exif 2.32, 4.6.4).
extension ImageHeader {
  /// More segments than the colour profiles of any camera take.
  private static let segmentLimit = 1_000

  /// The size in the header of the first frame.
  static func jpeg(_ bytes: HeaderBytes) -> PixelSize? {
    var offset = 2
    var isTurned = false
    for _ in 0..<segmentLimit {
      guard bytes.byte(at: offset) == 0xff, let marker = bytes.byte(at: offset + 1) else {
        return nil
      }
      switch marker {
      case 0xff:  // filling
        offset += 1
        continue
      case 0x01, 0xd0...0xd8:  // alone, without a length
        offset += 2
        continue
      case 0xd9, 0xda:  // the end, or the picture itself
        return nil
      case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(marker):
        guard let height = bytes.big(2, at: offset + 5), let width = bytes.big(2, at: offset + 7)
        else { return nil }
        return isTurned
          ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
      default:
        guard let length = bytes.big(2, at: offset + 2), length >= 2 else { return nil }
        if marker == 0xe1, bytes.hasText("Exif\0\0", at: offset + 4) {
          isTurned = self.isTurned(bytes, tiff: offset + 10, end: offset + 2 + length)
        }
        offset += 2 + length
      }
    }
    return nil
  }

  /// Whether the orientation is one of those that swap width and height.
  private static func isTurned(_ bytes: HeaderBytes, tiff: Int, end: Int) -> Bool {
    let isLittle = bytes.hasText("II", at: tiff)
    guard isLittle || bytes.hasText("MM", at: tiff) else { return false }
    func number(_ count: Int, at offset: Int) -> Int? {
      guard offset + count <= end else { return nil }
      return isLittle ? bytes.little(count, at: offset) : bytes.big(count, at: offset)
    }
    guard let directory = number(4, at: tiff + 4), let count = number(2, at: tiff + directory)
    else { return false }
    for entry in 0..<min(count, 256) {
      let offset = tiff + directory + 2 + entry * 12
      guard let tag = number(2, at: offset) else { return false }
      if tag == 0x0112 { return number(2, at: offset + 8).map { (5...8).contains($0) } ?? false }
    }
    return false
  }
}
