internal import Glibc
internal import Synchronization

/// A file that is being filled and has no name to be found by until it is
/// complete; removed unless it gets one.
///
/// When the disk that it is on is full, it goes on in the next folder.
final class IncomingImage: Sendable {
  /// What the names of such files begin with.
  static let prefix = ".incoming-"

  private struct State {
    var file: OpenFile
    var sizeInBytes = 0
    /// Those that have not been tried.
    var folders: ArraySlice<CacheFolder>
  }

  private struct OpenFile {
    var descriptor: Int32
    var path: String
    var folder: CacheFolder
  }

  /// Guarded: it is filled on one thread and completed on another.
  private let state: Mutex<State>

  /// Makes one in the first of `folders` that takes one.
  init(in folders: [CacheFolder]) throws(ImageFailure) {
    var rest = folders[...]
    state = Mutex(State(file: try Self.make(in: &rest), folders: rest))
  }

  deinit {
    state.withLock {
      close($0.file.descriptor)
      unlink($0.file.path)
    }
  }

  /// Takes those folders that it has tried away.
  private static func make(in folders: inout ArraySlice<CacheFolder>) throws(ImageFailure)
    -> OpenFile
  {
    var number = ENOENT
    while let folder = folders.popFirst() {
      if folder.prepare(), let (descriptor, path) = makeFile(in: folder.path) {
        return OpenFile(descriptor: descriptor, path: path, folder: folder)
      }
      number = errno
    }
    throw .notKept(errorNumber: number)
  }

  /// Its lock tells others that somebody fills it (flock(2)). One who looked
  /// before the lock was there may have removed it: then there is another.
  private static func makeFile(in folder: String) -> (Int32, String)? {
    for _ in 0..<16 {
      let path = "\(folder)/\(prefix)\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      var status = stat()
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0,
        status.st_nlink > 0
      {
        return (descriptor, path)
      }
      close(descriptor)
      unlink(path)
    }
    return nil
  }

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ImageFailure) {
    try state.withLock { state throws(ImageFailure) in
      while let number = Self.append(bytes, to: state.file.descriptor, at: state.sizeInBytes) {
        guard !state.folders.isEmpty else { throw .notKept(errorNumber: number) }
        try Self.move(&state)
      }
      state.sizeInBytes += bytes.count
    }
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(ImageFailure) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ImageFailure) in try write(bytes) }
    }
    try result.get()
  }

  /// Goes on in the next folder with what was written.
  private static func move(_ state: inout State) throws(ImageFailure) {
    let old = state.file
    defer {
      close(old.descriptor)
      unlink(old.path)
    }
    var folders = state.folders
    let file = try make(in: &folders)
    (state.file, state.folders) = (file, folders)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < state.sizeInBytes {
      let count = pread(
        old.descriptor, buffer.baseAddress, min(buffer.count, state.sizeInBytes - offset), offset)
      guard count > 0 else { throw .notKept(errorNumber: count < 0 ? errno : EIO) }
      let block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if let number = append(block, to: file.descriptor, at: offset) {
        throw .notKept(errorNumber: number)
      }
      offset += count
    }
  }

  /// - Returns: errno(3) when it fails.
  private static func append(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int
  ) -> Int32? {
    var written = 0
    while written < bytes.count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = pwrite(descriptor, part.baseAddress, part.count, offset + written)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return nil
  }

  /// How much was written.
  var sizeInBytes: Int { state.withLock(\.sizeInBytes) }

  /// Removes what was written.
  func clear() {
    state.withLock {
      ftruncate($0.file.descriptor, 0)
      $0.sizeInBytes = 0
    }
  }

  /// The header of what was written.
  func header(_ limits: ImageLimits) throws(ImageFailure) -> ImageHeader {
    try state.withLock { state throws(ImageFailure) in
      try ImageFile.header(
        ofFile: state.file.descriptor, sizeInBytes: state.sizeInBytes, limits: limits)
    }
  }

  /// Gives it a name in its folder, once all of it is on the disk: after a
  /// power cut there is no name without the bytes.
  func rename(to name: String) throws(ImageFailure) -> (path: String, folder: CacheFolder) {
    try state.withLock { state throws(ImageFailure) in
      let path = "\(state.file.folder.path)/\(name)"
      guard fdatasync(state.file.descriptor) == 0, Glibc.rename(state.file.path, path) == 0 else {
        throw .notKept(errorNumber: errno)
      }
      return (path, state.file.folder)
    }
  }
}
