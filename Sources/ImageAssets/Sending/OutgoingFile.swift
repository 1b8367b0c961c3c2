internal import Glibc

/// A file as it is sent: the user's own, or a copy of a photo, which is removed
/// when nobody has this any more (withExtendedLifetime(_:_:)).
package final class OutgoingFile: Sendable {
  /// Where it can be read; its last component is the name of the user's file.
  package let path: String
  /// The folder that it is in; of a copy, one of its own.
  let folder: String
  private let isCopy: Bool

  /// The user's own file, as it is.
  package init(asItIs path: String) {
    self.path = path
    (folder, isCopy) = (".", false)
  }

  /// A copy, for its owner only, in a new folder within `parent`.
  init(copying source: Int32, named name: String, in parent: String) throws(PlaceFailure) {
    var template = Array("\(parent)/XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .notCopied(path: parent, errorNumber: errno)
    }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    (self.folder, isCopy) = (folder, true)
    path = "\(folder)/\(name)"
    try Self.copy(source, to: path)
  }

  deinit {
    guard isCopy else { return }
    unlink(path)
    rmdir(folder)
  }

  private static func copy(_ source: Int32, to path: String) throws(PlaceFailure) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let target = open(path, flags, 0o600)
    guard target >= 0 else { throw .notCopied(path: path, errorNumber: errno) }
    defer { close(target) }
    var offset = 0
    while true {
      // In the kernel, wherever both files are (sendfile(2)).
      let count = sendfile(target, source, &offset, 1 << 20)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .notCopied(path: path, errorNumber: errno) }
      if count == 0 { return }
    }
  }
}
