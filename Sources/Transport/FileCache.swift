internal import CPosix
internal import Executors
internal import FileSystem
internal import Glibc
internal import TransportSecurity

/// Files of rooms elsewhere, kept on this machine so that each is fetched once:
/// by room and SHA-256, for nobody else, the oldest removed when there are too
/// many.
package actor FileCache {
  private let executor = QueueExecutor(label: "banter.cache")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let folder: String
  private let limitInBytes: Int64

  /// - Parameter limitInBytes: what all files may take together.
  package init(folder: String, limitInBytes: Int64 = 256 << 20) {
    self.folder = folder
    self.limitInBytes = limitInBytes
  }

  /// A file that is there and is what it should be.
  func file(_ sha256: String, in room: String) -> OpenFile? {
    let path = "\(folder(of: room))/\(sha256)"
    guard let file = try? Descriptor.openStored(path) else { return nil }
    guard (try? file.digest().sha256) == sha256 else {
      unlink(path)
      return nil
    }
    posix_note_use(path)
    return try? file.shared(isCached: true)
  }

  /// The contents of a file that some room has fetched, on any thread.
  /// - Throws: also that it is not there, or that it is not known by its
  ///   contents.
  package nonisolated func contents(
    of storedPath: String, sha256: String?, limit: Int64
  ) throws(TransportError) -> [UInt8] {
    let digest = sha256 ?? RoomFiles.digest(inName: storedPath)
    let rooms = Self.names(in: folder)
    guard let digest, SHA256.isDigest(digest),
      let room = rooms.first(where: { access("\(folder)/\($0)/\(digest)", F_OK) == 0 })
    else { throw .system(ENOENT, path: folder) }
    return try RoomFiles.contents(
      ofFile: "\(folder)/\(room)/\(digest)", expected: [digest], limit: limit)
  }

  /// A file to be filled, which ``keep(_:as:in:)`` gives its name.
  func makePart(in room: String) throws(TransportError) -> PartialFile {
    let folder = folder(of: room)
    for path in [Path.parent(of: self.folder), self.folder, folder] {
      try Self.makePrivateFolder(path)
    }
    return PartialFile(try IncomingFile(in: folder, mode: 0o600))
  }

  private static func makePrivateFolder(_ path: String) throws(TransportError) {
    try WritableFile.makeFolder(Path.parent(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .creating(errno, path: path) }
  }

  /// - Parameter sha256: what it should be; nil where nobody knows.
  /// - Returns: it under its name.
  func keep(
    _ part: PartialFile, as sha256: String?, in room: String
  ) throws(TransportError) -> OpenFile {
    let digest = try part.file.digest()
    guard sha256 == nil || sha256 == digest else {
      throw .altered()
    }
    let path = "\(folder(of: room))/\(digest)"
    do throws(TransportError) {
      try part.file.rename(to: path)
    } catch {
      guard error.errorNumber == ENOENT else { throw error }
      // The folder was removed meanwhile.
      let copy = try makePart(in: room)
      let source = try Descriptor(sharing: part.file.contents)
      _ = try copy.file.fill(from: source, upTo: FileStatus(of: source).sizeInBytes) { _ in }
      try copy.file.rename(to: path)
    }
    makeRoom(besides: path)
    return try Descriptor.openStored(path).shared(isCached: true)
  }

  private func folder(of room: String) -> String {
    var room = room
    let digest = room.withUTF8 { SHA256.digest(of: UnsafeRawBufferPointer($0)) }
    let name = digest.prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    return "\(folder)/\(name.joined())"
  }

  // MARK: - What there is

  private func makeRoom(besides kept: String) {
    var files = CachedFiles()
    for room in Self.names(in: folder) {
      for name in Self.names(in: "\(folder)/\(room)") { files.add("\(folder)/\(room)/\(name)") }
    }
    files.makeRoom(limitInBytes: limitInBytes, besides: kept)
  }

  /// What is in a folder and not hidden.
  private static func names(in folder: String) -> [String] {
    FolderEntries(folder)?.filter { !$0.hasPrefix(".") } ?? []
  }
}

/// A file that is being filled, removed unless it is given a name.
final class PartialFile: Sendable {
  let file: IncomingFile

  init(_ file: consuming IncomingFile) {
    self.file = file
  }
}
