internal import Glibc
internal import Synchronization

/// Syncs what was appended to a file, whoever else appends to it meanwhile.
final class FileSync: Sendable {
  let identity: FileStatus.Identity
  private let path: String
  /// -1 where none was left.
  private let number: Int32
  /// What may not be on the disk although a later sync succeeds: only writing
  /// anew makes it dirty again.
  private let doubtful = Mutex<Range<Int64>?>(nil)

  init(_ file: WritableFile) {
    identity = file.identity
    path = file.file.path
    number = fcntl(file.file.number, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    close(number)
  }

  /// Puts a part of the file on the disk, and what an earlier call left in
  /// doubt. Blocks; to be called by one at a time.
  func sync(_ range: Range<Int64>) -> TransportError? {
    do throws(TransportError) {
      if let range = doubtful.withLock(\.self) { try rewrite(range) }
      guard retrying({ fdatasync(number) }) == 0 else { throw .system(errno, path: path) }
      doubtful.withLock { $0 = nil }
      return nil
    } catch {
      doubtful.withLock { old in
        old = min(old?.lowerBound ?? range.lowerBound, range.lowerBound)..<range.upperBound
      }
      return error
    }
  }

  /// Writes a part of the file as it is, where it is: not through the
  /// descriptor that appends.
  private func rewrite(_ range: Range<Int64>) throws(TransportError) {
    let file = try Descriptor.openFile(path, O_RDWR)
    guard try FileStatus(of: file).identity == identity else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = min(buffer.count, Int(range.upperBound - offset))
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      // It has been truncated since.
      guard count > 0 else { return }
      let written = retrying { pwrite(file.number, buffer.baseAddress, count, Int(offset)) }
      guard written == count else { throw .system(written < 0 ? errno : EIO, path: path) }
      offset += Int64(count)
    }
  }
}
