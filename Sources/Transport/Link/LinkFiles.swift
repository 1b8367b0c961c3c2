internal import ChatModel
internal import Executors
internal import FileSystem
internal import Glibc
internal import TransportSecurity

/// The files of a room at the far side of a line: brought there, and fetched
/// from there into a cache.
actor LinkFiles: RoomFileStore {
  private let executor = QueueExecutor(label: "banter.link.files")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let room: LinkRoom
  private let cache: FileCache

  init(_ room: LinkRoom, _ cache: FileCache) {
    self.room = room
    self.cache = cache
  }

  private var limit: Int64 { room.capabilities.maximumFileBytes ?? RoomFiles.maximumBytes }

  func store(
    _ file: OpenFile, progress: @escaping FileProgress
  ) async throws(TransportError) -> FileReference {
    let file = try UploadSource(file, limit: limit)
    let stored = try await room.upload(file, progress: progress)
    return FileReference(
      path: stored, name: file.name, mediaType: file.mediaType, sizeInBytes: file.sizeInBytes,
      sha256: file.sha256)
  }

  func fetch(
    _ storedPath: String, sha256: String?, limit: Int64, progress: @escaping FileProgress
  ) async throws(TransportError) -> OpenFile {
    guard RoomFiles.isName(storedPath) else { throw .outsideOfRoom }
    let name = await room.cacheName
    let digest = sha256 ?? RoomFiles.digest(inName: storedPath)
    if let digest, SHA256.isDigest(digest), let file = await cache.file(digest, in: name) {
      return file
    }
    let part = try await cache.makePart(in: name)
    try await room.download(
      storedPath, into: part, limit: min(limit, self.limit), progress: progress)
    return try await cache.keep(part, as: digest, in: name)
  }
}

/// A file of this machine that is on its way to the far side.
final class UploadSource: Sendable {
  let name: String
  let sizeInBytes: Int64
  let sha256: String
  let mediaType: String?
  private let file: Descriptor

  /// Reads a file once, for its digest.
  init(_ source: OpenFile, limit: Int64) throws(TransportError) {
    let file = try Descriptor(sharing: source)
    sizeInBytes = try FileStatus(of: file).sizeInBytes
    guard sizeInBytes <= limit else { throw .tooLarge(source.path, limit: limit) }
    sha256 = try file.digest(upTo: sizeInBytes).sha256
    mediaType = ImageType(beginning: try file.part(at: 0, count: 16))?.rawValue
    name = Path.name(of: source.path)
    self.file = file
  }

  /// The part at an offset.
  /// - Throws: also where the file has become another one.
  func part(at offset: Int64) throws(TransportError) -> [UInt8] {
    let wanted = Int(min(Int64(LineProtocol.maximumChunkBytes), sizeInBytes - offset))
    let bytes = try file.part(at: offset, count: wanted)
    guard bytes.count == wanted else {
      throw TransportError(
        .invalid, path: file.path, reason: "it has become shorter meanwhile; send it again")
    }
    return bytes
  }
}
