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

  /// Copies what `source` has before `end`, and syncs the copy, until its task
  /// is cancelled.
  /// - Parameter progress: hears how many bytes are copied.
  func fill(
    from source: borrowing Descriptor, upTo end: Int64, progress: (Int64) -> Void
  ) throws(TransportError) -> Contents {
    let copied = try source.digest(upTo: end) { block, count throws(TransportError) in
      try write(block)
      progress(count)
    }
    try sync()
    return copied
  }

  /// Puts what was written on the disk, fsync(2).
  func sync() throws(TransportError) {
    guard retrying({ fsync(number) }) == 0 else { throw .system(errno, path: path) }
  }

  /// The SHA-256 of what was written.
  func digest() throws(TransportError) -> String {
    try Descriptor(sharing: contents).digest().sha256
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

/// What a file holds, by its digest, 64 hexadecimal digits, and its size.
typealias Contents = (sha256: String, sizeInBytes: Int64)

extension Descriptor {
  /// Reads what the file has before `end`, block by block, until its task is
  /// cancelled: of one that grows meanwhile, no more.
  /// - Parameter use: is handed each block, and how many bytes that makes.
  func digest(
    upTo end: Int64,
    _ use: (UnsafeRawBufferPointer, Int64) throws(TransportError) -> Void = { _, _ in }
  ) throws(TransportError) -> Contents {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256()
    var offset: Int64 = 0
    while offset < end {
      try TransportError.throwIfCancelled()
      let wanted = Int(min(Int64(buffer.count), end - offset))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let count = try read(into: part, at: offset)
      if count == 0 { break }
      let block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      digest.update(block)
      offset += Int64(count)
      try use(block, offset)
    }
    try TransportError.throwIfCancelled()
    return (digest.finish(), offset)
  }

  /// The same up to where it ends now.
  func digest() throws(TransportError) -> Contents {
    try digest(upTo: FileStatus(of: self).sizeInBytes)
  }
}

extension TransportError {
  /// What was begun and is not wanted any more.
  static let givenUp = TransportError(.closed, reason: "it was given up")

  static func throwIfCancelled() throws(TransportError) {
    guard !Task.isCancelled else { throw .givenUp }
  }
}
