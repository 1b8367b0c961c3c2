package import FileSystem
internal import Glibc

/// A file that is ready to be sent: the user's own, or a copy that tells less.
package struct PreparedFile: Sendable {
  /// Called by the path of the user's file.
  package let file: OpenFile
  /// Whether the user's file tells more than this.
  package let tellsLess: Bool

  /// Of the user's file.
  package var path: String { file.path }

  /// The user's own file, as it is.
  package init(asItIs file: OpenFile) {
    (self.file, tellsLess) = (file, false)
  }

  /// A copy in a folder, without a name: it is gone when nobody has it any more,
  /// however that comes.
  /// - Parameter path: of the user's file.
  init(
    _ bytes: [UInt8], of path: String, in folder: String, tellsLess: Bool
  ) throws(PlaceFailure) {
    let copy = "\(folder)/banter-\(UInt64.random(in: 0...UInt64.max))"
    let number = open(copy, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .notCopied(path: folder, errorNumber: errno) }
    unlink(copy)
    (file, self.tellsLess) = (OpenFile(number, path: path), tellsLess)
    try Self.write(bytes, to: number, folder)
  }

  private static func write(
    _ bytes: [UInt8], to target: Int32, _ folder: String
  ) throws(PlaceFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .notCopied(path: folder, errorNumber: errno) }
      rest = rest.dropFirst(count)
    }
  }
}
