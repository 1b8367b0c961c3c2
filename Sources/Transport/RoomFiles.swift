package import ChatModel
internal import Executors
package import FileSystem
internal import Glibc
internal import TransportSecurity

/// The images and files of a room: in `NAME.files/` beside its file, named by
/// their SHA-256 and the extension that they came with.
package actor RoomFiles: RoomFileStore {
  /// What one file may be large at most.
  package static let maximumBytes: Int64 = 64_000_000

  private let folder: String
  private let executor = QueueExecutor(label: "room files")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter room: the path of the room's file.
  package init(room: String) {
    folder = Self.folder(of: room)
  }

  /// The folder that belongs to a room's file.
  static func folder(of room: String) -> String {
    (room.hasSuffix(".jsonl") ? String(room.dropLast(6)) : room) + ".files"
  }

  /// Where a stored path leads to; nil when it would lead out of the folder.
  ///
  /// Whoever opens it does so with `O_NOFOLLOW`, and reads regular files only.
  package nonisolated func location(of storedPath: String) -> String? {
    Self.isName(storedPath) ? "\(folder)/\(storedPath)" : nil
  }

  /// Whether a stored path is the name of something in a folder, and not
  /// hidden.
  static func isName(_ storedPath: String) -> Bool {
    let name = storedPath.utf8
    return !name.isEmpty && name.first != UInt8(ascii: ".") && name.count <= 255
      && !name.contains(UInt8(ascii: "/")) && !name.contains(0)
  }

  /// See ``RoomFileStore``: it is where it is. Whoever may write into the folder
  /// can have put something else there under its name, or do so at any time.
  package func fetch(
    _ storedPath: String, sha256: String?, limit: Int64, progress: @escaping FileProgress
  ) throws(TransportError) -> OpenFile {
    guard let path = location(of: storedPath) else { throw .outsideOfRoom }
    let descriptor = try Self.openStored(path, limit: limit)
    let file = try descriptor.shared()
    let expected = Self.digests(of: storedPath, sha256)
    guard !expected.isEmpty else { return file }
    let digest = try descriptor.digest().sha256
    guard expected.allSatisfy({ $0 == digest }), file.isUnchanged else { throw .altered(path) }
    return file
  }

  /// The contents of a stored file, which are what its name and its message
  /// say.
  /// - Parameters:
  ///   - sha256: what the message says of them.
  ///   - limit: what they may be large at most, in bytes.
  package nonisolated func contents(
    of storedPath: String, sha256: String?, limit: Int64
  ) throws(TransportError) -> [UInt8] {
    guard let path = location(of: storedPath) else { throw .outsideOfRoom }
    return try Self.contents(
      ofFile: path, expected: Self.digests(of: storedPath, sha256), limit: limit)
  }

  static func contents(
    ofFile path: String, expected: [String], limit: Int64
  ) throws(TransportError) -> [UInt8] {
    let file = try openStored(path, limit: limit)
    let bytes = try file.part(at: 0, count: Int(limit))
    // Of what was read: at the next look it may be something else.
    let digest = bytes.withUnsafeBytes { bytes in
      var digest = SHA256()
      digest.update(bytes)
      return digest.finish()
    }
    guard expected.allSatisfy({ $0 == digest }) else { throw .altered(path) }
    return bytes
  }

  private static func openStored(
    _ path: String, limit: Int64
  ) throws(TransportError) -> Descriptor {
    let file = try Descriptor.openStored(path)
    guard try FileStatus(of: file).sizeInBytes <= limit else {
      throw .tooLargeToFetch(limit: limit)
    }
    return file
  }

  /// What the SHA-256 of a stored file is to be, by its name and its message.
  private static func digests(of storedPath: String, _ sha256: String?) -> [String] {
    [digest(inName: storedPath), sha256].compactMap(\.self)
  }

  /// What the name of a stored file says of its contents; nil where it says
  /// nothing, as others may name their files otherwise.
  static func digest(inName storedPath: String) -> String? {
    let stem = String(storedPath.prefix { $0 != "." })
    return SHA256.isDigest(stem) ? stem : nil
  }

  /// Copies a file into the folder and syncs it; a file that is there already
  /// is not written again.
  package func store(
    _ file: OpenFile, progress: @escaping FileProgress
  ) throws(TransportError) -> FileReference {
    let source = try Descriptor(sharing: file)
    // No more of it is taken than this, however it grows.
    var size = try FileStatus(of: source).sizeInBytes
    guard size <= Self.maximumBytes else {
      throw .tooLarge(file.path, limit: Self.maximumBytes)
    }
    let name = Path.name(of: file.path)
    let type = ImageType(beginning: try source.part(at: 0, count: ImageType.beginningBytes))
    let suffix = Self.fileExtension(of: name, type)
    var digest = try source.digest(upTo: size).sha256
    if !Self.isStored(digest, sizeInBytes: size, at: "\(folder)/\(digest)\(suffix)") {
      // What is written to meanwhile is called by what it was when it was copied.
      (digest, size) = try copy(source, sizeInBytes: size, suffix, progress)
    }
    return FileReference(
      path: digest + suffix, name: name, mediaType: type?.rawValue, sizeInBytes: size,
      sha256: digest)
  }

  /// Whether a file is there already, and is what it should be: of one that is
  /// damaged, a new copy is worth its while.
  static func isStored(_ sha256: String, sizeInBytes: Int64, at path: String) -> Bool {
    guard let file = try? Descriptor.openStored(path),
      (try? FileStatus(of: file).sizeInBytes) == sizeInBytes
    else { return false }
    return (try? file.digest(upTo: sizeInBytes).sha256) == sha256
  }

  private func copy(
    _ source: borrowing Descriptor, sizeInBytes size: Int64, _ suffix: String,
    _ progress: FileProgress
  ) throws(TransportError) -> Contents {
    try WritableFile.makeFolder(folder)
    let copy = try IncomingFile(in: folder)
    let copied = try copy.fill(from: source, upTo: size) { progress($0, size) }
    try copy.rename(to: "\(folder)/\(copied.sha256)\(suffix)")
    return copied
  }

  /// The extension of the name with its point, where it is a harmless one.
  static func fileExtension(of name: String, _ type: ImageType?) -> String {
    if let type { return ".\(type.fileExtension)" }
    guard let point = name.lastIndex(of: ".") else { return "" }
    let text = name[point...].dropFirst().lowercased()
    let isPlain = text.unicodeScalars.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 }
    return isPlain && (1...8).contains(text.count) ? ".\(text)" : ""
  }
}
