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

  /// The path of a file that is there and is what it should be.
  func path(of sha256: String, in room: String) -> String? {
    let path = "\(folder(of: room))/\(sha256)"
    guard let file = try? Descriptor.openStored(path) else { return nil }
    guard (try? SHA256.digest(ofFile: file.number, path: path)) == sha256 else {
      unlink(path)
      return nil
    }
    posix_note_use(path)
    return path
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
  /// - Returns: its path.
  func keep(
    _ part: PartialFile, as sha256: String?, in room: String
  ) throws(TransportError) -> String {
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
      _ = try copy.file.fill(from: Descriptor(sharing: part.file.contents)) { _ in }
      try copy.file.rename(to: path)
    }
    makeRoom(besides: path)
    return path
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
