internal import CPosix
internal import Glibc

/// A small file that is replaced as a whole (rename(2)), by one program at a
/// time: the lock is on a file beside it, `.lock`, because the file itself is
/// another one after each change (flock(2)).
package struct LockedFile: ~Copyable {
  private static let patience = Duration.seconds(5)
  private static let advice = "check the path and its permissions"

  private let path: String
  private let lock: Int32

  /// Makes the folder where it is missing, and takes the lock.
  package init(_ path: String) throws(TLSError) {
    // A link must stay one, and point to what has been written.
    let path = Self.resolved(path)
    let folder = Self.folder(of: path)
    guard posix_make_private_folder(folder) == 0 else {
      throw .system(errno, path: folder, Self.advice)
    }
    let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .system(errno, path: "\(path).lock", Self.advice) }
    let deadline = ContinuousClock.now + Self.patience
    // Asks again and again: nothing could end a wait inside the call.
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      guard number == EWOULDBLOCK || number == EINTR, ContinuousClock.now < deadline else {
        Glibc.close(lock)
        throw .system(number, path: "\(path).lock", "another program holds it; try again")
      }
      usleep(.random(in: 500...3000))
    }
    (self.path, self.lock) = (path, lock)
  }

  deinit {
    Glibc.close(lock)
  }

  /// Replaces what is in the file, which then only its owner can read.
  package func replace(_ text: String) throws(TLSError) {
    let new = "\(path).new"
    // Left by a program that has died: nobody else writes it under the lock.
    unlink(new)
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(errno, path: new, Self.advice) }
    let isWritten = Self.write(Array(text.utf8), to: descriptor) && fsync(descriptor) == 0
    var number = errno
    Glibc.close(descriptor)
    if isWritten {
      if rename(new, path) == 0 { return Self.syncFolder(of: path) }
      number = errno
    }
    unlink(new)
    throw .system(number, path: path, Self.advice)
  }

  /// All that is in the file; nothing when it is not there.
  package static func contents(of path: String) throws(TLSError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw .system(errno, path: path, advice)
    }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno, path: path, advice) }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Puts the new name on the disk, where the file system can.
  private static func syncFolder(of path: String) {
    let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    Glibc.close(descriptor)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// dirname(3), byte by byte.
  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(Substring(path.utf8[..<slash]))
  }
}
