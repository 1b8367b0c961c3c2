package import ChatModel

/// What the beginning of an image tells of it, without decoding it: so that one
/// of 30,000 × 30,000 pixels in a file of 100 KB is never decoded at all.
package struct ImageHeader: Hashable, Sendable {
  package var type: ImageType
  /// As it is shown: turned where the file says that the camera was.
  package var size: PixelSize

  /// Nil for what is no image, or one whose size is not where it should be.
  package init?(_ bytes: [UInt8]) {
    self.init(HeaderBytes { offset, count in Array(bytes.dropFirst(offset).prefix(count)) })
  }

  /// The same of bytes that are fetched as they are needed: a few of each of a
  /// bounded number of parts.
  init?(_ bytes: HeaderBytes) {
    let beginning = bytes.atMost(ImageType.beginningBytes, at: 0)
    guard let type = ImageType(beginning: beginning) else { return nil }
    let size =
      switch type {
      case .png: Self.png(bytes)
      case .jpeg: Self.jpeg(bytes)
      case .gif: Self.gif(bytes)
      case .webp: Self.webp(bytes)
      }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    (self.type, self.size) = (type, size)
  }

  // MARK: - PNG (W3C, 11.2.2)

  private static func png(_ bytes: HeaderBytes) -> PixelSize? {
    guard bytes.hasText("IHDR", at: 12), let width = bytes.big(4, at: 16),
      let height = bytes.big(4, at: 20), width <= Int32.max, height <= Int32.max
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  // MARK: - GIF (GIF89a, 18 to 26)

  private static func gif(_ bytes: HeaderBytes) -> PixelSize? {
    guard let width = bytes.little(2, at: 6), let height = bytes.little(2, at: 8) else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  // MARK: - WebP (RFC 9649; RFC 6386, 9.1)

  private static func webp(_ bytes: HeaderBytes) -> PixelSize? {
    if bytes.hasText("VP8X", at: 12) {
      guard let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) else {
        return nil
      }
      return PixelSize(width: width + 1, height: height + 1)
    }
    if bytes.hasText("VP8L", at: 12) {
      guard bytes.byte(at: 20) == 0x2f, let word = bytes.little(4, at: 21) else { return nil }
      let (width, height) = (word & 0x3fff, word >> 14 & 0x3fff)
      return PixelSize(width: width + 1, height: height + 1)
    }
    guard bytes.hasText("VP8 ", at: 12), bytes.big(3, at: 23) == 0x9d_012a,
      let width = bytes.little(2, at: 26), let height = bytes.little(2, at: 28)
    else { return nil }
    return PixelSize(width: width & 0x3fff, height: height & 0x3fff)
  }
}
