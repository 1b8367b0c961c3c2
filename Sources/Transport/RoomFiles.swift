package import ChatModel
internal import Executors
internal import Glibc

/// The images and files of a room: in `NAME.files/` beside its file, named by
/// their SHA-256 and the extension that they came with.
package actor RoomFiles {
  /// What one file may be large at most.
  package static let maximumBytes = 64 * 1024 * 1024

  private let folder: String
  private let executor = QueueExecutor(label: "room files")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter room: the path of the room's file.
  package init(room: String) {
    folder = (room.hasSuffix(".jsonl") ? String(room.dropLast(6)) : room) + ".files"
  }

  /// Where a stored path leads to; nil when it would lead out of the folder.
  ///
  /// Whoever opens it does so with `O_NOFOLLOW`, and reads regular files only.
  package nonisolated func location(of storedPath: String) -> String? {
    guard !storedPath.isEmpty, !storedPath.hasPrefix("."), !storedPath.contains("/"),
      !storedPath.utf8.contains(0), storedPath.utf8.count <= 255
    else { return nil }
    return "\(folder)/\(storedPath)"
  }

  /// Copies a file into the folder and syncs it; a file that is there already
  /// is not written again.
  package func store(_ path: String) throws(TransportError) -> FileReference {
    let source = try Descriptor.openFile(path, O_RDONLY)
    let size = try FileStatus(of: source).sizeInBytes
    guard size <= Self.maximumBytes else {
      throw TransportError(
        .tooLarge, path: path,
        reason: "it has \(size) bytes, and \(Self.maximumBytes) is the most; send a smaller one")
    }
    try WritableFile.makeFolder(folder)
    let copy = try TemporaryFile(in: folder)
    let (digest, beginning) = try copy.fill(from: source)
    let type = MediaType(beginning: beginning)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stored = digest + Self.fileExtension(of: name, type)
    try copy.rename(to: "\(folder)/\(stored)")
    return FileReference(
      path: stored, name: name, mediaType: type?.rawValue, sizeInBytes: size, sha256: digest)
  }

  /// The extension of the name with its point, where it is a harmless one.
  private static func fileExtension(of name: String, _ type: MediaType?) -> String {
    if let type { return ".\(type.fileExtension)" }
    guard let point = name.lastIndex(of: ".") else { return "" }
    let text = name[point...].dropFirst().lowercased()
    let isPlain = text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 }
    return isPlain && (1...8).contains(text.count) ? ".\(text)" : ""
  }
}

/// A file that has no name to be found by until it is complete.
private struct TemporaryFile: ~Copyable {
  private let number: Int32
  private let path: String

  init(in folder: String) throws(TransportError) {
    let path = "\(folder)/.incoming-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    number = retrying { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    self.path = path
    guard number >= 0 else { throw .creating(errno, path: folder) }
  }

  deinit {
    close(number)
    unlink(path)
  }

  /// Copies `source`, and syncs the copy.
  /// - Returns: its SHA-256, and its first bytes.
  func fill(
    from source: borrowing Descriptor
  ) throws(TransportError) -> (digest: String, beginning: [UInt8]) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
    defer { buffer.deallocate() }
    var digest = SHA256()
    var beginning: [UInt8] = []
    var offset: Int64 = 0
    while true {
      let count = try source.read(into: buffer, at: offset)
      if count == 0 { break }
      let block = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if offset == 0 { beginning = Array(block.prefix(16)) }
      digest.update(block)
      try write(block)
      offset += Int64(count)
    }
    guard retrying({ fsync(number) }) == 0 else { throw .system(errno, path: path) }
    return (digest.finish(), beginning)
  }

  private func write(_ block: UnsafeRawBufferPointer) throws(TransportError) {
    var rest = block[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = retrying { Glibc.write(number, part.baseAddress, part.count) }
      guard written > 0 else { throw .system(errno, path: path) }
      rest = rest.dropFirst(written)
    }
  }

  func rename(to name: String) throws(TransportError) {
    guard Glibc.rename(path, name) == 0 else { throw .system(errno, path: name) }
    try WritableFile.syncFolder(of: name)
  }
}

/// The kinds of image that are known by how they begin.
enum MediaType: String, CaseIterable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .gif: "gif"
    case .webp: "webp"
    }
  }

  init?(beginning: [UInt8]) {
    if beginning.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if beginning.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if beginning.starts(with: Array("GIF8".utf8)) {
      self = .gif
    } else if beginning.starts(with: Array("RIFF".utf8)),
      beginning.dropFirst(8).starts(with: Array("WEBP".utf8))
    {
      self = .webp
    } else {
      return nil
    }
  }
}
