/// Beginnings of images, made by hand.
enum Samples {
  static let all: [[UInt8]] = [
    png(2, 3), png(2, 3, animated: true), gif(5, 6), gif(5, 6, animated: true), webp,
    lossyWebP(7, 8), losslessWebP(7, 8), extendedWebP(7, 8), jpeg(300, 200),
    jpeg(300, 200, before: [(0xe1, exif(6, isLittle: true)), (0xfe, Array("note".utf8))]),
    jpeg(300, 200, before: [(0xe1, exif(6, isLittle: false))]),
  ]

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  private static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    big(contents.count, 4) + Array(name.utf8) + contents + [0, 0, 0, 0]
  }

  static func png(_ width: Int, _ height: Int, animated: Bool = false) -> [UInt8] {
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
      + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
      + (animated ? chunk("tEXt", [65, 0, 66]) + chunk("acTL", big(3, 4) + big(0, 4)) : [])
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  static func gif(_ width: Int, _ height: Int, animated: Bool = false) -> [UInt8] {
    let comment: [UInt8] = [0x21, 0xfe, 2, 65, 66, 0]
    let loop: [UInt8] = [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    return Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0x80, 0, 0]
      + [0, 0, 0, 1, 1, 1] + comment + (animated ? loop : []) + [0x2c, 0, 0, 0, 0]
  }

  static func riff(_ chunk: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunk.count + 4, 4) + Array("WEBP".utf8) + chunk
  }

  static func lossyWebP(_ width: Int, _ height: Int) -> [UInt8] {
    riff(
      Array("VP8 ".utf8) + little(10, 4) + [0x30, 1, 0, 0x9d, 0x01, 0x2a]
        + little(width | 0x4000, 2) + little(height | 0x8000, 2))
  }

  static func losslessWebP(_ width: Int, _ height: Int) -> [UInt8] {
    let word = (width - 1) | (height - 1) << 14 | 1 << 28
    return riff(Array("VP8L".utf8) + little(5, 4) + [0x2f] + little(word, 4))
  }

  static func extendedWebP(_ width: Int, _ height: Int, animated: Bool = false) -> [UInt8] {
    riff(
      Array("VP8X".utf8) + little(10, 4) + [animated ? 2 : 0, 0, 0, 0] + little(width - 1, 3)
        + little(height - 1, 3))
  }

  static func jpeg(
    _ width: Int, _ height: Int, before: [(marker: UInt8, contents: [UInt8])] = [],
    frame: UInt8 = 0xc0
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xff, 0xd8]
    for segment in before {
      bytes += [0xff, segment.marker] + big(segment.contents.count + 2, 2) + segment.contents
    }
    bytes += [0xff, 0xff, frame, 0, 17, 8]
    bytes += big(height, 2) + big(width, 2)
    return bytes + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xff, 0xda]
  }

  static func exif(_ orientation: UInt8, isLittle: Bool) -> [UInt8] {
    let number = isLittle ? little : big
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      var bytes = number(tag, 2) + number(3, 2)
      bytes += number(1, 4) + number(value, 2)
      return bytes + [0, 0]
    }
    var bytes = Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8)
    bytes += number(42, 2) + number(8, 4) + number(2, 2)
    bytes += entry(0x0110, 9) + entry(0x0112, Int(orientation))
    return bytes + [0, 0, 0, 0]
  }

  /// Written by a real encoder.
  static let webp: [UInt8] = [
    0x52, 0x49, 0x46, 0x46, 0xa8, 0x01, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x58,
    0x0a, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x0f, 0x00, 0x00, 0x41, 0x4c,
    0x50, 0x48, 0xc3, 0x00, 0x00, 0x00, 0x01, 0x27, 0xa2, 0xa8, 0x91, 0x24, 0xe5, 0x7a, 0xe7, 0x18,
  ]

  /// Four pixels that can be decoded.
  static let picture: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a,
    0x73, 0x00, 0x00, 0x00, 0x12, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0,
    0x00, 0xc2, 0x0c, 0xff, 0x81, 0x00, 0x00, 0x1f, 0xee, 0x05, 0xfb, 0x0b, 0xd9, 0x68, 0x8b, 0x00,
    0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]
}
