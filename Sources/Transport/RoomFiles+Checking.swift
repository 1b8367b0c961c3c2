internal import Glibc

extension RoomFiles {
  /// Looks whether a file can be brought into a room, without reading it.
  /// - Parameter limit: what it may be large at most, in bytes.
  /// - Returns: its size in bytes.
  /// - Throws: that nothing is there, that it is no regular file, cannot be
  ///   read, or is too large.
  package static func check(_ path: String, limit: Int64) throws(TransportError) -> Int64 {
    let file = try Descriptor.openFile(path, O_RDONLY, as: .attachment)
    let size = try FileStatus(of: file).sizeInBytes
    guard size <= limit else { throw .tooLarge(path, limit: limit) }
    return size
  }
}
