internal import Glibc

/// A room file open for appending, and its lock.
final class WritableFile {
  let file: Descriptor
  let identity: FileStatus.Identity
  /// Whether its name may not be on the disk yet.
  private var needsFolderSync = true

  /// Opens the file, or makes it, and the folders above it where it may, with
  /// the modes that umask(2) leaves.
  init(path: String, isOwn: Bool = true) throws(TransportError) {
    if !isOwn { try Self.requireFolder(of: path) }
    let isNew = try FileStatus(ofPath: path) == nil
    if isNew { try Self.makeFolder(Path.parent(of: path)) }
    do throws(TransportError) {
      file = try Descriptor.openFile(path, O_RDWR | O_APPEND | O_CREAT)
    } catch {
      guard isNew, let number = error.errorNumber else { throw error }
      throw .creating(number, path: path)
    }
    identity = try FileStatus(of: file).identity
    if !isOwn { try requireRoom() }
  }

  /// How much of a file tells whether it is a room.
  private static let sampleBytes = 64 * 1024

  /// Refuses a file that holds something, and no event among its first lines.
  private func requireRoom() throws(TransportError) {
    var scanner = LineScanner(at: 0)
    var isSomethingElse = false
    while scanner.lineOffset + scanner.pendingBytes < Self.sampleBytes {
      guard try scanner.fill(from: file) > 0 else { break }
      while let line = scanner.next() {
        switch line.content {
        case .event: return
        case .nothing: break
        case .bad: isSomethingElse = true
        }
      }
    }
    if let rest = scanner.takeUnfinished(), case .bad = rest.content { isSomethingElse = true }
    guard !isSomethingElse else {
      throw TransportError(
        .invalid, path: file.path,
        reason: "this is no room: none of its first lines is an event; name a room or a new file")
    }
  }

  /// Takes the lock that all writers take, flock(2).
  ///
  /// Asks again and again rather than waiting inside the call, which nothing
  /// could end when the holder has been stopped.
  func lock(until deadline: ContinuousClock.Instant) throws(TransportError) {
    var pause: UInt32 = 100
    while retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw .system(errno, path: file.path) }
      guard ContinuousClock.now < deadline else { throw .busy(file.path) }
      usleep(pause + .random(in: 0...pause))
      pause = min(pause * 2, 5000)
    }
  }

  func unlock() {
    flock(file.number, LOCK_UN)
  }

  /// Whether the next line can begin at the end, which is at `size`.
  func endsInNewline(at size: Int64) throws(TransportError) -> Bool {
    guard size > 0 else { return true }
    var last: UInt8 = 0
    let result = retrying { pread(file.number, &last, 1, Int(size) - 1) }
    guard result >= 0 else { throw .system(errno, path: file.path) }
    return last == UInt8(ascii: "\n")
  }

  /// Appends `bytes` to a file of `size` bytes. When it throws, nothing of them
  /// is left in the file.
  /// - Returns: where they begin: behind `size` when somebody who takes no lock
  ///   was there first.
  func append(_ bytes: [UInt8], at size: Int64) throws(TransportError) -> Int64 {
    do throws(TransportError) {
      guard !bytes.isEmpty else { return size }
      try writeAll(bytes, at: size)
      // Just behind what was appended, whoever else appends (write(2), O_APPEND).
      let end = lseek(file.number, 0, SEEK_CUR)
      return end < 0 ? size : Int64(end) - Int64(bytes.count)
    } catch {
      cutBack(to: size, atMost: bytes.count)
      throw error
    }
  }

  /// Appends `bytes` to a file of `size` bytes and syncs it, fdatasync(2);
  /// with no bytes, syncs what others have appended. When it throws, nothing
  /// of them is left in the file.
  /// - Returns: see ``append(_:at:)``.
  func write(_ bytes: [UInt8], at size: Int64) throws(TransportError) -> Int64 {
    let start = try append(bytes, at: size)
    do throws(TransportError) {
      try sync()
      return start
    } catch {
      // After a failed sync, another one may succeed although nothing is on
      // the disk: only writing anew makes the bytes dirty again.
      cutBack(to: size, atMost: bytes.count)
      throw error
    }
  }

  /// Puts everything that was appended on the disk.
  func sync() throws(TransportError) {
    guard retrying({ fdatasync(file.number) }) == 0 else { throw .system(errno, path: file.path) }
    if needsFolderSync { try Self.syncFolder(of: file.path) }
    needsFolderSync = false
  }

  private func writeAll(_ bytes: [UInt8], at size: Int64) throws(TransportError) {
    var count = 0
    while count < bytes.count {
      let part = bytes[count...]
      let written = retrying {
        part.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
      }
      // A short write tells the reason only when one asks for the rest.
      guard written > 0 else { throw .system(written < 0 ? errno : EIO, path: file.path) }
      if written == bytes.count { return }
      count += written
    }
    guard try FileStatus(of: file).sizeInBytes == size + Int64(bytes.count) else {
      throw .system(EIO, path: file.path)
    }
  }

  /// Removes what was written of a block; unless somebody who takes no lock
  /// has appended something after it.
  private func cutBack(to size: Int64, atMost count: Int) {
    guard let now = try? FileStatus(of: file).sizeInBytes, now > size,
      now <= size + Int64(count)
    else { return }
    _ = retrying { ftruncate(file.number, Int(size)) }
  }

  // MARK: Folders

  /// Throws when the folder that `path` is in is not there.
  static func requireFolder(of path: String) throws(TransportError) {
    let folder = Path.parent(of: path)
    // The slash behind it asks for a folder, path_resolution(7).
    guard access(folder + "/", F_OK) != 0 else { return }
    let number = errno
    var error = TransportError.creating(number, path: folder)
    if number == ENOENT {
      error.reason = String(cString: strerror(number)) + "; make the folder first"
    }
    throw error
  }

  static func makeFolder(_ folder: String) throws(TransportError) {
    guard access(folder, F_OK) != 0 else { return }
    let above = Path.parent(of: folder)
    if above != folder { try makeFolder(above) }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw .creating(errno, path: folder)
    }
    try syncFolder(of: folder)
  }

  /// Puts a new name on the disk, fsync(2) of the folder that it is in. Where
  /// the folder must not be read, or cannot be synced, there is no way to.
  static func syncFolder(of path: String) throws(TransportError) {
    guard let folder = try? Descriptor.openFolder(Path.parent(of: Path.resolved(path) ?? path))
    else {
      return
    }
    guard retrying({ fsync(folder.number) }) == 0 || errno == EINVAL || errno == EROFS else {
      throw .system(errno, path: folder.path)
    }
  }
}
