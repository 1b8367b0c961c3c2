internal import FileSystem
internal import Glibc

/// An open file, closed when its owner goes. open(2), pread(2), fstat(2).
struct Descriptor: ~Copyable {
  let number: Int32
  /// What it was opened by, for errors.
  let path: String

  /// What a file is opened as, for errors.
  enum Role {
    case room, attachment
    /// What somebody else has named.
    case stored
  }

  /// Opens a regular file; a folder, a pipe or a device is refused without
  /// being opened, since opening alone can block or rewind something.
  static func openFile(
    _ path: String, _ flags: Int32, as role: Role = .room
  ) throws(TransportError) -> Descriptor {
    if let status = try FileStatus(ofPath: path), !status.isRegular {
      throw .notRegular(path: path, mode: status.mode, role)
    }
    let common = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let number = retrying { open(path, flags | common, 0o666) }
    guard number >= 0 else { throw .system(errno, path: path) }
    let file = Descriptor(number: number, path: path)
    let status = try FileStatus(of: file)
    guard status.isRegular else { throw .notRegular(path: path, mode: status.mode, role) }
    return file
  }

  /// Opens a regular file whose name came from somebody else, to read it: the
  /// name is no link that is followed elsewhere.
  static func openStored(_ path: String) throws(TransportError) -> Descriptor {
    let before = try FileStatus(ofLink: path)
    guard before.isRegular else { throw .notRegular(path: path, mode: before.mode, .stored) }
    let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let number = retrying { open(path, flags) }
    guard number >= 0 else { throw .system(errno, path: path) }
    let file = Descriptor(number: number, path: path)
    let status = try FileStatus(of: file)
    guard status.isRegular else { throw .notRegular(path: path, mode: status.mode, .stored) }
    return file
  }

  /// Opens a folder, in order to sync it.
  static func openFolder(_ path: String) throws(TransportError) -> Descriptor {
    let number = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { throw .system(errno, path: path) }
    return Descriptor(number: number, path: path)
  }

  /// The same open file as another owner has.
  init(sharing file: OpenFile) throws(TransportError) {
    path = file.path
    number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
    guard number >= 0 else { throw .system(errno, path: file.path) }
  }

  /// The same open file for others.
  /// - Parameter isCached: whether it is in a cache of this user's.
  func shared(isCached: Bool = false) throws(TransportError) -> OpenFile {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .system(errno, path: path) }
    return OpenFile(copy, path: path, isCached: isCached)
  }

  private init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    close(number)
  }

  /// Fills `buffer` from `offset` on as far as the file goes; returns how many
  /// bytes that were.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(TransportError) -> Int {
    var count = 0
    while count < buffer.count {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let got = retrying { pread(number, part.baseAddress, part.count, Int(offset) + count) }
      guard got >= 0 else { throw .system(errno, path: path) }
      if got == 0 { break }
      count += got
    }
    return count
  }
}

/// What stat(2) tells of a file, as far as it matters here.
struct FileStatus {
  /// Which file it is, whatever it is called.
  struct Identity: Hashable {
    var device: UInt
    var inode: UInt
  }

  var identity: Identity
  var sizeInBytes: Int64
  var mode: UInt32

  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

  private init(_ status: stat) {
    identity = Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
    sizeInBytes = Int64(status.st_size)
    mode = UInt32(status.st_mode)
  }

  init(of file: borrowing Descriptor) throws(TransportError) {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw .system(errno, path: file.path) }
    self.init(status)
  }

  /// Of a symbolic link itself, lstat(2).
  init(ofLink path: String) throws(TransportError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .system(errno, path: path) }
    self.init(status)
  }

  /// Follows symbolic links. Nil when nothing is there.
  init?(ofPath path: String) throws(TransportError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .system(errno, path: path)
    }
    self.init(status)
  }
}

/// Calls again as long as a signal interrupts the call, signal(7).
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}
