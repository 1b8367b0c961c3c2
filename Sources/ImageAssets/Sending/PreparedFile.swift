internal import Glibc

/// A file that is ready to be sent: the user's own, or a copy that tells less,
/// which is removed when nobody has this any more (withExtendedLifetime(_:_:)).
package final class PreparedFile: Sendable {
  /// Where it can be read; its last component is the name of the user's file.
  package let path: String
  /// Whether the user's file tells more than this.
  package let tellsLess: Bool
  /// Of a copy, the folder of its own.
  private let folder: String?

  /// The user's own file, as it is.
  package init(asItIs path: String) {
    self.path = path
    (folder, tellsLess) = (nil, false)
  }

  /// A copy, for its owner only, in a new folder within `parent`.
  init(
    _ bytes: [UInt8], named name: String, in parent: String, tellsLess: Bool
  ) throws(PlaceFailure) {
    var template = Array("\(parent)/XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .notCopied(path: parent, errorNumber: errno)
    }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    (self.folder, self.tellsLess) = (folder, tellsLess)
    path = "\(folder)/\(name)"
    try Self.write(bytes, to: path)
  }

  deinit {
    guard let folder else { return }
    unlink(path)
    rmdir(folder)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(PlaceFailure) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let target = open(path, flags, 0o600)
    guard target >= 0 else { throw .notCopied(path: path, errorNumber: errno) }
    defer { close(target) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .notCopied(path: path, errorNumber: errno) }
      rest = rest.dropFirst(count)
    }
  }
}
