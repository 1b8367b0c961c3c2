internal import FileSystem
internal import Glibc
internal import TransportSecurity

/// A file that has no name to be found by until it is complete.
struct IncomingFile: ~Copyable {
  /// What was written so far, also when the folder is gone.
  let contents: OpenFile

  /// Makes one in the folder that it is to be found in; what others have left
  /// there goes.
  init(in folder: String, mode: mode_t = 0o666) throws(TransportError) {
    UnfinishedFile.removeAbandoned(in: folder)
    guard let (number, path) = UnfinishedFile.make(in: folder, mode: mode) else {
      throw .creating(errno, path: folder)
    }
    contents = OpenFile(number, path: path)
  }

  deinit {
    unlink(contents.path)
  }

  private var number: Int32 { contents.number }
  private var path: String { contents.path }

  /// Copies `source`, and syncs the copy, until its task is cancelled.
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
      try TransportError.throwIfCancelled()
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
  /// The digest of an open file from its beginning, as 64 hexadecimal digits;
  /// none when its task is cancelled.
  static func digest(ofFile number: Int32, path: String) throws(TransportError) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256()
    var offset = 0
    while true {
      try TransportError.throwIfCancelled()
      let count = retrying { pread(number, buffer.baseAddress, buffer.count, offset) }
      guard count >= 0 else { throw .system(errno, path: path) }
      if count == 0 { return digest.finish() }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
    }
  }
}

extension TransportError {
  /// What was begun and is not wanted any more.
  static let givenUp = TransportError(.closed, reason: "it was given up")

  static func throwIfCancelled() throws(TransportError) {
    guard !Task.isCancelled else { throw .givenUp }
  }
}
