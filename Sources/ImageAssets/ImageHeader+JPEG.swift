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
          let orientation = orientation(bytes, tiff: offset + 10, end: offset + 2 + length)
          isTurned = (5...8).contains(orientation ?? 1)
        }
        offset += 2 + length
      }
    }
    return nil
  }

  /// What a block of Exif says of the orientation; 5 to 8 swap width and height.
  static func orientation(_ bytes: HeaderBytes, tiff: Int, end: Int) -> Int? {
    let isLittle = bytes.hasText("II", at: tiff)
    guard isLittle || bytes.hasText("MM", at: tiff) else { return nil }
    func number(_ count: Int, at offset: Int) -> Int? {
      guard offset + count <= end else { return nil }
      return isLittle ? bytes.little(count, at: offset) : bytes.big(count, at: offset)
    }
    guard let directory = number(4, at: tiff + 4), let count = number(2, at: tiff + directory)
    else { return nil }
    for entry in 0..<min(count, 256) {
      let offset = tiff + directory + 2 + entry * 12
      guard let tag = number(2, at: offset) else { return nil }
      if tag == 0x0112 { return number(2, at: offset + 8) }
    }
    return nil
  }
}
