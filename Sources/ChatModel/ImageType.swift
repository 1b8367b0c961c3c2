/// The kinds of image that are known by how they begin, and that a terminal is
/// given: the name or the type that somebody claims does not count.
package enum ImageType: String, CaseIterable, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  /// So many bytes of the beginning are enough to tell.
  package static let beginningBytes = 12

  /// Nil for everything else.
  package init?(beginning: some Sequence<UInt8>) {
    let bytes = Array(beginning.prefix(Self.beginningBytes))
    if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)),
      bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
    {
      self = .webp
    } else {
      return nil
    }
  }

  /// As RFC 9110 names it, such as `image/png`.
  package var mediaType: String { rawValue }

  /// What the name of such a file ends in, without the point.
  package var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .gif: "gif"
    case .webp: "webp"
    }
  }
}
