internal import ChatModel

/// Photos and films, by what is known of their parts.
enum MediaKind: Hashable, Sendable {
  case image(ImageType)
  /// ISO base media files: HEIF, AVIF, MP4 and QuickTime.
  case baseMedia
  /// A kind that may tell anything anywhere.
  case opaque

  /// How many bytes of the beginning it takes to tell: as many as decoders look
  /// at.
  static let beginningBytes = 1 << 20

  /// Nil for what is neither a photo nor a film.
  ///
  /// What stands behind white space, zeros or a byte order mark is none that every
  /// program shows, but some find the rest all the same.
  init?(beginning: [UInt8]) {
    if let kind = Self.kind(beginning[...]) {
      self = kind
      return
    }
    let padding: Set<UInt8> = [0, 0x09, 0x0a, 0x0c, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]
    let count = beginning.prefix(Self.paddingBytes).prefix(while: padding.contains).count
    guard (0...count).contains(where: { Self.kind(beginning[$0...]) != nil }) else { return nil }
    self = .opaque
  }

  /// How much may stand before a photo for it to be found.
  private static let paddingBytes = 1_024

  private static func kind(_ bytes: ArraySlice<UInt8>) -> MediaKind? {
    if let type = ImageType(beginning: Array(bytes.prefix(ImageType.beginningBytes))) {
      return .image(type)
    }
    if isOpaque(bytes) { return .opaque }
    return hasBoxes(bytes) ? .baseMedia : nil
  }

  private static let boxTypes: Set<String> = [
    "ftyp", "moov", "mdat", "moof", "styp", "meta", "pnot", "PICT", "pict", "wide", "free", "skip",
    "junk", "uuid", "udta", "prfl",
  ]

  /// Whether one of the first boxes is one of ISO base media or QuickTime, which
  /// has films without a brand; decoders pass over others, and over zeros.
  private static func hasBoxes(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    for _ in 0..<64 {
      // The high byte of a size is small. In a text it is a letter.
      guard rest.count >= 8, let first = rest.first, first < 0x09 else { return false }
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      if boxTypes.contains(String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)) {
        return true
      }
      rest = rest.dropFirst(size < 8 ? 4 : size)
    }
    return false
  }

  private static func isOpaque(_ bytes: ArraySlice<UInt8>) -> Bool {
    signatures.contains { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
      || bytes.starts(with: "RIFF".utf8)
        && ["AVI ", "AMV ", "CDXA"].contains { bytes.dropFirst(8).starts(with: $0.utf8) }
      || isTransportStream(bytes, every: 188, from: 0)
      || isTransportStream(bytes, every: 192, from: 4)
  }

  /// MPEG-2 (ISO/IEC 13818-1, 2.4.3.2), also as cameras write it, with times.
  private static func isTransportStream(
    _ bytes: ArraySlice<UInt8>, every size: Int, from start: Int
  ) -> Bool {
    (0..<4).allSatisfy { bytes.dropFirst(start + size * $0).first == 0x47 }
  }

  private static let signatures: [(offset: Int, bytes: [UInt8])] = [
    // TIFF and what is built like it: BigTIFF, JPEG XR, raw formats.
    (0, [0x49, 0x49, 0x2a, 0]), (0, [0x4d, 0x4d, 0, 0x2a]), (0, [0x49, 0x49, 0x2b, 0]),
    (0, [0x4d, 0x4d, 0, 0x2b]), (0, [0x49, 0x49, 0xbc]), (0, [0x49, 0x49, 0x55, 0]),
    (0, Array("IIRO".utf8)), (0, Array("IIRS".utf8)), (0, Array("MMOR".utf8)),
    (6, Array("HEAPCCDR".utf8)), (0, Array("FUJIFILMCCD-RAW".utf8)), (0, Array("FOVb".utf8)),
    (0, Array("\0MRM".utf8)),
    // JPEG XL and JPEG 2000, bare and in boxes.
    (0, [0xff, 0x0a]), (0, [0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20]),
    (0, [0xff, 0x4f, 0xff, 0x51]), (0, [0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20]),
    // JPEG that is none, Photoshop, GIMP, MNG, JNG, BPG.
    (0, [0xff, 0xd8]), (0, Array("8BPS".utf8)), (0, Array("gimp xcf".utf8)),
    (0, [0x8a, 0x4d, 0x4e, 0x47]), (0, [0x8b, 0x4a, 0x4e, 0x47]), (0, [0x42, 0x50, 0x47, 0xfb]),
    // Matroska and WebM, AVI, ASF, FLV, MPEG program and video streams.
    (0, [0x1a, 0x45, 0xdf, 0xa3]), (0, [0x30, 0x26, 0xb2, 0x75]), (0, Array("FLV\u{1}".utf8)),
    (0, [0, 0, 1, 0xba]), (0, [0, 0, 1, 0xb3]), (0, [0, 0, 1, 0xb0]),
    // Ogg, RealMedia, NUT, MXF, IVF, NSV, Windows' recordings.
    (0, Array("OggS".utf8)), (0, Array(".RMF".utf8)), (0, Array(".ra".utf8) + [0xfd]),
    (0, Array("nut/multimedia container\0".utf8)), (0, [0x06, 0x0e, 0x2b, 0x34]),
    (0, Array("DKIF\0\0".utf8)), (0, Array("NSVf".utf8)), (0, Array("NSVs".utf8)),
    (0, [0xb7, 0xd8, 0x00, 0x20]),
    // H.264 and HEVC as they are.
    (0, [0, 0, 0, 1, 0x67]), (0, [0, 0, 0, 1, 0x27]), (0, [0, 0, 0, 1, 0x09]),
    (0, [0, 0, 0, 1, 0x40, 1]), (0, [0, 0, 0, 1, 0x46, 1]),
    // OpenEXR, FLIF.
    (0, [0x76, 0x2f, 0x31, 0x01]), (0, Array("FLIF".utf8)),
  ]
}
