internal import FileSystem
internal import Glibc
internal import Synchronization

/// A file that is being filled and has no name to be found by until it is
/// complete; removed unless it gets one.
///
/// When the disk that it is on is full, it goes on in the next folder.
final class IncomingImage: Sendable {
  private struct State {
    var file: Part
    var sizeInBytes = 0
    /// Those that have not been tried.
    var folders: ArraySlice<CacheFolder>
  }

  private struct Part {
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
    -> Part
  {
    var number = ENOENT
    while let folder = folders.popFirst() {
      if folder.prepare(),
        let (descriptor, path) = UnfinishedFile.make(in: folder.path, mode: 0o600)
      {
        return Part(descriptor: descriptor, path: path, folder: folder)
      }
      number = errno
    }
    throw .notKept(errorNumber: number)
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
  /// power cut there is no name without the bytes. A folder that was removed
  /// meanwhile is made anew.
  func rename(to name: String) throws(ImageFailure) -> (path: String, folder: CacheFolder) {
    try state.withLock { state throws(ImageFailure) in
      if let path = Self.rename(state.file, to: name) { return (path, state.file.folder) }
      guard errno == ENOENT else { throw .notKept(errorNumber: errno) }
      state.folders = [state.file.folder] + state.folders
      try Self.move(&state)
      guard let path = Self.rename(state.file, to: name) else {
        throw .notKept(errorNumber: errno)
      }
      return (path, state.file.folder)
    }
  }

  /// - Returns: nil, with errno(3), when it fails.
  private static func rename(_ file: Part, to name: String) -> String? {
    let path = "\(file.folder.path)/\(name)"
    return fdatasync(file.descriptor) == 0 && Glibc.rename(file.path, path) == 0 ? path : nil
  }
}
