internal import ChatModel
internal import FileSystem
internal import Glibc
internal import ImageAssets

/// An image for another program, which decodes it by its own limits.
struct WholeImage: Sendable {
  /// What was checked, open.
  let file: OpenFile
  let type: ImageType

  /// - Throws: that it is not any more what was looked at.
  init(_ image: ImageFile) throws(ImageFailure) {
    (file, type) = (try image.open(), image.header.type)
  }

  /// - Throws: that it is no image.
  init(_ file: OpenFile) throws(ImageFailure) {
    var bytes = [UInt8](repeating: 0, count: ImageType.beginningBytes)
    let count = pread(file.number, &bytes, bytes.count, 0)
    guard let type = ImageType(beginning: bytes.prefix(max(0, count))) else { throw .notAnImage }
    (self.file, self.type) = (file, type)
  }
}

extension ImageFailure {
  /// Whether only decoding here has such a limit.
  var isOfDecoding: Bool {
    switch self {
    case .tooLarge, .tooManyPixels: true
    default: false
    }
  }
}
