internal import ChatModel
package import Executors
internal import FileSystem
internal import Glibc
internal import TransportSecurity

/// The files of rooms as one sees them who shares the rooms with many: what
/// others bring comes in parts, is checked, and has a name only when it is
/// whole; what they ask for goes out in parts.
///
/// Everything here waits for the disk, on a queue of its own. What is under way
/// has a number, which the caller chooses.
package actor SharedRoomFiles {
  package nonisolated let executor = QueueExecutor(label: "banter.files")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What is kept of files that were not brought to their end.
  package struct Limits: Sendable {
    package var unfinished = 32
    package var unfinishedOfOne = 4
    /// How long one who was cut off may take to come back.
    package var age = Duration.seconds(3600)
    /// After which silence another connection of the same profile may go on.
    package var silence = Duration.seconds(5)

    package init() {}
  }

  /// A file that somebody wants to bring.
  package struct Offer: Hashable, Sendable {
    /// The path of the room's file.
    package var room: String
    package var profileID: String
    /// What the file is called; its contents decide what it is.
    package var name: String
    package var sizeInBytes: Int64
    /// 64 hexadecimal digits in small letters.
    package var sha256: String

    package init(
      room: String, profileID: String, name: String, sizeInBytes: Int64, sha256: String
    ) {
      (self.room, self.profileID, self.name) = (room, profileID, name)
      (self.sizeInBytes, self.sha256) = (sizeInBytes, sha256)
    }

    fileprivate func isSameFile(as other: Offer) -> Bool {
      room == other.room && profileID == other.profileID && sha256 == other.sha256
        && sizeInBytes == other.sizeInBytes
    }
  }

  /// How far a file has come.
  package enum Step: Hashable, Sendable {
    /// To be brought from that byte on.
    case ready(offset: Int64)
    case received(Int64)
    /// It is in the room, synced, under that path.
    case stored(path: String)
  }

  private let limits: Limits
  private var uploads: [Int: Upload] = [:]
  /// What waits to be gone on with, oldest first.
  private var unfinished: [Upload] = []
  private var downloads: [Int: Download] = [:]
  /// Files that were found to be what they should be, as they were then.
  private var intact = RecentValues<FileVersion>()

  package init(_ limits: Limits = Limits()) {
    self.limits = limits
  }

  // MARK: - Bringing

  /// Begins with a file, or goes on with it where the same profile stopped.
  package func begin(_ offer: Offer, _ number: Int) throws(TransportError) -> Step {
    let folder = RoomFiles.folder(of: offer.room)
    if let path = stored(offer, in: folder) { return .stored(path: path) }
    if let upload = takeUnfinished(offer) {
      uploads[number] = upload
      return .ready(offset: upload.received)
    }
    uploads[number] = try Upload(offer, in: folder)
    return .ready(offset: 0)
  }

  /// The path of a file that is in the room already.
  private func stored(_ offer: Offer, in folder: String) -> String? {
    let types = ImageType.allCases.map(Optional.some) + [nil]
    let names = types.map { offer.sha256 + RoomFiles.fileExtension(of: offer.name, $0) }
    return names.first { isIntact("\(folder)/\($0)", offer) }
  }

  /// Whether a file is what is offered. What was read once, and was not written
  /// to since, is not read again: offering costs nothing.
  private func isIntact(_ path: String, _ offer: Offer) -> Bool {
    let version = { try? Descriptor.openStored(path).shared().version }
    guard let before = version(), before.sizeInBytes == offer.sizeInBytes else { return false }
    let known = "\(offer.sha256) \(path)"
    if intact[known] == before { return true }
    guard RoomFiles.isStored(offer.sha256, sizeInBytes: offer.sizeInBytes, at: path) else {
      return false
    }
    intact.remember(known, before)
    return true
  }

  private func takeUnfinished(_ offer: Offer) -> Upload? {
    if let index = unfinished.firstIndex(where: { $0.offer.isSameFile(as: offer) }) {
      return unfinished.remove(at: index)
    }
    // One whose way is broken may not be known to be gone.
    let left = uploads.first { _, upload in
      upload.offer.isSameFile(as: offer) && ContinuousClock.now - upload.heardAt > limits.silence
    }
    return left.flatMap { uploads.removeValue(forKey: $0.key) }
  }

  /// Adds a part, which is base64; checks the whole with the last one.
  /// - Throws: why nothing is left of what was brought so far.
  package func write(
    _ data: String, isLast: Bool, to number: Int
  ) throws(TransportError) -> Step {
    guard let upload = uploads.removeValue(forKey: number) else {
      throw TransportError(.busy, reason: "another connection goes on with this file")
    }
    try upload.append(data)
    guard isLast else {
      uploads[number] = upload
      return .received(upload.received)
    }
    return .stored(path: try upload.finish())
  }

  /// Keeps what was brought so far for one who was cut off.
  package func setAside(_ number: Int) {
    guard let upload = uploads.removeValue(forKey: number), upload.received > 0 else { return }
    unfinished.append(upload)
    let own = unfinished.indices.filter {
      unfinished[$0].offer.profileID == upload.offer.profileID
    }
    if own.count > limits.unfinishedOfOne {
      unfinished.remove(at: own[0])
    } else if unfinished.count > limits.unfinished {
      unfinished.removeFirst()
    }
  }

  package func discard(_ number: Int) {
    uploads[number] = nil
  }

  package func discardAll() {
    (uploads, unfinished, downloads) = ([:], [], [:])
  }

  /// Removes what nobody has come back for.
  package func removeOld() {
    unfinished.removeAll { ContinuousClock.now - $0.heardAt > limits.age }
  }

  // MARK: - Handing out

  /// Opens a file of a room, to be read from a byte on.
  package func open(
    _ storedPath: String, of room: String, from offset: Int64, _ number: Int
  ) throws(TransportError) {
    guard RoomFiles.isName(storedPath) else { throw .outsideOfRoom }
    let file = try Descriptor.openStored("\(RoomFiles.folder(of: room))/\(storedPath)")
    let size = try FileStatus(of: file).sizeInBytes
    guard (0...size).contains(offset) else {
      throw TransportError(.invalid, reason: "the file has \(size) bytes only")
    }
    downloads[number] = Download(file, from: offset, to: size)
  }

  /// The next part, as base64, and whether it is the last one.
  package func read(_ number: Int) throws(TransportError) -> (data: String, isLast: Bool) {
    guard let download = downloads[number] else {
      throw TransportError(.closed, reason: "nobody asked for it")
    }
    let (data, isLast) = try download.read()
    if isLast { downloads[number] = nil }
    return (data, isLast)
  }

  package func close(_ number: Int) {
    downloads[number] = nil
  }
}

