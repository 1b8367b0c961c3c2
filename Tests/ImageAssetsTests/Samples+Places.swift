/// Photos and films with a place hidden in each of the ways that are known.
extension Samples {
  static let place = Array("SECRETPLACE".utf8)

  private static let xmp = packet(place)
  private static func packet(_ value: [UInt8]) -> [UInt8] {
    Array("<x:xmpmeta><dwc:decimalLatitude>".utf8) + value
      + Array("</dwc:decimalLatitude></x:xmpmeta>".utf8)
  }

  /// A block of Exif, from `MM` on, with an orientation and, as GPS data, a place.
  static func exifWithPlace(_ orientation: UInt8, gpsType: UInt8 = 4) -> [UInt8] {
    [0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8, 0, 2, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + [0x88, 0x25, 0, gpsType, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]
      + [0, 1, 0, 2, 0, 2, 0, 0, 0, 11, 0, 0, 0, 56, 0, 0, 0, 0] + place
  }

  // MARK: - JPEG

  static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let length = contents.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + contents
  }

  /// A photo with segments behind its first one.
  static func jpeg(with segments: [UInt8]...) -> [UInt8] {
    Array(jpegPhoto.prefix(20)) + segments.joined() + jpegPhoto.dropFirst(20)
  }

  private static let adobe = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let exif = Array("Exif\0\0".utf8)

  private static func photoshop(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
    segment(
      0xed,
      Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, type, 0, 0, 0, 0, 0]
        + [UInt8(value.count)] + value)
  }

  private static func iptc(_ value: [UInt8]) -> [UInt8] {
    photoshop(4, [0x1c, 2, 90, 0, UInt8(value.count)] + value)
  }

  static let jpegPlaces: [(String, [UInt8])] = [
    ("a film behind it", jpegPhoto + filmWithPlace),
    ("a second photo behind it", jpegPhoto + jpeg(with: iptc(place), segment(0xe1, adobe + xmp))),
    ("text behind it", jpegPhoto + place),
    ("XMP", jpeg(with: segment(0xe1, adobe + xmp))),
    ("second XMP", jpeg(with: segment(0xe1, adobe + packet([])), segment(0xe1, adobe + xmp))),
    (
      "extended XMP",
      jpeg(with: segment(0xe1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + xmp))
    ),
    ("malformed XMP", jpeg(with: segment(0xe1, adobe + Array("<<".utf8) + place))),
    ("UTF-16", jpeg(with: segment(0xe1, adobe + xmp.flatMap { [$0, 0] }))),
    ("second IPTC", jpeg(with: iptc([]), iptc(place))),
    ("XMP in 8BIM", jpeg(with: photoshop(0x24, xmp))),
    ("Exif", jpeg(with: segment(0xe1, exif + exifWithPlace(1)))),
    (
      "second Exif, odd type",
      jpeg(
        with: segment(0xe1, exif + exifWithPlace(1)),
        segment(0xe1, exif + exifWithPlace(1, gpsType: 13)))
    ),
    ("thumbnail", jpeg(with: segment(0xe0, Array("JFXX\0\u{10}".utf8) + place))),
    ("comment", jpeg(with: segment(0xfe, place))),
    ("comment in the scan", Array(jpegPhoto.dropLast(2)) + segment(0xfe, place) + [0xff, 0xd9]),
    (
      "more than colours",
      jpeg(with: segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + place))
    ),
  ]

  static let jpegMakers = (0xe0...0xef).map { marker in
    ("APP\(marker - 0xe0)", jpeg(with: segment(marker, Array("Maker\0".utf8) + place)))
  }

  // MARK: - PNG, GIF and WebP

  /// A photo with chunks behind its header.
  static func png(with chunks: [UInt8]...) -> [UInt8] {
    Array(pngPhoto.prefix(33)) + chunks.joined() + pngPhoto.dropFirst(33)
  }

  private static func text(_ value: [UInt8], isCompressed: Bool = false) -> [UInt8] {
    checked(
      "iTXt",
      Array("XML:com.adobe.xmp\0".utf8) + [isCompressed ? 1 : 0, 0, 0, 0]
        + (isCompressed ? zlib(value) : value))
  }

  static let pngPlaces: [(String, [UInt8])] = [
    ("second XMP", png(with: text(packet([])), text(xmp))),
    ("compressed XMP", png(with: text(xmp, isCompressed: true))),
    ("raw profile", png(with: checked("zTXt", Array("Raw profile type xmp\0\0".utf8) + zlib(xmp)))),
    ("Exif", png(with: checked("eXIf", exifWithPlace(1)))),
    ("comment", png(with: checked("tEXt", Array("Comment\0".utf8) + place))),
    ("chunk of its own", png(with: checked("prIv", place))),
    ("text behind it", pngPhoto + place),
    ("chunk behind it", pngPhoto + checked("tEXt", place)),
    ("palette's name", png(with: checked("sPLT", place + [0, 8]))),
  ]

  private static func program(_ name: String, _ data: [UInt8]) -> [UInt8] {
    gif(with: [0x21, 0xff, 11] + Array(name.utf8) + data + [0])
  }

  private static func gif(with block: [UInt8]) -> [UInt8] {
    Array(gifPhoto.prefix(25)) + block + gifPhoto.dropFirst(25)
  }

  static let gifPlaces: [(String, [UInt8])] = [
    ("XMP", program("XMP DataXMP", xmp + [1] + (0...255).reversed())),
    ("comment", gif(with: [0x21, 0xfe, 11] + place + [0])),
    ("program's data", program("ABCDEFGH1.0", [11] + place)),
    ("more than how often it moves", program("NETSCAPE2.0", [11] + place)),
    ("text", gif(with: [0x21, 1, 12] + [UInt8](repeating: 0, count: 12) + [11] + place + [0])),
    ("text behind it", gifPhoto + place),
  ]

  static func webP(flags: UInt8, _ chunks: [UInt8]...) -> [UInt8] {
    let header = chunk("VP8X", [flags, 0, 0, 0, 15, 0, 0, 7, 0, 0], isWebP: true)
    return riff(header + webpPhoto.dropFirst(12) + chunks.joined())
  }

  static func chunk(_ name: String, _ data: [UInt8], isWebP: Bool) -> [UInt8] {
    Array(name.utf8) + [UInt8(data.count), 0, 0, 0] + data + (data.count % 2 == 1 ? [0] : [])
  }

  static let webPPlaces: [(String, [UInt8])] = [
    ("Exif", webP(flags: 8, chunk("EXIF", exifWithPlace(1), isWebP: true))),
    (
      "second XMP",
      webP(
        flags: 4, chunk("XMP ", packet([]), isWebP: true), chunk("XMP ", xmp, isWebP: true))
    ),
    ("chunk of its own", webP(flags: 0, chunk("PLCE", place, isWebP: true))),
    ("text behind it", webpPhoto + place),
  ]
}
