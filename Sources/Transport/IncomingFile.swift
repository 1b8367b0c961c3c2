internal import FileSystem
internal import Glibc
internal import TransportSecurity

/// A file that has no name to be found by until it is complete.
struct IncomingFile: ~Copyable {
  private static let prefix = ".incoming-"
  /// After which time, in seconds, such a file may be one that nobody
  /// completes any more.
  private static let abandonedAge = 3600

  private let number: Int32
  private let path: String

  /// Makes one in the folder that it is to be found in.
  init(in folder: String, mode: mode_t = 0o666) throws(TransportError) {
    let path = "\(folder)/\(Self.prefix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    number = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    self.path = path
    guard number >= 0 else { throw .creating(errno, path: folder) }
    // Held as long as it is open, for others to know that somebody writes it.
    flock(number, LOCK_EX | LOCK_NB)
  }

  deinit {
    close(number)
    unlink(path)
  }

  /// Removes what was left in `folder` by writers that were killed: what is
  /// old and held by nobody. What cannot be removed stays.
  static func removeAbandoned(in folder: String) {
    guard let entries = FolderEntries(folder) else { return }
    for name in entries {
      guard name.hasPrefix(prefix), isAbandoned(name, in: entries.descriptor) else { continue }
      unlinkat(entries.descriptor, name, 0)
    }
  }

  private static func isAbandoned(_ name: String, in folder: Int32) -> Bool {
    let number = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { return false }
    defer { close(number) }
    var status = stat()
    return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_mtim.tv_sec < time(nil) - abandonedAge
      && flock(number, LOCK_EX | LOCK_NB) == 0
  }

  /// Copies `source`, and syncs the copy.
  /// - Parameter progress: hears how many bytes are copied.
  /// - Returns: its SHA-256.
  func fill(
    from source: borrowing Descriptor, progress: (Int64) -> Void
  ) throws(TransportError) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256()
    var offset: Int64 = 0
    while true {
      let count = try source.read(into: buffer, at: offset)
      if count == 0 { break }
      let block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      digest.update(block)
      try write(block)
      offset += Int64(count)
      progress(offset)
    }
    try sync()
    return digest.finish()
  }

  /// Puts what was written on the disk, fsync(2).
  func sync() throws(TransportError) {
    guard retrying({ fsync(number) }) == 0 else { throw .system(errno, path: path) }
  }

  /// The SHA-256 of what was written.
  func digest() throws(TransportError) -> String {
    try SHA256.digest(ofFile: number, path: path)
  }

  /// Appends bytes.
  func write(_ block: UnsafeRawBufferPointer) throws(TransportError) {
    var rest = block[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = retrying { Glibc.write(number, part.baseAddress, part.count) }
      guard written > 0 else { throw .system(errno, path: path) }
      rest = rest.dropFirst(written)
    }
  }

  /// Gives it the name that it is found by, for good.
  func rename(to name: String) throws(TransportError) {
    guard Glibc.rename(path, name) == 0 else { throw .system(errno, path: name) }
    try WritableFile.syncFolder(of: name)
  }
}

extension SHA256 {
  /// The digest of an open file from its beginning, as 64 hexadecimal digits.
  static func digest(ofFile number: Int32, path: String) throws(TransportError) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256()
    var offset = 0
    while true {
      let count = retrying { pread(number, buffer.baseAddress, buffer.count, offset) }
      guard count >= 0 else { throw .system(errno, path: path) }
      if count == 0 { return digest.finish() }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }
}