/// A file that is being brought.
private final class Upload {
  let offer: SharedRoomFiles.Offer
  private let folder: String
  private let file: IncomingFile
  private var digest = SHA256()
  private var beginning: [UInt8] = []
  private(set) var received: Int64 = 0
  private(set) var heardAt = ContinuousClock.now

  init(_ offer: SharedRoomFiles.Offer, in folder: String) throws(TransportError) {
    (self.offer, self.folder) = (offer, folder)
    try WritableFile.makeFolder(folder)
    file = try IncomingFile(in: folder)
  }

  func append(_ data: String) throws(TransportError) {
    guard data.utf8.count <= (LineProtocol.maximumChunkBytes + 2) / 3 * 4,
      let bytes = Base64.decode(data)
    else {
      throw TransportError(
        .invalid,
        reason: "a chunk is base64 of at most \(LineProtocol.maximumChunkBytes) bytes")
    }
    guard received + Int64(bytes.count) <= offer.sizeInBytes else { throw wrongSize }
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(TransportError) in
        try file.write(bytes)
        digest.update(bytes)
      }
    }
    try written.get()
    if beginning.count < 16 { beginning += bytes.prefix(16 - beginning.count) }
    received += Int64(bytes.count)
    heardAt = .now
  }

  /// Checks the whole, and gives it its name.
  /// - Returns: the stored path.
  func finish() throws(TransportError) -> String {
    guard received == offer.sizeInBytes else { throw wrongSize }
    guard digest.finish() == offer.sha256 else {
      throw TransportError(
        .invalid, reason: "what has come has another SHA-256 than was said; send the file again")
    }
    try file.sync()
    let type = ImageType(beginning: beginning)
    let name = offer.sha256 + RoomFiles.fileExtension(of: offer.name, type)
    try file.rename(to: "\(folder)/\(name)")
    return name
  }

  private var wrongSize: TransportError {
    TransportError(
      .invalid,
      reason: "what has come is not \(offer.sizeInBytes) bytes long, as was said; send it again")
  }
}

/// A file that is being handed out.
private final class Download {
  private let file: Descriptor
  private var offset: Int64
  private let end: Int64

  init(_ file: consuming Descriptor, from offset: Int64, to end: Int64) {
    self.file = file
    (self.offset, self.end) = (offset, end)
  }

  func read() throws(TransportError) -> (data: String, isLast: Bool) {
    let bytes = try file.part(at: offset, count: LineProtocol.maximumChunkBytes)
    offset += Int64(bytes.count)
    // A file that has become shorter ends all the same.
    let isLast = offset >= end || bytes.isEmpty
    return (Base64.encode(bytes), isLast)
  }
}

extension Descriptor {
  /// The bytes from an offset on, as far as the file goes.
  func part(at offset: Int64, count: Int) throws(TransportError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { buffer.deallocate() }
    return Array(buffer[..<(try read(into: buffer, at: offset))])
  }
}
