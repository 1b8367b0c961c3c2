internal import ChatModel
internal import Glibc
internal import ImageAssets

/// An image for another program, which decodes it by its own limits.
struct WholeImage: Sendable {
  var path: String
  var type: ImageType

  init(path: String, type: ImageType) { (self.path, self.type) = (path, type) }

  /// - Throws: that there is no such file, or that it is no image.
  init(path: String) throws(ImageFailure) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .notAFile }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: ImageType.beginningBytes)
    let count = read(descriptor, &bytes, bytes.count)
    guard let type = ImageType(beginning: bytes.prefix(max(0, count))) else { throw .notAnImage }
    (self.path, self.type) = (path, type)
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
