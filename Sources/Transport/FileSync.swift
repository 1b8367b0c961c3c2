internal import Glibc
internal import Synchronization

/// Syncs what was appended to a file, whoever else appends to it meanwhile.
final class FileSync: Sendable {
  private struct State {
    /// What may not be on the disk although a later sync succeeds: only
    /// writing anew makes it dirty again.
    var doubtful: Range<Int64>?
    /// Whether the file's name may not be on the disk yet.
    var needsFolderSync = true
  }

  let identity: FileStatus.Identity
  private let path: String
  /// -1 where none was left.
  private let number: Int32
  private let state = Mutex(State())

  init(_ file: WritableFile) {
    identity = file.identity
    path = file.file.path
    number = fcntl(file.file.number, F_DUPFD_CLOEXEC, 0)
  }

  deinit {
    if number >= 0 { close(number) }
  }

  /// Whether there was a descriptor left.
  var isUsable: Bool { number >= 0 }

  /// Whether the last sync failed.
  var isInDoubt: Bool { state.withLock { $0.doubtful != nil } }

  /// Puts a part of the file on the disk, and what an earlier call left in
  /// doubt. Blocks; to be called by one at a time.
  func sync(_ range: Range<Int64>) -> TransportError? {
    let before = state.withLock { ($0.doubtful, $0.needsFolderSync) }
    do throws(TransportError) {
      if let doubtful = before.0 { try rewrite(doubtful) }
      guard isUsable else { throw .system(EMFILE, path: path) }
      guard retrying({ fdatasync(number) }) == 0 else { throw .system(errno, path: path) }
      if before.1 { try WritableFile.syncFolder(of: path) }
      state.withLock { $0 = State(doubtful: nil, needsFolderSync: false) }
      return nil
    } catch {
      state.withLock { state in
        guard let old = state.doubtful else { return state.doubtful = range }
        guard !range.isEmpty else { return }
        state.doubtful =
          min(old.lowerBound, range.lowerBound)..<max(old.upperBound, range.upperBound)
      }
      return error
    }
  }

  /// How long another program's lock is waited for.
  private static let patience = Duration.seconds(5)

  /// Writes a part of the file as it is, where it is: not through the
  /// descriptor that appends. Nobody may cut something off meanwhile, which
  /// this would bring back.
  private func rewrite(_ range: Range<Int64>) throws(TransportError) {
    // The same file, whatever its path names by now; proc_pid_fd(5).
    let file = try Descriptor.openFile("/proc/self/fd/\(number)", O_RDWR)
    try lock(file)
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

  private func lock(_ file: borrowing Descriptor) throws(TransportError) {
    let deadline = ContinuousClock.now + Self.patience
    while retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw .system(errno, path: path) }
      guard ContinuousClock.now < deadline else { throw .busy(path) }
      usleep(1000)
    }
  }
}
