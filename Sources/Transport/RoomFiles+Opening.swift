package import FileSystem
internal import Glibc

extension RoomFiles {
  /// Opens a file that is to be brought into a room, without reading it.
  /// - Parameter limit: what it may be large at most, in bytes.
  /// - Throws: that nothing is there, that it is no regular file, cannot be
  ///   read, or is too large.
  package static func open(_ path: String, limit: Int64) throws(TransportError) -> OpenFile {
    let file = try Descriptor.openFile(path, O_RDONLY, as: .attachment)
    let number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .system(errno, path: path) }
    let open = OpenFile(number, path: path)
    try check(open, limit: limit)
    return open
  }

  /// Looks whether a room takes a file of that size.
  package static func check(_ file: OpenFile, limit: Int64) throws(TransportError) {
    let size = try FileStatus(of: Descriptor(sharing: file)).sizeInBytes
    guard size <= limit else { throw .tooLarge(file.path, limit: limit) }
  }
}
