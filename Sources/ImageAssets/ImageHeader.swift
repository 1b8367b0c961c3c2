package import ChatModel

/// What the beginning of an image tells of it, without decoding it: so that one
/// of 30,000 × 30,000 pixels in a file of 100 KB is never decoded at all.
package struct ImageHeader: Hashable, Sendable {
  package var type: ImageType
  /// As it is shown: turned where the file says that the camera was.
  package var size: PixelSize
  /// Whether it has more than one picture, as far as that stands at the
  /// beginning.
  package var isAnimated = false

  /// Nil for what is no image, or one whose size is not where it should be.
  package init?(_ bytes: [UInt8]) {
    self.init(HeaderBytes { offset, count in Array(bytes.dropFirst(offset).prefix(count)) })
  }

  /// The same of bytes that are fetched as they are needed: a few of each of a
  /// bounded number of parts.
  init?(_ bytes: HeaderBytes) {
    let beginning = bytes.atMost(ImageType.beginningBytes, at: 0)
    guard let type = ImageType(beginning: beginning) else { return nil }
    let found: (size: PixelSize, isAnimated: Bool)?
    switch type {
    case .png: found = Self.png(bytes)
    case .jpeg: found = Self.jpeg(bytes).map { ($0, false) }
    case .gif: found = Self.gif(bytes)
    case .webp: found = Self.webp(bytes)
    }
    guard let found, found.size.width > 0, found.size.height > 0 else { return nil }
    (self.type, size, isAnimated) = (type, found.size, found.isAnimated)
  }

  // MARK: - PNG (W3C, 11.2.2), with the chunk of animation (W3C, 11.3.2)

  private static func png(_ bytes: HeaderBytes) -> (PixelSize, Bool)? {
    guard bytes.hasText("IHDR", at: 12), let width = bytes.big(4, at: 16),
      let height = bytes.big(4, at: 20), width <= Int32.max, height <= Int32.max
    else { return nil }
    return (PixelSize(width: width, height: height), hasAnimationControl(bytes))
  }

  private static func hasAnimationControl(_ bytes: HeaderBytes) -> Bool {
    var offset = 33
    for _ in 0..<64 {
      guard let length = bytes.big(4, at: offset), !bytes.hasText("IDAT", at: offset + 4) else {
        return false
      }
      if bytes.hasText("acTL", at: offset + 4) { return true }
      offset += length + 12
    }
    return false
  }

  // MARK: - GIF (GIF89a, 18 to 26)

  private static func gif(_ bytes: HeaderBytes) -> (PixelSize, Bool)? {
    guard let width = bytes.little(2, at: 6), let height = bytes.little(2, at: 8),
      let flags = bytes.byte(at: 10)
    else { return nil }
    let table = flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1)
    return (PixelSize(width: width, height: height), isLooping(bytes, from: 13 + table))
  }

  /// Whether an extension before the first picture says that it is repeated.
  private static func isLooping(_ bytes: HeaderBytes, from start: Int) -> Bool {
    var offset = start
    for _ in 0..<64 {
      guard bytes.byte(at: offset) == 0x21 else { return false }
      if bytes.byte(at: offset + 1) == 0xff,
        bytes.hasText("NETSCAPE2.0", at: offset + 3) || bytes.hasText("ANIMEXTS1.0", at: offset + 3)
      {
        return true
      }
      offset += 2
      while let length = bytes.byte(at: offset), offset < 1 << 16 {
        offset += length + 1
        if length == 0 { break }
      }
    }
    return false
  }

  // MARK: - WebP (RFC 9649; RFC 6386, 9.1)

  private static func webp(_ bytes: HeaderBytes) -> (PixelSize, Bool)? {
    if bytes.hasText("VP8X", at: 12) {
      guard let flags = bytes.byte(at: 20), let width = bytes.little(3, at: 24),
        let height = bytes.little(3, at: 27)
      else { return nil }
      return (PixelSize(width: width + 1, height: height + 1), flags & 2 != 0)
    }
    if bytes.hasText("VP8L", at: 12) {
      guard bytes.byte(at: 20) == 0x2f, let word = bytes.little(4, at: 21) else { return nil }
      let (width, height) = (word & 0x3fff, word >> 14 & 0x3fff)
      return (PixelSize(width: width + 1, height: height + 1), false)
    }
    guard bytes.hasText("VP8 ", at: 12), bytes.big(3, at: 23) == 0x9d_012a,
      let width = bytes.little(2, at: 26), let height = bytes.little(2, at: 28)
    else { return nil }
    return (PixelSize(width: width & 0x3fff, height: height & 0x3fff), false)
  }
}
