internal import ChatModel

/// Photos and films, by what is known of their parts.
enum MediaKind: Hashable, Sendable {
  case image(ImageType)
  /// ISO base media files: HEIF, AVIF, MP4 and QuickTime.
  case baseMedia
  /// A kind that may tell anything anywhere.
  case opaque

  /// How many bytes of the beginning it takes to tell.
  static let beginningBytes = 1_024

  /// Nil for what is neither a photo nor a film.
  ///
  /// What stands behind white space is none that a program shows, but some find
  /// the rest all the same.
  init?(beginning: [UInt8]) {
    let trimmed = Array(beginning.drop { [0x09, 0x0a, 0x0c, 0x0d, 0x20].contains($0) })
    if let kind = Self.kind(beginning) {
      self = kind
    } else if trimmed.count < beginning.count, Self.kind(trimmed) != nil {
      self = .opaque
    } else {
      return nil
    }
  }

  private static func kind(_ bytes: [UInt8]) -> MediaKind? {
    if let type = ImageType(beginning: bytes) { return .image(type) }
    if isOpaque(bytes) { return .opaque }
    let type = Array(bytes.dropFirst(4).prefix(4))
    if type.elementsEqual("ftyp".utf8) {
      // Sound alone.
      let brand = bytes.dropFirst(8).prefix(4)
      return ["M4A ", "M4B ", "M4P "].contains { brand.elementsEqual($0.utf8) } ? nil : .baseMedia
    }
    // QuickTime's films from before there were brands (QTFF, chapter 1). In a text,
    // such a word would stand behind others.
    let first = ["moov", "mdat", "wide", "free", "skip", "pnot"]
    return bytes.first == 0 && first.contains { type.elementsEqual($0.utf8) } ? .baseMedia : nil
  }

  private static func isOpaque(_ bytes: [UInt8]) -> Bool {
    signatures.contains { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
      || bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "AVI ".utf8)
      || isTransportStream(bytes, every: 188, from: 0)
      || isTransportStream(bytes, every: 192, from: 4)
  }

  /// MPEG-2 (ISO/IEC 13818-1, 2.4.3.2), also as cameras write it, with times.
  private static func isTransportStream(_ bytes: [UInt8], every size: Int, from start: Int) -> Bool
  {
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
    (0, [0, 0, 1, 0xba]), (0, [0, 0, 1, 0xb3]),
  ]
}
