package import FileSystem
internal import Glibc

extension RoomFiles {
  /// Opens a file that is to be brought into a room, without reading it.
  /// - Parameter limit: what it may be large at most, in bytes.
  /// - Throws: that nothing is there, that it is no regular file of a disk,
  ///   cannot be read, or is too large.
  package static func open(_ path: String, limit: Int64) throws(TransportError) -> OpenFile {
    let file = try Descriptor.openFile(path, O_RDONLY, as: .attachment)
    let open = try file.shared()
    try requireSize(of: file)
    try check(open, limit: limit)
    return open
  }

  /// Looks whether a room takes a file of that size.
  package static func check(_ file: OpenFile, limit: Int64) throws(TransportError) {
    let size = try FileStatus(of: Descriptor(sharing: file)).sizeInBytes
    guard size <= limit else { throw .tooLarge(file.path, limit: limit) }
  }

  /// Refuses what a system makes up while it is read (proc(5), sysfs(5)): how
  /// large it is nobody can tell before, and it says 0, or one page.
  private static func requireSize(of file: borrowing Descriptor) throws(TransportError) {
    let size = try FileStatus(of: file).sizeInBytes
    let isThere = try !file.part(at: max(0, size - 1), count: 1).isEmpty
    guard isThere == (size > 0) else { throw .withoutSize(file.path) }
  }
}

extension TransportError {
  fileprivate static func withoutSize(_ path: String) -> TransportError {
    TransportError(
      .invalid, path: path,
      reason: "the system makes it up while it is read; copy it, and send the copy")
  }
}
